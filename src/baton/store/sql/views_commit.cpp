#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/signature.hpp"
#include "baton/ports/failures.hpp"
#include "baton/store/sql/columns.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"
#include "baton/store/sql/views.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::sql::views {

namespace {

using domain::CellOutcome;

constexpr auto kLookBack = std::chrono::days{14};
constexpr auto kEarly = std::chrono::minutes{2}; // a job that fails so soon has not tested much
constexpr std::size_t kTrunkRows = 20;           // commits of each kind looked at
constexpr std::size_t kRecentRows = 30;          // pull requests' commits looked at
constexpr std::size_t kPullRows = 1'000;
constexpr std::size_t kPullsMax = 200; // counted

constexpr Query kRows{
    "view_commit_rows",
    "SELECT id, downstream, pr_number FROM grid_row WHERE upstream = ?1 AND head_sha = ?2 AND "
    "event_type = ?3 ORDER BY downstream"
};
constexpr Query kCells{
    "view_commit_cells",
    "SELECT id, workflow, job_name, outcome, ended_at_ms FROM cell WHERE grid_row = ?1 "
    "ORDER BY workflow, job_name"
};
constexpr Query kJobs{
    "view_cell_jobs",
    "SELECT " BATON_JOB_COLUMNS
    " FROM cell_job AS m CROSS JOIN job AS j ON j.id = m.job WHERE m.cell = ?1 "
    "ORDER BY m.dispatch, m.attempt, m.job"
};
constexpr Query kTests{
    "view_job_clusters", "SELECT place, cluster FROM failed_test WHERE job = ?1 ORDER BY place"
};
constexpr Query kNewestRows{
    "view_newest_rows",
    "SELECT id, head_sha, pr_number FROM grid_row INDEXED BY grid_row_newest WHERE upstream = ?1 "
    "AND downstream = ?2 AND event_type = ?3 ORDER BY id DESC LIMIT ?4"
};
constexpr Query kCellNamed{
    "view_cell_named",
    "SELECT outcome, ended_at_ms, newest_job FROM cell WHERE grid_row = ?1 AND workflow = ?2 AND "
    "job_name = ?3"
};
constexpr Query kSeenAt{
    "view_cluster_on_trunk",
    "SELECT downstream, trunk_at_ms FROM cluster_downstream WHERE cluster = ?1 ORDER BY "
    "downstream"
};
constexpr Query kSeenOn{
    "view_cluster_on_pulls",
    "SELECT pr_number, downstream, last_at_ms FROM cluster_pull WHERE cluster = ?1 ORDER BY "
    "pr_number DESC, downstream DESC LIMIT ?2"
};
constexpr Query kSendings{"view_sendings", "SELECT attempts FROM dispatch WHERE id = ?1"};

CellOutcome outcome_in(const Rows& row, int column) {
    return domain::cell_outcome_named(row.view(column)).value_or(CellOutcome::running);
}

/// A row of a downstream's grid, as far as it is looked at.
struct OtherRow {
    std::int64_t id{0};
    HeadSha head;
    std::string_view event_type;
    std::optional<std::int64_t> pr;
};

struct OneCell {
    ports::CommitCell told;
    std::optional<TimePoint> ended_at;
    std::vector<domain::Job> jobs; // oldest first; only of one that failed or is flaky
};

struct DownstreamRow {
    std::int64_t id{0};
    RepoName downstream;
    std::optional<std::int64_t> pr;
    std::vector<OneCell> cells;
    std::vector<OtherRow> trunk;  // newest first, of each kind
    std::vector<OtherRow> recent; // other pull requests, newest first, each once
};

/// All cells of one commit, with what is known around those that fail.
class CommitReader {
public:
    CommitReader(Connection& db, const ports::CommitQuery& query)
        : db_(db)
        , query_(query) {
        for (const auto& pairing : query.among) {
            if (pairing.upstream == query.upstream) {
                seen_.insert(pairing.downstream);
            }
        }
    }

    std::vector<ports::CommitCell> read() {
        auto rows = read_rows();
        for (auto& row : rows) {
            read_cells(row);
        }
        std::vector<ports::CommitCell> found;
        for (auto& row : rows) {
            tell_trunk(row);
            tell_failures(row);
            for (auto& cell : row.cells) {
                found.push_back(std::move(cell.told));
            }
        }
        return found;
    }

private:
    std::vector<DownstreamRow> read_rows() {
        std::vector<DownstreamRow> found;
        auto rows = db_.rows(kRows, query_.upstream.text(), query_.head.text(), query_.event_type);
        while (rows.next()) {
            auto repo = repo_name(rows.view(1));
            if (seen_.contains(repo)) {
                found.push_back({
                    .id = rows.integer(0),
                    .downstream = std::move(repo),
                    .pr = rows.maybe_integer(2),
                });
            }
        }
        return found;
    }

