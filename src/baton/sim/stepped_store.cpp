#include "baton/sim/stepped_store.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/crash_points.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::sim {

namespace {

VerbPoints points_of(std::string_view verb) {
    const auto names_it = [verb](const VerbPoints& points) {
        constexpr std::string_view kStart = "store.";
        const auto rest = points.before.substr(kStart.size());
        return rest.starts_with(verb) && rest.substr(verb.size()) == ".before";
    };
    const auto* const found = std::ranges::find_if(kStoreVerbs, names_it);
    BATON_ASSERT(found != kStoreVerbs.end());
    return *found;
}

template <class T> Result<T> error_of(Errc code) {
    return fail(code, "ordered by a crash point");
}

} // namespace

template <class T, class... Parameters>
ports::Store::Awaitable<T> SteppedStore::through(
    std::string_view verb,
    Awaitable<T> (ports::Store::*method)(Parameters...),
    Parameters... arguments
) {
    auto call = [this, method, kept = std::make_tuple(std::move(arguments)...)]() mutable {
        return std::apply(
            [&](auto&... each) { return (inner_.*method)(std::move(each)...); }, kept
        );
    };
    return step_through<Result<T>>(life_, points_of(verb), std::move(call), error_of<T>);
}

ports::Store::Awaitable<bool> SteppedStore::insert_delivery(ports::NewDelivery delivery) {
    return through("insert_delivery", &Store::insert_delivery, std::move(delivery));
}

ports::Store::Awaitable<std::vector<ports::DeliveryToPlan>>
SteppedStore::deliveries_to_plan(TimePoint now, std::size_t limit) {
    return through("deliveries_to_plan", &Store::deliveries_to_plan, now, limit);
}

ports::Store::Awaitable<std::optional<domain::PullRequest>>
SteppedStore::pull_request(ports::PullRequestQuery query) {
    return through("pull_request", &Store::pull_request, std::move(query));
}

ports::Store::Awaitable<ports::PlanReceipt> SteppedStore::commit_plan(ports::PlanCommit commit) {
    return through("commit_plan", &Store::commit_plan, std::move(commit));
}

ports::Store::Awaitable<ports::DueView> SteppedStore::due(ports::DueQuery query) {
    return through("due", &Store::due, query);
}

ports::Store::Awaitable<std::vector<ports::LeasedDispatch>>
SteppedStore::lease(ports::LeaseQuery query) {
    return through("lease", &Store::lease, std::move(query));
}

ports::Store::Awaitable<domain::DispatchState> SteppedStore::settle(ports::Settlement settlement) {
    return through("settle", &Store::settle, std::move(settlement));
}

ports::Store::Awaitable<std::string> SteppedStore::body_of(DeliveryId id) {
    return through("body_of", &Store::body_of, std::move(id));
}

ports::Store::Awaitable<std::size_t> SteppedStore::cancel_pending(
    RepoName upstream, RepoName downstream, std::string reason, TimePoint now
) {
    return through(
        "cancel_pending",
        &Store::cancel_pending,
        std::move(upstream),
        std::move(downstream),
        std::move(reason),
        now
    );
}

ports::Store::Awaitable<ports::Adoption> SteppedStore::adopt(InstanceId instance, TimePoint now) {
    return through("adopt", &Store::adopt, std::move(instance), now);
}

ports::Store::Awaitable<std::vector<domain::Dispatch>>
SteppedStore::dispatches_to(DeliveryId delivery, RepoName downstream) {
    return through(
        "dispatches_to", &Store::dispatches_to, std::move(delivery), std::move(downstream)
    );
}

ports::Store::Awaitable<ports::ReportReceipt> SteppedStore::record_report(ports::ReportCommit commit
) {
    return through("record_report", &Store::record_report, std::move(commit));
}

ports::Store::Awaitable<ports::Pin> SteppedStore::pin_first(ports::Pin pin) {
    return through("pin_first", &Store::pin_first, std::move(pin));
}

ports::Store::Awaitable<ports::Swept> SteppedStore::sweep(ports::SweepQuery query) {
    return through("sweep", &Store::sweep, std::move(query));
}

ports::Store::Awaitable<std::vector<domain::Job>> SteppedStore::unverified_jobs(std::size_t limit) {
    return through("unverified_jobs", &Store::unverified_jobs, limit);
}

ports::Store::Awaitable<void>
SteppedStore::settle_commit(JobId job, domain::CommitCheck check, TimePoint now) {
    return through("settle_commit", &Store::settle_commit, job, check, now);
}

ports::Store::Awaitable<domain::ReportDetail> SteppedStore::report_detail(JobId job) {
    return through("report_detail", &Store::report_detail, job);
}

ports::Store::Awaitable<std::vector<domain::Job>>
SteppedStore::latest_jobs(ports::PullRequestQuery query) {
    return through("latest_jobs", &Store::latest_jobs, std::move(query));
}

ports::Store::Awaitable<std::vector<ports::JobTally>>
SteppedStore::job_tallies(ports::TallyQuery query) {
    return through("job_tallies", &Store::job_tallies, std::move(query));
}

