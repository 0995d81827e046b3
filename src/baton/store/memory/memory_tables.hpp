#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/notification.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/domain/share.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/notices.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/checks.hpp"
#include "baton/store/reporting.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::store::memory {

struct DeliveryRow {
    ports::Delivery delivery;
    TimePoint plan_at{};
    std::optional<std::string> body; // none: past retention
};

struct DispatchRow {
    domain::Dispatch dispatch;
    std::int64_t delivery{0}; // its sequence number
    TimePoint lease_until{};  // the epoch: not leased
    std::int64_t fence{0};
    std::optional<domain::DispatchState> mark;
    std::string mark_reason;
    std::vector<ports::Attempt> attempts;
    std::optional<TimePoint> silent_at; // nobody had started it by then
    bool awaits_start{false};

    bool leased() const { return lease_until != TimePoint{}; }
};

struct JobRow {
    domain::Job job;
    domain::ReportDetail detail;
};

/// The run that has a dispatch and workflow.
struct Claim {
    std::string run_id;
    bool started{false};
};

struct LetterRow {
    ports::TakenLetter letter;       // as it was last taken, but for its job
    std::optional<JobId> job;        // what it tells of; none: of a notification
    std::optional<TimePoint> due_at; // none: it is not the first of its lane, or dead
    TimePoint lease_until{};         // the epoch: not leased
    std::optional<TimePoint> died_at;
    std::string detail;
};

struct LookRow {
    std::int64_t id{0};
    std::int64_t version{0};
    TimePoint first_at{};
    std::optional<TimePoint> due_at;
};

/// The verbs of ports::Store over ordered containers, one thread at a time. Each answers as the
/// port says; an error is found before anything is changed.
class Tables {
public:
    bool insert_delivery(ports::NewDelivery delivery);
    std::vector<ports::DeliveryToPlan> deliveries_to_plan(TimePoint now, std::size_t limit) const;
    Result<std::string> body_of(const DeliveryId& id) const;
    std::vector<ports::Delivery> list_deliveries(const ports::DeliveryPageQuery& query) const;

    std::optional<domain::PullRequest> pull_request(const ports::PullRequestQuery& query) const;
    Result<ports::PlanReceipt> commit_plan(const ports::PlanCommit& commit);
    std::size_t cancel_pending(
        const RepoName& upstream,
        const RepoName& downstream,
        const std::string& reason,
        TimePoint now
    );

    ports::DueView due(const ports::DueQuery& query) const;
    std::vector<ports::LeasedDispatch> lease(const ports::LeaseQuery& query);
    Result<domain::DispatchState> settle(const ports::Settlement& settlement);
    ports::Adoption adopt(const InstanceId& instance, TimePoint now);

    std::vector<domain::Dispatch>
    dispatches_to(const DeliveryId& delivery, const RepoName& downstream) const;
    Result<ports::ReportReceipt> record_report(const ports::ReportCommit& commit);
    ports::Pin pin_first(const ports::Pin& pin);
    ports::Swept sweep(const ports::SweepQuery& query);
    std::vector<domain::Job> unverified_jobs(std::size_t limit) const;
    Result<void> settle_commit(JobId job, domain::CommitCheck check, TimePoint now);
    Result<domain::ReportDetail> report_detail(JobId job) const;
    std::vector<domain::Job> latest_jobs(const ports::PullRequestQuery& query) const;
    std::vector<ports::JobTally> job_tallies(const ports::TallyQuery& query) const;
    ports::ResultCounts result_counts() const;

    std::vector<ports::TakenLetter> take_letters(const ports::LetterQuery& query);
    Result<void> end_letter(const ports::LetterEnd& end);
    std::vector<ports::DeadLetter> dead_letters(std::size_t limit) const;
    std::size_t revive_letters(const std::string& sink, const std::string& actor, TimePoint now);
    std::size_t name_receivers(const std::vector<std::string>& sinks, TimePoint now);
    void note_concern(const ports::Concern& concern);

