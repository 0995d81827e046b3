#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/crash_points.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::sim {

/// The verbs of ports::Store in the order of its header; a new verb there gets a line here.
inline constexpr std::array kStoreVerbs{
    VerbPoints{.before = "store.insert_delivery.before", .after = "store.insert_delivery.after"},
    VerbPoints{
        .before = "store.deliveries_to_plan.before", .after = "store.deliveries_to_plan.after"
    },
    VerbPoints{.before = "store.pull_request.before", .after = "store.pull_request.after"},
    VerbPoints{.before = "store.commit_plan.before", .after = "store.commit_plan.after"},
    VerbPoints{.before = "store.due.before", .after = "store.due.after"},
    VerbPoints{.before = "store.lease.before", .after = "store.lease.after"},
    VerbPoints{.before = "store.settle.before", .after = "store.settle.after"},
    VerbPoints{.before = "store.body_of.before", .after = "store.body_of.after"},
    VerbPoints{.before = "store.cancel_pending.before", .after = "store.cancel_pending.after"},
    VerbPoints{.before = "store.adopt.before", .after = "store.adopt.after"},
    VerbPoints{.before = "store.dispatches_to.before", .after = "store.dispatches_to.after"},
    VerbPoints{.before = "store.record_report.before", .after = "store.record_report.after"},
    VerbPoints{.before = "store.pin_first.before", .after = "store.pin_first.after"},
    VerbPoints{.before = "store.sweep.before", .after = "store.sweep.after"},
    VerbPoints{.before = "store.unverified_jobs.before", .after = "store.unverified_jobs.after"},
    VerbPoints{.before = "store.settle_commit.before", .after = "store.settle_commit.after"},
    VerbPoints{.before = "store.report_detail.before", .after = "store.report_detail.after"},
    VerbPoints{.before = "store.latest_jobs.before", .after = "store.latest_jobs.after"},
    VerbPoints{.before = "store.job_tallies.before", .after = "store.job_tallies.after"},
    VerbPoints{.before = "store.result_counts.before", .after = "store.result_counts.after"},
    VerbPoints{.before = "store.take_letters.before", .after = "store.take_letters.after"},
    VerbPoints{.before = "store.end_letter.before", .after = "store.end_letter.after"},
    VerbPoints{.before = "store.dead_letters.before", .after = "store.dead_letters.after"},
    VerbPoints{.before = "store.revive_letters.before", .after = "store.revive_letters.after"},
    VerbPoints{.before = "store.looks.before", .after = "store.looks.after"},
    VerbPoints{.before = "store.runs.before", .after = "store.runs.after"},
    VerbPoints{.before = "store.postings_of.before", .after = "store.postings_of.after"},
    VerbPoints{.before = "store.reruns_of.before", .after = "store.reruns_of.after"},
    VerbPoints{.before = "store.commit_postings.before", .after = "store.commit_postings.after"},
    VerbPoints{.before = "store.take_postings.before", .after = "store.take_postings.after"},
    VerbPoints{.before = "store.end_posting.before", .after = "store.end_posting.after"},
    VerbPoints{.before = "store.look_again.before", .after = "store.look_again.after"},
    VerbPoints{.before = "store.take_reruns.before", .after = "store.take_reruns.after"},
    VerbPoints{.before = "store.end_rerun.before", .after = "store.end_rerun.after"},
    VerbPoints{.before = "store.gate_suspensions.before", .after = "store.gate_suspensions.after"},
    VerbPoints{.before = "store.suspend_gate.before", .after = "store.suspend_gate.after"},
    VerbPoints{.before = "store.resume_gate.before", .after = "store.resume_gate.after"},
    VerbPoints{.before = "store.check_counts.before", .after = "store.check_counts.after"},
    VerbPoints{.before = "store.schedule_marks.before", .after = "store.schedule_marks.after"},
    VerbPoints{.before = "store.fire_schedule.before", .after = "store.fire_schedule.after"},
    VerbPoints{.before = "store.miss_schedule.before", .after = "store.miss_schedule.after"},
    VerbPoints{.before = "store.record_allowlist.before", .after = "store.record_allowlist.after"},
    VerbPoints{.before = "store.last_allowlist.before", .after = "store.last_allowlist.after"},
    VerbPoints{.before = "store.signing_keys.before", .after = "store.signing_keys.after"},
    VerbPoints{.before = "store.add_signing_key.before", .after = "store.add_signing_key.after"},
    VerbPoints{.before = "store.last_walk.before", .after = "store.last_walk.after"},
    VerbPoints{.before = "store.note_hooks.before", .after = "store.note_hooks.after"},
    VerbPoints{.before = "store.end_walk.before", .after = "store.end_walk.after"},
    VerbPoints{.before = "store.hooks_astray.before", .after = "store.hooks_astray.after"},
    VerbPoints{.before = "store.note_asked.before", .after = "store.note_asked.after"},
    VerbPoints{.before = "store.note_not_asked.before", .after = "store.note_not_asked.after"},
    VerbPoints{.before = "store.completeness.before", .after = "store.completeness.after"},
    VerbPoints{
        .before = "store.record_completeness.before", .after = "store.record_completeness.after"
    },
    VerbPoints{
        .before = "store.open_pull_requests.before", .after = "store.open_pull_requests.after"
    },
    VerbPoints{.before = "store.list_deliveries.before", .after = "store.list_deliveries.after"},
    VerbPoints{.before = "store.delivery_history.before", .after = "store.delivery_history.after"},
    VerbPoints{.before = "store.redeliver.before", .after = "store.redeliver.after"},
    VerbPoints{.before = "store.counts.before", .after = "store.counts.after"},
    VerbPoints{.before = "store.suspensions.before", .after = "store.suspensions.after"},
    VerbPoints{.before = "store.suspend.before", .after = "store.suspend.after"},
    VerbPoints{.before = "store.resume.before", .after = "store.resume.after"},
    VerbPoints{.before = "store.insert_test.before", .after = "store.insert_test.after"},
    VerbPoints{.before = "store.pin_of.before", .after = "store.pin_of.after"},
    VerbPoints{.before = "store.repin.before", .after = "store.repin.after"},
    VerbPoints{
        .before = "store.downstream_figures.before", .after = "store.downstream_figures.after"
    },
    VerbPoints{.before = "store.allowlists_at.before", .after = "store.allowlists_at.after"},
    VerbPoints{.before = "store.enter_mode.before", .after = "store.enter_mode.after"},
    VerbPoints{.before = "store.prune_bodies.before", .after = "store.prune_bodies.after"},
    VerbPoints{.before = "store.prune_results.before", .after = "store.prune_results.after"},
    VerbPoints{.before = "store.prune_dispatches.before", .after = "store.prune_dispatches.after"},
    VerbPoints{.before = "store.bytes_of.before", .after = "store.bytes_of.after"},
    VerbPoints{.before = "store.keep_sizes.before", .after = "store.keep_sizes.after"},
};

