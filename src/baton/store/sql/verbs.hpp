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
#include "baton/ports/store.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The verbs of ports::Store as plain functions over one connection: what they say is said there.
/// Writers run inside the writer's transaction, readers in one of their own. A failing statement
/// sticks to the connection and whoever called looks there first: the value returned means nothing
/// then.
namespace baton::store::sql::verbs {

// --- intake.cpp
/// False when it is known already. `packed` is the compressed body; `delivery.body` is not looked
/// at.
bool insert_delivery(
    Connection& db,
    const ports::NewDelivery& delivery,
    std::size_t body_bytes,
    std::string_view packed
);
/// The same in two steps, so that a batch of them costs two ways to the database and back.
Later send_delivery(Connection& db, const ports::NewDelivery& delivery, std::size_t body_bytes);
bool keep_body(
    Connection& db, const Later& sent, const ports::NewDelivery& delivery, std::string_view packed
);
Result<std::vector<ports::DeliveryToPlan>>
deliveries_to_plan(Connection& db, TimePoint now, std::size_t limit);
Result<std::string> body_of(Connection& db, const DeliveryId& id);
std::vector<ports::Delivery> list_deliveries(Connection& db, const ports::DeliveryPageQuery& query);

// --- planning.cpp
std::optional<domain::PullRequest>
pull_request(Connection& db, const ports::PullRequestQuery& query);
Result<ports::PlanReceipt> commit_plan(Connection& db, const ports::PlanCommit& commit);
std::size_t cancel_pending(
    Connection& db,
    const RepoName& upstream,
    const RepoName& downstream,
    const std::string& reason,
    TimePoint now
);

// --- dispatching.cpp
ports::DueView due(Connection& db, const ports::DueQuery& query);

// --- leasing.cpp
std::vector<ports::LeasedDispatch> lease(Connection& db, const ports::LeaseQuery& query);
Result<domain::DispatchState> settle(Connection& db, const ports::Settlement& settlement);
ports::Adoption adopt(Connection& db, const InstanceId& instance, TimePoint now);

// --- results.cpp
std::vector<domain::Dispatch>
dispatches_to(Connection& db, const DeliveryId& delivery, const RepoName& downstream);
/// `packed` holds the detail and the letters; those of `commit` are not looked at.
Result<ports::ReportReceipt>
record_report(Connection& db, const ports::ReportCommit& commit, const PackedReport& packed);

// --- sweeping.cpp
ports::Swept sweep(Connection& db, const ports::SweepQuery& query);

// --- attributing.cpp
/// Looks at failing cells whose time has come, a few of them: whose failure they are said to be.
void attribute_due(Connection& db, TimePoint now);

// --- showing.cpp
std::vector<domain::Job> unverified_jobs(Connection& db, std::size_t limit);
Result<void> settle_commit(Connection& db, JobId job, domain::CommitCheck check, TimePoint now);
Result<domain::ReportDetail> report_detail(Connection& db, JobId job);
std::vector<domain::Job> latest_jobs(Connection& db, const ports::PullRequestQuery& query);
std::vector<ports::JobTally> job_tallies(Connection& db, const ports::TallyQuery& query);
ports::ResultCounts result_counts(Connection& db);

// --- outbox.cpp
std::vector<ports::TakenLetter> take_letters(Connection& db, const ports::LetterQuery& query);
Result<void> end_letter(Connection& db, const ports::LetterEnd& end);
std::vector<ports::DeadLetter> dead_letters(Connection& db, std::size_t limit);
std::size_t
revive_letters(Connection& db, const std::string& sink, const std::string& actor, TimePoint now);
/// Letters that a dead process was about to send are due again.
void void_letter_leases(Connection& db, TimePoint now);

// --- looks.cpp
std::vector<ports::Look> looks(Connection& db, TimePoint now, std::size_t limit);
std::size_t look_again(Connection& db, const ports::LookAgain& again);
std::vector<domain::Run> runs(Connection& db, const ports::RunsQuery& query);

// --- postings.cpp
std::vector<ports::KeptPosting> postings_of(Connection& db, const domain::Subject& subject);
ports::PostingReceipt commit_postings(Connection& db, const ports::PostingCommit& commit);
std::vector<ports::TakenPosting> take_postings(Connection& db, const ports::PostingQuery& query);
Result<void> end_posting(Connection& db, const ports::PostingEnd& end);
ports::CheckCounts check_counts(Connection& db);

// --- reruns.cpp
std::vector<domain::Rerun> reruns_of(Connection& db, const domain::Subject& subject);
std::vector<ports::TakenRerun> take_reruns(Connection& db, const ports::RerunQuery& query);
Result<void> end_rerun(Connection& db, const ports::RerunEnd& end);

// --- gate.cpp
std::vector<domain::GateSuspension> gate_suspensions(Connection& db);
bool suspend_gate(Connection& db, const domain::GateSuspension& suspension);
bool resume_gate(Connection& db, const ports::GateResumption& resumption);

// --- schedules.cpp
std::vector<ports::ScheduleMark> schedule_marks(Connection& db);
Result<bool> fire_schedule(Connection& db, const ports::ScheduledRun& run);
bool miss_schedule(Connection& db, const ports::MissedRun& run);

// --- keeping.cpp
void record_allowlist(Connection& db, const ports::AllowlistVersion& version);
std::optional<ports::AllowlistVersion> last_allowlist(Connection& db, const RepoName& upstream);
std::vector<ports::SigningKey> signing_keys(Connection& db);
ports::SigningKey add_signing_key(Connection& db, const std::string& secret, TimePoint now);

// --- recovery.cpp
std::optional<domain::Walk> last_walk(Connection& db);
void note_hooks(Connection& db, const std::vector<domain::HookTry>& tries);
void end_walk(Connection& db, TimePoint until, TimePoint now);
std::vector<domain::SentHook> hooks_astray(Connection& db, std::size_t limit);
bool note_asked(Connection& db, const DeliveryId& id, int asked, TimePoint now);
void note_not_asked(Connection& db, const DeliveryId& id, int asked, TimePoint now);
domain::Completeness completeness(Connection& db, TimePoint from, TimePoint until);
bool record_completeness(Connection& db, const domain::Completeness& day, TimePoint now);
std::vector<PrNumber> open_pull_requests(Connection& db, const RepoName& upstream);

// --- history.cpp
Result<ports::DeliveryHistory> delivery_history(Connection& db, const DeliveryId& id);
Result<std::size_t> redeliver(Connection& db, const ports::RedeliverQuery& query);
ports::Counts counts(Connection& db);

// --- operating.cpp
std::vector<domain::Suspension> suspensions(Connection& db, TimePoint now);
void suspend(Connection& db, const domain::Suspension& suspension);
std::size_t resume(Connection& db, const ports::Resumption& resumption);
Result<void> insert_test(Connection& db, const ports::TestDispatch& test);
std::optional<ports::Pin> pin_of(Connection& db, const RepoName& repo);
ports::Pin pin_first(Connection& db, const ports::Pin& pin);
std::optional<ports::Pin> repin(Connection& db, const ports::Pin& pin);
Result<ports::ModeChange> enter_mode(Connection& db, ports::Mode mode, TimePoint now);

// --- retention.cpp
ports::PruneStep prune_bodies(Connection& db, const ports::PruneQuery& query);

// --- retention_results.cpp
ports::PruneStep prune_results(Connection& db, const ports::PruneQuery& query);
ports::PruneStep prune_dispatches(Connection& db, const ports::PruneQuery& query);
/// Of what ended before, results may be pruned; none: nothing ever was.
std::optional<TimePoint> results_until(Connection& db);

// --- sizes.cpp
std::size_t bytes_of(Connection& db, ports::StoredKind kind);
void keep_sizes(Connection& db, const ports::StoreSizes& sizes);
ports::StoreSizes kept_sizes(Connection& db);

// --- figures.cpp
std::vector<ports::DownstreamFigures> downstream_figures(Connection& db, TimePoint now);
std::vector<ports::AllowlistVersion> allowlists_at(Connection& db, TimePoint when);

} // namespace baton::store::sql::verbs