ports::Store::Awaitable<ports::ResultCounts> SteppedStore::result_counts() {
    return through("result_counts", &Store::result_counts);
}

ports::Store::Awaitable<std::vector<ports::TakenLetter>>
SteppedStore::take_letters(ports::LetterQuery query) {
    return through("take_letters", &Store::take_letters, std::move(query));
}

ports::Store::Awaitable<void> SteppedStore::end_letter(ports::LetterEnd end) {
    return through("end_letter", &Store::end_letter, std::move(end));
}

ports::Store::Awaitable<std::vector<ports::DeadLetter>> SteppedStore::dead_letters(std::size_t limit
) {
    return through("dead_letters", &Store::dead_letters, limit);
}

ports::Store::Awaitable<std::size_t>
SteppedStore::revive_letters(std::string sink, std::string actor, TimePoint now) {
    return through(
        "revive_letters", &Store::revive_letters, std::move(sink), std::move(actor), now
    );
}

ports::Store::Awaitable<std::vector<ports::Look>>
SteppedStore::looks(TimePoint now, std::size_t limit) {
    return through("looks", &Store::looks, now, limit);
}

ports::Store::Awaitable<std::vector<domain::Run>> SteppedStore::runs(ports::RunsQuery query) {
    return through("runs", &Store::runs, std::move(query));
}

ports::Store::Awaitable<std::vector<ports::KeptPosting>>
SteppedStore::postings_of(domain::Subject subject) {
    return through("postings_of", &Store::postings_of, std::move(subject));
}

ports::Store::Awaitable<std::vector<domain::Rerun>> SteppedStore::reruns_of(domain::Subject subject
) {
    return through("reruns_of", &Store::reruns_of, std::move(subject));
}

ports::Store::Awaitable<ports::PostingReceipt>
SteppedStore::commit_postings(ports::PostingCommit commit) {
    return through("commit_postings", &Store::commit_postings, std::move(commit));
}

ports::Store::Awaitable<std::vector<ports::TakenPosting>>
SteppedStore::take_postings(ports::PostingQuery query) {
    return through("take_postings", &Store::take_postings, std::move(query));
}

ports::Store::Awaitable<void> SteppedStore::end_posting(ports::PostingEnd end) {
    return through("end_posting", &Store::end_posting, std::move(end));
}

ports::Store::Awaitable<std::size_t> SteppedStore::look_again(ports::LookAgain again) {
    return through("look_again", &Store::look_again, std::move(again));
}

ports::Store::Awaitable<std::vector<ports::TakenRerun>>
SteppedStore::take_reruns(ports::RerunQuery query) {
    return through("take_reruns", &Store::take_reruns, std::move(query));
}

ports::Store::Awaitable<void> SteppedStore::end_rerun(ports::RerunEnd end) {
    return through("end_rerun", &Store::end_rerun, std::move(end));
}

ports::Store::Awaitable<std::vector<domain::GateSuspension>> SteppedStore::gate_suspensions() {
    return through("gate_suspensions", &Store::gate_suspensions);
}

ports::Store::Awaitable<bool> SteppedStore::suspend_gate(domain::GateSuspension suspension) {
    return through("suspend_gate", &Store::suspend_gate, std::move(suspension));
}

ports::Store::Awaitable<bool> SteppedStore::resume_gate(ports::GateResumption resumption) {
    return through("resume_gate", &Store::resume_gate, std::move(resumption));
}

ports::Store::Awaitable<ports::CheckCounts> SteppedStore::check_counts() {
    return through("check_counts", &Store::check_counts);
}

ports::Store::Awaitable<std::vector<ports::ScheduleMark>> SteppedStore::schedule_marks() {
    return through("schedule_marks", &Store::schedule_marks);
}

ports::Store::Awaitable<bool> SteppedStore::fire_schedule(ports::ScheduledRun run) {
    return through("fire_schedule", &Store::fire_schedule, std::move(run));
}

ports::Store::Awaitable<bool> SteppedStore::miss_schedule(ports::MissedRun run) {
    return through("miss_schedule", &Store::miss_schedule, std::move(run));
}

ports::Store::Awaitable<void> SteppedStore::record_allowlist(ports::AllowlistVersion version) {
    return through("record_allowlist", &Store::record_allowlist, std::move(version));
}

ports::Store::Awaitable<std::optional<ports::AllowlistVersion>>
SteppedStore::last_allowlist(RepoName upstream) {
    return through("last_allowlist", &Store::last_allowlist, std::move(upstream));
}

ports::Store::Awaitable<std::vector<ports::SigningKey>> SteppedStore::signing_keys() {
    return through("signing_keys", &Store::signing_keys);
}

ports::Store::Awaitable<ports::SigningKey>
SteppedStore::add_signing_key(std::string secret, TimePoint now) {
    return through("add_signing_key", &Store::add_signing_key, std::move(secret), now);
}