/// A Store whose calls pass crash points. `inner` outlives it; threads as the inner store's.
class SteppedStore final : public ports::Store {
public:
    SteppedStore(ports::Store& inner, std::shared_ptr<Incarnation> life)
        : inner_(inner)
        , life_(std::move(life)) {}

    Awaitable<bool> insert_delivery(ports::NewDelivery delivery) override;
    Awaitable<std::vector<ports::DeliveryToPlan>>
    deliveries_to_plan(TimePoint now, std::size_t limit) override;
    Awaitable<std::optional<domain::PullRequest>> pull_request(ports::PullRequestQuery query
    ) override;
    Awaitable<ports::PlanReceipt> commit_plan(ports::PlanCommit commit) override;
    Awaitable<ports::DueView> due(ports::DueQuery query) override;
    Awaitable<std::vector<ports::LeasedDispatch>> lease(ports::LeaseQuery query) override;
    Awaitable<domain::DispatchState> settle(ports::Settlement settlement) override;
    Awaitable<std::string> body_of(DeliveryId id) override;
    Awaitable<std::size_t> cancel_pending(
        RepoName upstream, RepoName downstream, std::string reason, TimePoint now
    ) override;
    Awaitable<ports::Adoption> adopt(InstanceId instance, TimePoint now) override;
    Awaitable<std::vector<domain::Dispatch>>
    dispatches_to(DeliveryId delivery, RepoName downstream) override;
    Awaitable<ports::ReportReceipt> record_report(ports::ReportCommit commit) override;
    Awaitable<ports::Pin> pin_first(ports::Pin pin) override;
    Awaitable<ports::Swept> sweep(ports::SweepQuery query) override;
    Awaitable<std::vector<domain::Job>> unverified_jobs(std::size_t limit) override;
    Awaitable<void> settle_commit(JobId job, domain::CommitCheck check, TimePoint now) override;
    Awaitable<domain::ReportDetail> report_detail(JobId job) override;
    Awaitable<std::vector<domain::Job>> latest_jobs(ports::PullRequestQuery query) override;
    Awaitable<std::vector<ports::JobTally>> job_tallies(ports::TallyQuery query) override;
    Awaitable<ports::ResultCounts> result_counts() override;
    Awaitable<std::vector<ports::TakenLetter>> take_letters(ports::LetterQuery query) override;
    Awaitable<void> end_letter(ports::LetterEnd end) override;
    Awaitable<std::vector<ports::DeadLetter>> dead_letters(std::size_t limit) override;
    Awaitable<std::size_t>
    revive_letters(std::string sink, std::string actor, TimePoint now) override;
    Awaitable<std::vector<ports::Look>> looks(TimePoint now, std::size_t limit) override;
    Awaitable<std::vector<domain::Run>> runs(ports::RunsQuery query) override;
    Awaitable<std::vector<ports::KeptPosting>> postings_of(domain::Subject subject) override;
    Awaitable<std::vector<domain::Rerun>> reruns_of(domain::Subject subject) override;
    Awaitable<ports::PostingReceipt> commit_postings(ports::PostingCommit commit) override;
    Awaitable<std::vector<ports::TakenPosting>> take_postings(ports::PostingQuery query) override;
    Awaitable<void> end_posting(ports::PostingEnd end) override;
    Awaitable<std::size_t> look_again(ports::LookAgain again) override;
    Awaitable<std::vector<ports::TakenRerun>> take_reruns(ports::RerunQuery query) override;
    Awaitable<void> end_rerun(ports::RerunEnd end) override;
    Awaitable<std::vector<domain::GateSuspension>> gate_suspensions() override;
    Awaitable<bool> suspend_gate(domain::GateSuspension suspension) override;
    Awaitable<bool> resume_gate(ports::GateResumption resumption) override;
    Awaitable<ports::CheckCounts> check_counts() override;
    Awaitable<std::vector<ports::ScheduleMark>> schedule_marks() override;
    Awaitable<bool> fire_schedule(ports::ScheduledRun run) override;
    Awaitable<bool> miss_schedule(ports::MissedRun run) override;
    Awaitable<void> record_allowlist(ports::AllowlistVersion version) override;
    Awaitable<std::optional<ports::AllowlistVersion>> last_allowlist(RepoName upstream) override;
    Awaitable<std::vector<ports::SigningKey>> signing_keys() override;
    Awaitable<ports::SigningKey> add_signing_key(std::string secret, TimePoint now) override;
    Awaitable<std::optional<domain::Walk>> last_walk() override;
    Awaitable<void> note_hooks(std::vector<domain::HookTry> tries) override;
    Awaitable<void> end_walk(TimePoint until, TimePoint now) override;
    Awaitable<std::vector<domain::SentHook>> hooks_astray(std::size_t limit) override;
    Awaitable<bool> note_asked(DeliveryId id, int asked, TimePoint now) override;
    Awaitable<void> note_not_asked(DeliveryId id, int asked, TimePoint now) override;
    Awaitable<domain::Completeness> completeness(TimePoint from, TimePoint until) override;
    Awaitable<bool> record_completeness(domain::Completeness day, TimePoint now) override;
    Awaitable<std::vector<PrNumber>> open_pull_requests(RepoName upstream) override;
    Awaitable<std::vector<ports::Delivery>> list_deliveries(ports::DeliveryPageQuery query
    ) override;
    Awaitable<ports::DeliveryHistory> delivery_history(DeliveryId id) override;
    Awaitable<std::size_t> redeliver(ports::RedeliverQuery query) override;
    Awaitable<ports::Counts> counts() override;