    std::vector<ports::Look> looks(TimePoint now, std::size_t limit) const;
    std::vector<domain::Run> runs(const ports::RunsQuery& query) const;
    std::vector<ports::KeptPosting> postings_of(const domain::Subject& subject) const;
    std::vector<domain::Rerun> reruns_of(const domain::Subject& subject) const;
    ports::PostingReceipt commit_postings(const ports::PostingCommit& commit);
    std::vector<ports::TakenPosting> take_postings(const ports::PostingQuery& query);
    Result<void> end_posting(const ports::PostingEnd& end);
    std::size_t look_again(const ports::LookAgain& again);
    std::vector<ports::TakenRerun> take_reruns(const ports::RerunQuery& query);
    Result<void> end_rerun(const ports::RerunEnd& end);
    std::vector<domain::GateSuspension> gate_suspensions() const;
    bool suspend_gate(const domain::GateSuspension& suspension);
    bool resume_gate(const ports::GateResumption& resumption);
    ports::CheckCounts check_counts() const;

    std::vector<ports::ScheduleMark> schedule_marks() const;
    Result<bool> fire_schedule(const ports::ScheduledRun& run);
    bool miss_schedule(const ports::MissedRun& run);

    void record_allowlist(ports::AllowlistVersion version);
    std::optional<ports::AllowlistVersion> last_allowlist(const RepoName& upstream) const;
    std::vector<ports::SigningKey> signing_keys() const;
    ports::SigningKey add_signing_key(std::string secret, TimePoint now);

    std::optional<domain::Walk> last_walk() const { return walk_; }

    void note_hooks(const std::vector<domain::HookTry>& tries);
    void end_walk(TimePoint until, TimePoint now);
    std::vector<domain::SentHook> hooks_astray(std::size_t limit) const;
    bool note_asked(const DeliveryId& id, int asked, TimePoint now);
    void note_not_asked(const DeliveryId& id, int asked, TimePoint now);
    domain::Completeness completeness(TimePoint from, TimePoint until) const;
    bool record_completeness(const domain::Completeness& day, TimePoint now);
    std::vector<PrNumber> open_pull_requests(const RepoName& upstream) const;

    Result<ports::DeliveryHistory> delivery_history(const DeliveryId& id) const;
    Result<std::size_t> redeliver(const ports::RedeliverQuery& query);
    ports::Counts counts() const;

    std::vector<domain::Suspension> suspensions(TimePoint now) const;
    void suspend(const domain::Suspension& suspension);
    std::size_t resume(const ports::Resumption& resumption);
    Result<void> insert_test(const ports::TestDispatch& test);
    std::optional<ports::Pin> pin_of(const RepoName& repo) const;
    std::optional<ports::Pin> repin(const ports::Pin& pin);
    std::vector<ports::DownstreamFigures> downstream_figures(TimePoint now) const;
    std::vector<ports::AllowlistVersion> allowlists_at(TimePoint when) const;
    Result<ports::ModeChange> enter_mode(ports::Mode mode, TimePoint now);
    ports::PruneStep prune_bodies(const ports::PruneQuery& query);
    ports::PruneStep prune_results(const ports::PruneQuery& query);
    ports::PruneStep prune_dispatches(const ports::PruneQuery& query);

private:
    using When = std::pair<TimePoint, DispatchId>;
    using Agenda = std::map<RepoName, std::set<When>>; // never holds an empty set

    struct Rest {
        domain::DispatchState state{domain::DispatchState::cancelled};
        std::string reason;
        TimePoint now{};
    };

