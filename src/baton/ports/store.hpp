#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/retry.hpp"
#include "baton/domain/run.hpp"
#include "baton/domain/share.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/delivery.hpp"
#include "baton/ports/operating.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/retention.hpp"

#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace baton::ports {

struct PullRequestQuery {
    RepoName upstream;
    PrNumber number{};
};

/// A plan with the delivery that caused it. `again_at` set: some of it is undecided, plan again
/// then.
struct PlanCommit {
    DeliveryId delivery;
    RepoName upstream;
    domain::Plan plan;
    TimePoint now{};
    std::optional<TimePoint> again_at;
};

struct PlanReceipt {
    std::size_t created{0}; // dispatches that did not exist yet
    std::size_t superseded{0};
    std::size_t cancelled{0};
};

/// What is due, by downstream, and when something will be due next.
struct DueView {
    std::vector<domain::Waiting> waiting; // in_flight, limits and holds are for the caller to fill
    std::optional<TimePoint> next_due;    // the earliest due time after now
};

struct DueQuery {
    TimePoint now{};
    Millis running_for{}; // a sent dispatch older than this no longer counts as running
    std::map<RepoName, Millis> running_for_of; // downstreams with a time of their own
};

inline Millis running_for_of(const DueQuery& query, const RepoName& downstream) {
    const auto own = query.running_for_of.find(downstream);
    return own == query.running_for_of.end() ? query.running_for : own->second;
}

/// The right to work on one dispatch until a time. Made by stores only.
struct Lease {
    DispatchId dispatch{};
    Fence fence{};
    TimePoint until{};
};

struct LeasedDispatch {
    domain::Dispatch dispatch; // `attempts` counts the attempt that this lease records
    Lease lease;
};

struct LeaseQuery {
    InstanceId holder;
    std::vector<domain::Share> shares;
    std::vector<DispatchId>
        under_way; // the holder's own: never taken twice, whatever the clock says of their leases
    TimePoint now{};
    TimePoint until{};
};

/// Whether the one who asks still works on it.
inline bool is_under_way(const LeaseQuery& query, DispatchId id) {
    return std::ranges::find(query.under_way, id) != query.under_way.end();
}

/// The end of the attempt that a lease recorded.
struct Settlement {
    Lease lease;
    domain::Answer answer;
    domain::Verdict verdict;
    TimePoint now{};
};

/// One try at sending, as the ledger keeps it. Without `ended_at` its outcome was never written
/// down.
struct Attempt {
    int number{0};
    TimePoint started_at{};
    std::optional<TimePoint> ended_at;
    std::optional<domain::Outcome> outcome;
    int status{0};
    std::string detail;
};

/// One line of the append-only record.
struct LedgerLine {
    std::int64_t sequence{0};
    TimePoint at{};
    std::string kind; // "planned", "superseded", "redelivered", "allowlist_in_force", ...
    std::string delivery;
    std::optional<DispatchId> dispatch;
    std::string detail;
};

struct DispatchHistory {
    domain::Dispatch dispatch;
    std::vector<Attempt> attempts;
    std::vector<domain::Job> jobs; // in the order they were first heard of
};

struct DeliveryHistory {
    Delivery delivery;
    bool body_kept{true};    // false: its payload is past retention
    bool results_kept{true}; // false: so are its dispatches, should it have had any
    std::vector<DispatchHistory> dispatches;
    std::vector<LedgerLine> ledger;
};

/// Newest first; `before` is the sequence number of the last row of the page before.
struct DeliveryPageQuery {
    std::optional<std::int64_t> before;
    std::size_t limit{50};
    std::string event; // empty: any
    std::optional<PrNumber> pr;
    std::optional<domain::DispatchState>
        with_state; // has a dispatch whose newest generation is in this state
};

/// Which dispatches at rest to send once more as a new generation. Empty fields match everything.
struct RedeliverQuery {
    DeliveryId delivery;
    std::optional<RepoName> downstream;
    std::vector<domain::DispatchState> states{
        domain::DispatchState::dead, domain::DispatchState::failed
    };
    TimePoint now{};
    std::string actor; // who asked; for the ledger
    std::size_t limit{1000};
};

/// A version of an upstream's allowlist that came into force.
struct AllowlistVersion {
    RepoName upstream;
    std::string source;
    std::string mark;
    std::string text;
    TimePoint in_force_at{};
};

/// A key that signs callback tokens. Made at first start, rotated; old ones go on verifying.
struct SigningKey {
    std::int64_t id{0};
    std::string secret; // 32 random bytes
    TimePoint created_at{};
};