    Awaitable<std::vector<domain::Suspension>> suspensions(TimePoint now) override;
    Awaitable<void> suspend(domain::Suspension suspension) override;
    Awaitable<std::size_t> resume(ports::Resumption resumption) override;
    Awaitable<void> insert_test(ports::TestDispatch test) override;
    Awaitable<std::optional<ports::Pin>> pin_of(RepoName repo) override;
    Awaitable<std::optional<ports::Pin>> repin(ports::Pin pin) override;
    Awaitable<std::vector<ports::DownstreamFigures>> downstream_figures(TimePoint now) override;
    Awaitable<std::vector<ports::AllowlistVersion>> allowlists_at(TimePoint when) override;
    Awaitable<ports::ModeChange> enter_mode(ports::Mode mode, TimePoint now) override;
    Awaitable<ports::PruneStep> prune_bodies(ports::PruneQuery query) override;
    Awaitable<ports::PruneStep> prune_results(ports::PruneQuery query) override;
    Awaitable<ports::PruneStep> prune_dispatches(ports::PruneQuery query) override;
    Awaitable<std::size_t> bytes_of(ports::StoredKind kind) override;
    Awaitable<void> keep_sizes(ports::StoreSizes sizes) override;

private:
    /// `verb` names the points; `method` and its arguments are kept until the step before them
    /// allows the call.
    template <class T, class... Parameters>
    Awaitable<T> through(
        std::string_view verb,
        Awaitable<T> (ports::Store::*method)(Parameters...),
        Parameters... arguments
    );

    ports::Store& inner_;
    std::shared_ptr<Incarnation> life_;
};

} // namespace baton::sim