    const DeliveryRow* find(const DeliveryId& id) const;
    void count_dispatches_of(std::int64_t delivery, domain::Completeness& day) const;
    bool has_dispatch_in(std::int64_t delivery, domain::DispatchState state) const;
    bool is_body_needed(const ports::Delivery& delivery, TimePoint cut) const;
    bool is_newest_of_pull(const ports::Delivery& delivery) const;
    bool is_head_of_living_pull(
        const RepoName& upstream, std::optional<PrNumber> pr, const HeadSha& head, TimePoint cut
    ) const;
    bool has_waiting_letter(JobId job) const;
    std::vector<JobId> jobs_beside(const domain::Job& job) const; // that count, at its commit
    std::vector<JobId> to_leave_with(const domain::Job& job, TimePoint cut) const;
    void forget(JobId id);
    void forget(DispatchId id);
    Result<void> check(const ports::PlanCommit& commit) const;
    void rest_others(const ports::PlanCommit& commit, ports::PlanReceipt& receipt);
    DispatchId add(const domain::NewDispatch& dispatch, TimePoint now);
    std::vector<DispatchId> to_redeliver(const ports::RedeliverQuery& query) const;
    std::optional<domain::Waiting> waiting_of(
        const RepoName& downstream, const std::set<When>& agenda, const ports::DueQuery& query
    ) const;
    bool is_held(const DispatchRow& row, TimePoint now) const; // by a suspension
    std::size_t sent_after(const RepoName& downstream, TimePoint cut, bool running_only) const;

    ports::LeasedDispatch take(DispatchRow& row, const ports::LeaseQuery& query);
    std::vector<DispatchId>
    to_lease(const domain::Share& share, const ports::LeaseQuery& query) const;
    std::vector<When> leases() const;            // in the order they end
    std::vector<DispatchId> pending_ids() const; // in the order of their ids

    /// What is there when a report about a dispatch arrives.
    struct Scene {
        DispatchRow& dispatch;
        std::optional<KnownHead> head;
        Claim& claim;
    };

    /// A job's subject without the dispatch, and its key.
    using CommitKey = std::tuple<RepoName, RepoName, HeadSha, std::string, domain::JobKey>;
    using LatestKey = std::tuple<RepoName, PrNumber, RepoName, std::string, std::string>;

    const domain::Job* known_job(const ports::ReportCommit& commit) const;
    std::optional<KnownHead> known_head(const domain::Dispatch& dispatch) const;
    std::vector<domain::Job> jobs_of(DispatchId dispatch) const;
    domain::Job record(
        Scene& scene,
        const domain::Standing& standing,
        const ports::ReportCommit& commit,
        const domain::Weighed& weighed
    );
    void put_job(domain::Job& job);
    void write_job(domain::Job& job, const ports::ReportCommit& commit);
    void put_letter(const ports::Letter& letter, const domain::Job& job, TimePoint now);
    void put_letter(LetterRow row, TimePoint now);
    void notify(domain::Notification notification);
    std::optional<ports::Concern>
    concern_of(const RepoName& upstream, const RepoName& downstream) const;
    std::optional<TimePoint>
    incident_began(const RepoName& upstream, const RepoName& downstream) const;
    void show(const domain::Job& job, const std::optional<KnownHead>& head);
    void void_claim(Scene& scene, const std::string& workflow);
    std::optional<Turn> turn_by_jobs(DispatchRow& row, TimePoint now);
    bool arrived(DispatchRow& row, TimePoint now);
    ports::Silence fall_silent(DispatchRow& row, const ports::SweepQuery& query);
    domain::Job end_unheard(domain::Job running, const ports::SweepQuery& query);
    bool is_lane_busy(const std::string& sink, const std::string& lane) const;
    void next_of_lane(const std::string& sink, const std::string& lane, TimePoint now);
    void void_letter_leases(TimePoint now);
    bool advance_schedule(const ports::ScheduleMark& mark);