/// For metrics and the one-screen summary.
struct Counts {
    std::size_t deliveries{0};
    std::size_t to_plan{0};
    std::vector<std::pair<domain::DispatchState, std::size_t>> dispatches;
    std::size_t unknown_outcomes{0};         // attempts whose effect GitHub's API cannot tell us
    std::optional<TimePoint> oldest_pending; // when the oldest pending dispatch was created
};

/// What was found of another process's work at start.
struct Adoption {
    std::size_t voided_leases{0}; // dispatches to be sent again: perhaps for the second time
};

/// The relay's memory. Each verb is one transaction: done and durable when it returns a value,
/// without any effect when it returns an error. `unavailable` means: cannot commit now; try again
/// (should the relay die first, the next may find it done after all, as a whole). Any thread calls.
class Store {
public:
    template <class T> using Awaitable = boost::asio::awaitable<Result<T>>;

    Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    virtual ~Store() = default;

    // --- intake
    /// True when it is new; false when a delivery with this id is there already: then nothing
    /// changes.
    virtual Awaitable<bool> insert_delivery(NewDelivery delivery) = 0;

    // --- planning
    /// Oldest first, those due by `now` only.
    virtual Awaitable<std::vector<DeliveryToPlan>>
    deliveries_to_plan(TimePoint now, std::size_t limit) = 0;
    virtual Awaitable<std::optional<domain::PullRequest>> pull_request(PullRequestQuery query) = 0;
    /// Writes dispatches (existing keys are left alone), the pull request, superseding, cancelling
    /// and the ledger line. `conflict` when the pull request's version moved on: read it again and
    /// plan anew. A dispatch that is leased is only marked: should its attempt want a retry, it
    /// comes to rest instead. A delivery that is planned stays so, and leaves a line only when
    /// something came of it.
    virtual Awaitable<PlanReceipt> commit_plan(PlanCommit commit) = 0;

    // --- dispatching; what a suspension in force holds is neither due nor leased
    virtual Awaitable<DueView> due(DueQuery query) = 0;
    /// Leases what is due and records the beginning of an attempt for each.
    virtual Awaitable<std::vector<LeasedDispatch>> lease(LeaseQuery query) = 0;
    /// Ends the attempt and moves the dispatch on. `conflict` when the lease is no longer ours:
    /// then nothing changes. Returns the state it came to: superseded or cancelled instead of
    /// pending when it had been marked.
    virtual Awaitable<domain::DispatchState> settle(Settlement settlement) = 0;
    virtual Awaitable<std::string> body_of(DeliveryId id) = 0; // not_found
    /// Pending dispatches of a downstream that nobody lists any more come to rest as cancelled.
    virtual Awaitable<std::size_t>
    cancel_pending(RepoName upstream, RepoName downstream, std::string reason, TimePoint now) = 0;
    /// Called once by a starting relay that is alone on this store: leases of dead processes are
    /// void at once.
    virtual Awaitable<Adoption> adopt(InstanceId instance, TimePoint now) = 0;

    // --- results
    /// Of one delivery to one downstream, the newest generation first.
    virtual Awaitable<std::vector<domain::Dispatch>>
    dispatches_to(DeliveryId delivery, RepoName downstream) = 0;
    /// Weighs the report against what is known (domain::weigh) and writes what follows: the job,
    /// its detail, the claim, the dispatch's state, roll-ups and letters. Only a recorded report
    /// changes anything. A dispatch that was still thought pending has arrived, it turns out.
    virtual Awaitable<ReportReceipt> record_report(ReportCommit commit) = 0;
    /// The pin in force: this one when there was none.
    virtual Awaitable<Pin> pin_first(Pin pin) = 0;
    /// Turns what is overdue into results, once: dispatches at level 2 and above that were sent and
    /// never started (not those that only tell of a closing), jobs that never ended.
    virtual Awaitable<Swept> sweep(SweepQuery query) = 0;
    /// Self-reports whose commit GitHub could not vouch for yet; the oldest first.
    virtual Awaitable<std::vector<domain::Job>> unverified_jobs(std::size_t limit) = 0;
    virtual Awaitable<void> settle_commit(JobId job, domain::CommitCheck check, TimePoint now) = 0;
    virtual Awaitable<domain::ReportDetail> report_detail(JobId job) = 0; // not_found
    /// The newest attempt of each job of a pull request, at its newest commit that has one.
    virtual Awaitable<std::vector<domain::Job>> latest_jobs(PullRequestQuery query) = 0;
    virtual Awaitable<std::vector<JobTally>> job_tallies(TallyQuery query) = 0;
    virtual Awaitable<ResultCounts> result_counts() = 0;

