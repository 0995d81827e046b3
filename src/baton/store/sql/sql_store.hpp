#pragma once

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
#include "baton/ports/notices.hpp"
#include "baton/ports/quota_exchange.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace baton::ports {
class Levels;
class Measuring;
class Operators;
} // namespace baton::ports

namespace baton::store {

namespace sql {

class Queue;

/// Where the verbs of a store wait, each for its kind of connection. They are the adapter's,
/// who ends them before the store over them.
struct Queues {
    Queue& writer;
    Queue& intake; // for insert_delivery
    Queue& readers;
    Queue& viewers; // for pages, so that they hold up none of the relay's own reads
};

} // namespace sql

/// ports::Store and ports::Notices over the queues of an adapter, in SQL that both databases
/// understand. Any thread may call; results arrive on the caller's executor, those of writes after
/// the commit is durable.
///
/// A caller that is cancelled, or whose event loop is destroyed, while its operation is queued
/// hears `cancelled` or nothing; a write may still take effect. The adapter's destructor finishes
/// what is queued.
class SqlStore : public ports::Store, public ports::Notices {
public:
    ~SqlStore() override;

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
    Awaitable<std::size_t> name_receivers(std::vector<std::string> sinks, TimePoint now) override;
    Awaitable<void> note_concern(ports::Concern concern) override;
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

    /// Where several replicas may serve from one store: whether this one does what only one has to
    /// do; asked now and then, from any thread, while the store lives. Empty where it is alone.
    virtual std::function<bool()> lead() const { return {}; }

    /// Where those replicas tell each other of GitHub's limits; null where this one is alone.
    virtual ports::QuotaExchange* quotas() { return nullptr; }

    /// Wakes the others who serve from this store: something is due that this one will not do.
    virtual Awaitable<void> tell_others();

    /// Calls this, on some thread, when another process wrote something; empty: nobody.
    virtual void on_news(std::function<void()> /*call*/) {}

    /// Calls this, on some thread, with what time it is for all who share the store, now and then;
    /// nobody does where this one is alone.
    virtual void on_time(std::function<void(TimePoint)> /*call*/) {}

    /// What people look at; lives as long as the store.
    ports::Views& views();
    ports::Operators& operators();
    ports::Levels& levels();
    /// What is looked up to measure a downstream; nothing is ever written through it.
    ports::Measuring& measuring();

protected:
    explicit SqlStore(sql::Queues queues);

private:
    struct Inside;

    std::unique_ptr<Inside> inside_;
};

} // namespace baton::store