    void read_cells(DownstreamRow& row) {
        {
            auto rows = db_.rows(kCells, row.id);
            while (rows.next()) {
                row.cells.push_back({
                    .told =
                        {.downstream = row.downstream,
                         .workflow = rows.text(1),
                         .job = rows.text(2),
                         .cell = rows.integer(0),
                         .outcome = outcome_in(rows, 3)},
                    .ended_at = rows.maybe_time(4),
                });
            }
        }
        for (auto& cell : row.cells) {
            if (domain::fails(cell.told.outcome) || cell.told.outcome == CellOutcome::flaky) {
                cell.jobs = job_rows(db_.rows(kJobs, cell.told.cell));
                read_tests(cell);
            }
        }
    }

    void read_tests(OneCell& cell) {
        for (const auto& job : cell.jobs) {
            auto rows = db_.rows(kTests, job.id);
            while (rows.next()) {
                const domain::ClusterId cluster{rows.integer(1)};
                cell.told.tests.push_back({
                    .job = job.id,
                    .place = static_cast<std::size_t>(rows.integer(0)),
                    .cluster = cluster,
                });
                on_commit_[cluster].insert(cell.told.downstream);
            }
        }
    }

    // --- the same job elsewhere

    std::vector<OtherRow>
    newest_rows(const RepoName& downstream, std::string_view event_type, std::size_t limit) {
        std::vector<OtherRow> found;
        auto rows =
            db_.rows(kNewestRows, query_.upstream.text(), downstream.text(), event_type, limit);
        while (rows.next()) {
            found.push_back({
                .id = rows.integer(0),
                .head = HeadSha(rows.text(1)),
                .event_type = event_type,
                .pr = rows.maybe_integer(2),
            });
        }
        return found;
    }

    /// The newest that tells something and ended before this one did.
    std::optional<ports::TrunkCell>
    trunk_of(const std::vector<OtherRow>& trunk, const OneCell& cell) {
        std::optional<ports::TrunkCell> best;
        std::set<std::string_view> found; // kinds: only the newest of each is of interest
        for (const auto& row : trunk) {
            if (found.contains(row.event_type)) {
                continue;
            }
            auto rows = db_.rows(kCellNamed, row.id, cell.told.workflow, cell.told.job);
            const auto at = rows.next() ? rows.maybe_time(1) : std::nullopt;
            if (!at || !domain::is_conclusive(outcome_in(rows, 0)) || *at >= *cell.ended_at ||
                *at < *cell.ended_at - kLookBack) {
                continue;
            }
            found.insert(row.event_type);
            if (!best || *at > best->at) {
                best = ports::TrunkCell{
                    .head = row.head,
                    .event_type = std::string(row.event_type),
                    .at = *at,
                    .outcome = outcome_in(rows, 0),
                    .job = JobId{rows.integer(2)},
                };
            }
        }
        return best;
    }

    void tell_trunk(DownstreamRow& row) {
        for (const std::string_view kind : {"push", "nightly", "periodic"}) {
            for (auto& other : newest_rows(row.downstream, kind, kTrunkRows)) {
                if (other.id != row.id) {
                    row.trunk.push_back(std::move(other));
                }
            }
        }
        for (auto& cell : row.cells) {
            if (cell.ended_at && domain::is_conclusive(cell.told.outcome)) {
                cell.told.trunk = trunk_of(row.trunk, cell);
            }
        }
    }

    void read_recent(DownstreamRow& row) {
        std::set<std::int64_t> known{row.pr.value_or(0)};
        for (auto& other : newest_rows(row.downstream, "pull_request", kRecentRows)) {
            if (other.pr && known.insert(*other.pr).second) {
                row.recent.push_back(std::move(other));
            }
        }
    }

    void tell_recent(const DownstreamRow& row, const OneCell& cell, domain::FailureFacts& facts) {
        for (const auto& other : row.recent) {
            auto rows = db_.rows(kCellNamed, other.id, cell.told.workflow, cell.told.job);
            if (rows.next() && domain::is_conclusive(outcome_in(rows, 0))) {
                ++facts.recent;
                facts.recent_failed += domain::fails(outcome_in(rows, 0)) ? 1 : 0;
            }
        }
    }