    // --- the outbox
    /// Leases what is due, of each lane the oldest only, and counts the attempt.
    virtual Awaitable<std::vector<TakenLetter>> take_letters(LetterQuery query) = 0;
    /// `conflict` when the lease is no longer ours: then nothing changes.
    virtual Awaitable<void> end_letter(LetterEnd end) = 0;
    virtual Awaitable<std::vector<DeadLetter>> dead_letters(std::size_t limit) = 0; // newest first
    /// Dead letters of a sink are tried again from now on; how many. Empty: of every sink.
    virtual Awaitable<std::size_t>
    revive_letters(std::string sink, std::string actor, TimePoint now) = 0;

    // --- checks: what stands on the upstream's pull requests. Planning (`plan.looks`) puts a
    // subject on the list of looks, and so does whatever changes a dispatch of level 3 and above
    // that is for a pull request (a report, silence, an end, a new generation), in its own
    // transaction.
    /// Due by `now`, the longest due first.
    virtual Awaitable<std::vector<Look>> looks(TimePoint now, std::size_t limit) = 0;
    virtual Awaitable<std::vector<domain::Run>> runs(RunsQuery query) = 0;
    /// Of exactly this subject, here and in the next; the oldest first.
    virtual Awaitable<std::vector<KeptPosting>> postings_of(domain::Subject subject) = 0;
    virtual Awaitable<std::vector<domain::Rerun>> reruns_of(domain::Subject subject) = 0;
    /// Writes what should stand and the re-runs ordered; the look is over, or put off. Nothing at
    /// all when its version moved on meanwhile: then it stays due.
    virtual Awaitable<PostingReceipt> commit_postings(PostingCommit commit) = 0;
    /// Leases what is out of step and due, and counts the attempt. Gates go first, then what is due
    /// longest.
    virtual Awaitable<std::vector<TakenPosting>> take_postings(PostingQuery query) = 0;
    /// `conflict` when the lease is no longer ours: then nothing changes.
    virtual Awaitable<void> end_posting(PostingEnd end) = 0;
    virtual Awaitable<std::size_t> look_again(LookAgain again) = 0; // how many
    virtual Awaitable<std::vector<TakenRerun>> take_reruns(RerunQuery query) = 0;
    /// `conflict` as above; `not_found` when there is nothing to dispatch afresh: nothing changes
    /// then either. Its subject is looked at again once it is over.
    virtual Awaitable<void> end_rerun(RerunEnd end) = 0;
    virtual Awaitable<std::vector<domain::GateSuspension>> gate_suspensions() = 0; // by name
    /// One of the same pairing is replaced; false when it says the same already, or is by hand and
    /// the new one is not. Ledger and look_again of its subjects are part of it, here and in the
    /// next.
    virtual Awaitable<bool> suspend_gate(domain::GateSuspension suspension) = 0;
    /// False when there was none, or it is by hand and `by_hand` is not said.
    virtual Awaitable<bool> resume_gate(GateResumption resumption) = 0;
    virtual Awaitable<CheckCounts> check_counts() = 0;

    // --- schedules: relay-owned nightlies
    virtual Awaitable<std::vector<ScheduleMark>> schedule_marks() = 0;
    /// Delivery, planned already, dispatch and mark at once. False when it is not later than the
    /// mark: then nothing changes.
    virtual Awaitable<bool> fire_schedule(ScheduledRun run) = 0;
    /// Moves the mark on and tells the ledger; false as above.
    virtual Awaitable<bool> miss_schedule(MissedRun run) = 0;

    // --- allowlists and keys
    virtual Awaitable<void> record_allowlist(AllowlistVersion version) = 0;
    virtual Awaitable<std::optional<AllowlistVersion>> last_allowlist(RepoName upstream) = 0;
    virtual Awaitable<std::vector<SigningKey>> signing_keys() = 0; // newest first
    virtual Awaitable<SigningKey> add_signing_key(std::string secret, TimePoint now) = 0;