ports::Store::Awaitable<std::optional<domain::Walk>> SteppedStore::last_walk() {
    return through("last_walk", &Store::last_walk);
}

ports::Store::Awaitable<void> SteppedStore::note_hooks(std::vector<domain::HookTry> tries) {
    return through("note_hooks", &Store::note_hooks, std::move(tries));
}

ports::Store::Awaitable<void> SteppedStore::end_walk(TimePoint until, TimePoint now) {
    return through("end_walk", &Store::end_walk, until, now);
}

ports::Store::Awaitable<std::vector<domain::SentHook>> SteppedStore::hooks_astray(std::size_t limit
) {
    return through("hooks_astray", &Store::hooks_astray, limit);
}

ports::Store::Awaitable<bool> SteppedStore::note_asked(DeliveryId id, int asked, TimePoint now) {
    return through("note_asked", &Store::note_asked, std::move(id), asked, now);
}

ports::Store::Awaitable<void>
SteppedStore::note_not_asked(DeliveryId id, int asked, TimePoint now) {
    return through("note_not_asked", &Store::note_not_asked, std::move(id), asked, now);
}

ports::Store::Awaitable<domain::Completeness>
SteppedStore::completeness(TimePoint from, TimePoint until) {
    return through("completeness", &Store::completeness, from, until);
}

ports::Store::Awaitable<bool>
SteppedStore::record_completeness(domain::Completeness day, TimePoint now) {
    return through("record_completeness", &Store::record_completeness, std::move(day), now);
}

ports::Store::Awaitable<std::vector<PrNumber>> SteppedStore::open_pull_requests(RepoName upstream) {
    return through("open_pull_requests", &Store::open_pull_requests, std::move(upstream));
}

ports::Store::Awaitable<std::vector<ports::Delivery>>
SteppedStore::list_deliveries(ports::DeliveryPageQuery query) {
    return through("list_deliveries", &Store::list_deliveries, std::move(query));
}

ports::Store::Awaitable<ports::DeliveryHistory> SteppedStore::delivery_history(DeliveryId id) {
    return through("delivery_history", &Store::delivery_history, std::move(id));
}

ports::Store::Awaitable<std::size_t> SteppedStore::redeliver(ports::RedeliverQuery query) {
    return through("redeliver", &Store::redeliver, std::move(query));
}

ports::Store::Awaitable<ports::Counts> SteppedStore::counts() {
    return through("counts", &Store::counts);
}

ports::Store::Awaitable<std::vector<domain::Suspension>> SteppedStore::suspensions(TimePoint now) {
    return through("suspensions", &Store::suspensions, now);
}

ports::Store::Awaitable<void> SteppedStore::suspend(domain::Suspension suspension) {
    return through("suspend", &Store::suspend, std::move(suspension));
}

ports::Store::Awaitable<std::size_t> SteppedStore::resume(ports::Resumption resumption) {
    return through("resume", &Store::resume, std::move(resumption));
}

ports::Store::Awaitable<void> SteppedStore::insert_test(ports::TestDispatch test) {
    return through("insert_test", &Store::insert_test, std::move(test));
}

ports::Store::Awaitable<std::optional<ports::Pin>> SteppedStore::pin_of(RepoName repo) {
    return through("pin_of", &Store::pin_of, std::move(repo));
}

ports::Store::Awaitable<std::optional<ports::Pin>> SteppedStore::repin(ports::Pin pin) {
    return through("repin", &Store::repin, std::move(pin));
}

ports::Store::Awaitable<std::vector<ports::DownstreamFigures>>
SteppedStore::downstream_figures(TimePoint now) {
    return through("downstream_figures", &Store::downstream_figures, now);
}

ports::Store::Awaitable<std::vector<ports::AllowlistVersion>>
SteppedStore::allowlists_at(TimePoint when) {
    return through("allowlists_at", &Store::allowlists_at, when);
}

ports::Store::Awaitable<ports::ModeChange>
SteppedStore::enter_mode(ports::Mode mode, TimePoint now) {
    return through("enter_mode", &Store::enter_mode, mode, now);
}

ports::Store::Awaitable<ports::PruneStep> SteppedStore::prune_bodies(ports::PruneQuery query) {
    return through("prune_bodies", &Store::prune_bodies, query);
}

ports::Store::Awaitable<ports::PruneStep> SteppedStore::prune_results(ports::PruneQuery query) {
    return through("prune_results", &Store::prune_results, query);
}

ports::Store::Awaitable<ports::PruneStep> SteppedStore::prune_dispatches(ports::PruneQuery query) {
    return through("prune_dispatches", &Store::prune_dispatches, query);
}

ports::Store::Awaitable<std::size_t> SteppedStore::bytes_of(ports::StoredKind kind) {
    return through("bytes_of", &Store::bytes_of, kind);
}

ports::Store::Awaitable<void> SteppedStore::keep_sizes(ports::StoreSizes sizes) {
    return through("keep_sizes", &Store::keep_sizes, std::move(sizes));
}

} // namespace baton::sim
