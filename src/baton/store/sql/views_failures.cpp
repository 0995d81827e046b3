#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/signature.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/failures.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/views.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::store::sql::views {

namespace {

constexpr auto kForever = std::numeric_limits<std::int64_t>::max();

constexpr Query kOfCluster{
    "view_failures_of_cluster",
    "SELECT t.id, t.job, t.downstream, t.pr_number, j.head_sha, j.event_type, t.at_ms, t.test, "
    "t.message FROM failed_test AS t INDEXED BY failed_test_of_cluster CROSS JOIN job AS j "
    "ON j.id = t.job WHERE t.cluster = ?2 AND t.downstream = ?3 AND "
    "(t.at_ms, t.id) < (?4, ?5) AND t.upstream = ?1 ORDER BY t.at_ms DESC, t.id DESC LIMIT ?6"
};
constexpr Query kNamed{
    "view_failures_named",
    "SELECT t.id, t.job, t.downstream, t.pr_number, j.head_sha, j.event_type, t.at_ms, t.test, "
    "t.message FROM failed_test AS t INDEXED BY failed_test_named CROSS JOIN job AS j "
    "ON j.id = t.job WHERE t.upstream = ?1 AND t.test = ?2 AND t.downstream = ?3 AND "
    "(t.at_ms, t.id) < (?4, ?5) ORDER BY t.at_ms DESC, t.id DESC LIMIT ?6"
};
constexpr Query kTest{
    "view_test",
    "SELECT cluster, failures, first_at_ms, last_at_ms FROM cluster_test INDEXED BY "
    "cluster_test_named WHERE upstream = ?1 AND test = ?2 AND downstream = ?3 ORDER BY cluster"
};
constexpr Query kFlakyNames{
    "view_flaky_names",
    "SELECT workflow, job_name FROM job_day INDEXED BY job_day_flaky WHERE upstream = ?1 AND "
    "downstream = ?2 AND day_ms >= ?3 AND day_ms < ?4 AND flaky > 0 ORDER BY day_ms, workflow, "
    "job_name"
};
constexpr Query kFlakyCells{
    "view_flaky_cells",
    "SELECT g.pr_number, g.head_sha, g.event_type, c.ended_at_ms, c.newest_job "
    "FROM flaky_cell AS f CROSS JOIN cell AS c ON c.id = f.cell "
    "CROSS JOIN grid_row AS g ON g.id = c.grid_row WHERE f.upstream = ?1 AND f.downstream = ?2 AND "
    "f.workflow = ?3 AND f.job_name = ?4 ORDER BY f.cell DESC LIMIT ?5"
};

void add_occurrences(Rows rows, std::vector<ports::Occurrence>& found) {
    while (rows.next()) {
        found.push_back({
            .id = rows.integer(0),
            .job = JobId{rows.integer(1)},
            .downstream = repo_name(rows.view(2)),
            .pr = pr_in(rows, 3),
            .head = HeadSha(rows.text(4)),
            .event_type = rows.text(5),
            .at = rows.time(6),
            .test = rows.text(7),
            .message = rows.text(8),
        });
    }
}

ports::FlakyView flaky_of(
    Connection& db,
    const domain::Pairing& at,
    const std::pair<std::string, std::string>& name,
    const ports::ViewWindow& window
) {
    ports::FlakyView view{.at = at, .workflow = name.first, .job = name.second};
    const ports::JobQuery about{
        .upstream = at.upstream,
        .downstream = at.downstream,
        .workflow = name.first,
        .job = name.second
    };
    for (const auto& day : job_days(db, about, window)) {
        view.flaky += day.ended.cells.flaky;
        view.passed += day.ended.cells.flaky + day.ended.cells.success;
    }
    return view;
}

} // namespace

std::vector<ports::Occurrence> occurrences(Connection& db, const ports::OccurrenceQuery& query) {
    const auto at = query.before ? to_ms(query.before->at) : kForever;
    const auto id = query.before ? query.before->id : kForever;
    std::vector<ports::Occurrence> found;
    for (const auto& [upstream, downstream] : query.among) {
        if (query.cluster) {
            add_occurrences(
                db.rows(
                    kOfCluster,
                    upstream.text(),
                    *query.cluster,
                    downstream.text(),
                    at,
                    id,
                    query.limit
                ),
                found
            );
        } else {
            add_occurrences(
                db.rows(
                    kNamed, upstream.text(), query.test, downstream.text(), at, id, query.limit
                ),
                found
            );
        }
    }
    std::ranges::sort(found, std::greater<>(), [](const ports::Occurrence& one) {
        return std::tuple(one.at, one.id);
    });
    found.resize(std::min(found.size(), query.limit));
    return found;
}

std::vector<ports::TestView>
test_history(Connection& db, const std::string& test, const ports::Pairings& among) {
    std::vector<ports::TestView> found;
    for (const auto& pairing : among) {
        ports::TestView view{.at = pairing};
        auto rows = db.rows(kTest, pairing.upstream.text(), test, pairing.downstream.text());
        while (rows.next()) {
            const auto first = rows.time(2);
            view.first_seen = view.failures == 0 ? first : std::min(view.first_seen, first);
            view.last_seen = std::max(view.last_seen, rows.time(3));
            view.failures += count_in(rows, 1);
            view.clusters.push_back(domain::ClusterId{rows.integer(0)});
        }
        if (view.failures > 0) {
            found.push_back(std::move(view));
        }
    }
    return found;
}

std::vector<ports::FlakyView>
flaky(Connection& db, const ports::Pairings& among, const ports::ViewWindow& window) {
    std::vector<ports::FlakyView> found;
    for (const auto& pairing : among) {
        std::set<std::pair<std::string, std::string>> names;
        {
            auto rows = db.rows(
                kFlakyNames,
                pairing.upstream.text(),
                pairing.downstream.text(),
                window.from,
                window.until
            );
            while (rows.next()) {
                names.emplace(rows.text(0), rows.text(1));
            }
        }
        for (const auto& name : names) {
            found.push_back(flaky_of(db, pairing, name, window));
        }
    }
    return found;
}

std::vector<ports::FlakyExample>
flaky_examples(Connection& db, const ports::FlakyView& of, std::size_t limit) {
    std::vector<ports::FlakyExample> found;
    auto rows = db.rows(
        kFlakyCells, of.at.upstream.text(), of.at.downstream.text(), of.workflow, of.job, limit
    );
    while (rows.next()) {
        found.push_back({
            .pr = pr_in(rows, 0),
            .head = HeadSha(rows.text(1)),
            .event_type = rows.text(2),
            .at = rows.time(3),
            .job = JobId{rows.integer(4)},
        });
    }
    return found;
}

} // namespace baton::store::sql::views