    // --- recovery: what GitHub says it sent
    /// How far GitHub's log was looked through; nullopt: never.
    virtual Awaitable<std::optional<domain::Walk>> last_walk() = 0;
    /// Folds lines of GitHub's log into what is known of each webhook.
    virtual Awaitable<void> note_hooks(std::vector<domain::HookTry> tries) = 0;
    /// The log is looked through up to its line of `until`. Webhooks that are limits::kHooksKept
    /// older are forgotten.
    virtual Awaitable<void> end_walk(TimePoint until, TimePoint now) = 0;
    /// Webhooks that may concern us and are neither in the ledger nor answered as of no concern;
    /// those asked for least first, then the oldest.
    virtual Awaitable<std::vector<domain::SentHook>> hooks_astray(std::size_t limit) = 0;
    /// Counts one more request for redelivery, before it is made. False when it was asked for by
    /// somebody else since `asked` was read, or has arrived: then it is not to be made.
    virtual Awaitable<bool> note_asked(DeliveryId id, int asked, TimePoint now) = 0;
    /// The request that `note_asked` counted as number `asked` was not let out: it does not count.
    virtual Awaitable<void> note_not_asked(DeliveryId id, int asked, TimePoint now) = 0;
    virtual Awaitable<domain::Completeness> completeness(TimePoint from, TimePoint until) = 0;
    /// The account of a day goes into the ledger, once: false when it is there already.
    virtual Awaitable<bool> record_completeness(domain::Completeness day, TimePoint now) = 0;
    virtual Awaitable<std::vector<PrNumber>> open_pull_requests(RepoName upstream) = 0;

    // --- looking and acting by hand
    virtual Awaitable<std::vector<Delivery>> list_deliveries(DeliveryPageQuery query) = 0;
    virtual Awaitable<DeliveryHistory> delivery_history(DeliveryId id) = 0; // not_found
    /// `conflict` when the payload of the one delivery asked for is past retention; of all of them,
    /// those without a payload are left alone.
    virtual Awaitable<std::size_t> redeliver(RedeliverQuery query) = 0;
    virtual Awaitable<Counts> counts() = 0;

    // --- the operator's hand; every act leaves its line in the ledger
    virtual Awaitable<std::vector<domain::Suspension>> suspensions(TimePoint now) = 0; // in force
    /// From now on. One of the same downstream and upstream is replaced.
    virtual Awaitable<void> suspend(domain::Suspension suspension) = 0;
    /// How many were in force and are lifted.
    virtual Awaitable<std::size_t> resume(Resumption resumption) = 0;
    /// Delivery, planned already, and dispatch at once. `conflict` when the delivery is there.
    virtual Awaitable<void> insert_test(TestDispatch test) = 0;
    virtual Awaitable<std::optional<Pin>> pin_of(RepoName repo) = 0;
    /// The pin that was there before.
    virtual Awaitable<std::optional<Pin>> repin(Pin pin) = 0;
    /// Of every downstream that something was sent to, waits for, or failed at; by name.
    virtual Awaitable<std::vector<DownstreamFigures>> downstream_figures(TimePoint now) = 0;
    /// The version of each upstream's list that was in force then; by name.
    virtual Awaitable<std::vector<AllowlistVersion>> allowlists_at(TimePoint when) = 0;
    /// Called once by a starting relay, before `adopt`. A live one brings to rest what is left of a
    /// shadow's time, so that it is never sent. A shadow is refused (`conflict`) while work of a
    /// live relay is left: it would withhold it.
    virtual Awaitable<ModeChange> enter_mode(Mode mode, TimePoint now) = 0;

    // --- retention
    /// Removes bodies of deliveries that were received longer than `keep_for` ago. Kept beyond that
    /// are those still to plan or with a pending dispatch, and, while a pull request is open and
    /// for as long again after it was closed, its newest delivery and the one that a late label
    /// would send.
    virtual Awaitable<PruneStep> prune_bodies(PruneQuery query) = 0;
    /// Walks through jobs and removes the results of each commit at a downstream, with everything
    /// that hangs from them, when all of them ended longer than `keep_for` ago; how many jobs.
    /// Roll-ups do not change. Kept beyond that are those of a pull request's head while it is open
    /// and for as long again after it was closed, and those that a letter waits to tell of.
    virtual Awaitable<PruneStep> prune_results(PruneQuery query) = 0;
    /// Walks through dispatches and removes those at rest for longer than `keep_for` of which no
    /// result is kept, with their attempts and claims. Deliveries stay: one that comes again is
    /// known. Kept beyond that as above.
    virtual Awaitable<PruneStep> prune_dispatches(PruneQuery query) = 0;
    /// How much room one kind of thing takes. Not for requests: SQLite looks at every page of it.
    virtual Awaitable<std::size_t> bytes_of(StoredKind kind) = 0;
    /// What was measured, for whoever asks how large the store is.
    virtual Awaitable<void> keep_sizes(StoreSizes sizes) = 0;
};

} // namespace baton::ports