    void raise_look(const domain::Subject& subject, TimePoint now);
    /// Something happened to it.
    void look_at(
        const domain::Dispatch& dispatch, TimePoint now, domain::Level reported = domain::Level::l1
    );
    bool is_open(const domain::Subject& subject) const;
    bool was_dispatched_for(const RepoName& downstream, const domain::Subject& subject) const;
    bool want(const ports::Posting& posting, TimePoint now);
    bool order(const domain::NewRerun& rerun, const DeliveryId& delivery, TimePoint now);
    void void_check_leases(TimePoint now);
    void leave_checks_behind(TimePoint now);

    bool bring_to_rest(DispatchRow& row, const Rest& rest);
    void rest_as_marked(DispatchRow& row, TimePoint now);
    static void lose_attempt(DispatchRow& row);
    void write_line(
        TimePoint at,
        std::string_view kind,
        const DeliveryId& delivery,
        std::optional<DispatchId> dispatch,
        std::string detail
    );

    /// Every change of a dispatch goes through here, so that agenda and row agree.
    template <class Change> void change(DispatchRow& row, Change change) {
        leave(row);
        change(row);
        enter(row);
    }

    void enter(const DispatchRow& row);
    void leave(const DispatchRow& row);

    std::map<std::int64_t, DeliveryRow> deliveries_;
    std::map<DeliveryId, std::int64_t> sequences_;
    std::set<std::int64_t> to_plan_;
    std::map<DispatchId, DispatchRow> dispatches_;
    std::map<std::int64_t, std::map<std::pair<RepoName, int>, DispatchId>> by_delivery_;
    Agenda pending_;              // by due time
    Agenda sent_;                 // by the time it was sent
    std::set<DispatchId> leased_; // pending and under a lease, live or not
    std::map<std::pair<RepoName, PrNumber>, domain::PullRequest> pull_requests_;
    std::set<When> awaiting_; // sent, a start is awaited; by the time it was sent
    std::int64_t last_dispatch_{0};
    std::map<JobId, JobRow> jobs_;
    std::int64_t last_job_{0};
    std::vector<domain::Job> counted_; // pruned ones that count: roll-ups go on counting them
    std::vector<DispatchRow> counted_silent_; // the same of dispatches that fell silent
    std::optional<TimePoint> results_until_;
    std::map<std::pair<DispatchId, domain::JobKey>, JobId> jobs_of_dispatch_;
    std::map<CommitKey, JobId> jobs_of_commit_;
    std::set<std::pair<TimePoint, JobId>> running_; // by the time they started
    std::map<std::pair<DispatchId, std::string>, Claim> claims_;
    std::map<LatestKey, JobId> latest_;
    std::map<std::int64_t, LetterRow> letters_;
    std::int64_t last_letter_{0};
    std::vector<domain::Notification> notifications_; // their ids count from 1
    std::set<std::string> receivers_;
    std::map<std::pair<RepoName, RepoName>, ports::Concern> concerns_; // upstream, downstream
    std::map<std::pair<RepoName, RepoName>, ports::ScheduleMark> schedules_;
    std::map<domain::Subject, LookRow> looks_;
    std::map<std::int64_t, PostingRow> postings_;
    std::map<std::tuple<domain::Subject, ports::PostingKind, std::string>, std::int64_t>
        posting_ids_;
    std::map<std::int64_t, RerunRow> reruns_;
    std::set<std::string> rerun_keys_;
    std::map<std::pair<RepoName, RepoName>, domain::GateSuspension>
        gate_suspensions_; // upstream, downstream
    std::vector<ports::LedgerLine> ledger_;
    std::vector<ports::AllowlistVersion> allowlists_;
    std::vector<ports::SigningKey> keys_;
    std::map<DeliveryId, domain::SentHook> hooks_;
    std::optional<domain::Walk> walk_;
    std::set<TimePoint> accounted_days_;
    std::map<std::pair<RepoName, RepoName>, domain::Suspension>
        suspensions_; // downstream, upstream
    std::map<RepoName, ports::Pin> pins_;
    std::optional<TimePoint> shadow_since_; // none: live
};

} // namespace baton::store::memory