    // --- the same failure elsewhere

    domain::SeenSignature
    seen_of(domain::ClusterId cluster, const DownstreamRow& row, TimePoint at) {
        domain::SeenSignature seen{.cluster = cluster, .on_commit = on_commit_[cluster]};
        const auto since = at - kLookBack;
        {
            auto rows = db_.rows(kSeenAt, cluster);
            while (rows.next()) {
                const auto when = rows.maybe_time(1);
                const auto repo = repo_name(rows.view(0));
                if (when && *when >= since && seen_.contains(repo) && row.pr) {
                    seen.on_trunk.insert(repo);
                }
            }
        }
        std::optional<std::int64_t> last;
        auto rows = db_.rows(kSeenOn, cluster, kPullRows);
        while (seen.other_pulls < kPullsMax && rows.next()) {
            const auto number = rows.integer(0);
            const auto repo = repo_name(rows.view(1));
            if (number == row.pr || rows.time(2) < since || !seen_.contains(repo)) {
                continue;
            }
            seen.on_pulls.insert(repo);
            seen.other_pulls += number == last ? 0 : 1;
            last = number;
        }
        return seen;
    }

    // --- the cells that fail

    bool died_early(const OneCell& cell) const {
        if (!domain::fails(cell.told.outcome) || !cell.told.tests.empty() ||
            cell.jobs.back().tests) {
            return false;
        }
        const auto took = domain::execution_of(cell.jobs.back());
        return took && *took < kEarly;
    }

    std::optional<domain::Triage> triage_of(const OneCell& cell) {
        for (auto job = cell.jobs.rbegin(); job != cell.jobs.rend(); ++job) {
            if (has_failed(*job)) {
                const auto detail = verbs::report_detail(db_, job->id);
                return detail ? triage_from(detail->triage_verdict) : std::nullopt;
            }
        }
        return std::nullopt;
    }

    int sendings_of(const domain::Job& job) {
        if (!job.subject.dispatch) {
            return 1;
        }
        auto rows = db_.rows(kSendings, *job.subject.dispatch);
        return rows.next() ? static_cast<int>(rows.integer(0)) : 1;
    }

    domain::FailureFacts facts_of(const DownstreamRow& row, const OneCell& cell) {
        const auto& newest = cell.jobs.back();
        domain::FailureFacts facts;
        facts.downstream = row.downstream;
        facts.outcome = cell.told.outcome;
        facts.tests_told = std::ranges::any_of(cell.jobs, [](const domain::Job& job) {
            return job.tests.has_value();
        });
        facts.relay_said = newest.said_by == domain::SaidBy::relay;
        facts.on_trunk = cell.told.trunk ? std::optional(cell.told.trunk->outcome) : std::nullopt;
        facts.sendings = sendings_of(newest);
        facts.skewed = domain::is_skewed(newest);
        facts.triage = triage_of(cell);
        std::set<domain::ClusterId> clusters;
        for (const auto& test : cell.told.tests) {
            clusters.insert(test.cluster);
        }
        for (const auto cluster : clusters) {
            facts.signatures.push_back(seen_of(cluster, row, cell.ended_at.value_or(TimePoint{})));
        }
        tell_recent(row, cell, facts);
        return facts;
    }

    void tell_failures(DownstreamRow& row) {
        const auto fails = [](const OneCell& cell) { return !cell.jobs.empty(); };
        if (std::ranges::none_of(row.cells, fails)) {
            return;
        }
        read_recent(row);
        std::size_t early = 0;
        for (const auto& cell : row.cells) {
            early += fails(cell) && died_early(cell) ? 1 : 0;
        }
        for (auto& cell : row.cells) {
            if (fails(cell)) {
                cell.told.facts = facts_of(row, cell);
                cell.told.facts->died_early = early;
            }
        }
    }

    Connection& db_;
    const ports::CommitQuery& query_;
    std::set<RepoName> seen_;
    std::map<domain::ClusterId, std::set<RepoName>> on_commit_;
};

} // namespace

std::vector<ports::CommitCell> commit_cells(Connection& db, const ports::CommitQuery& query) {
    return CommitReader(db, query).read();
}

} // namespace baton::store::sql::views
