#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sql::views {

namespace {

constexpr Query kSuites{
    "view_suites",
    "SELECT DISTINCT suite FROM benchmark WHERE upstream = ?1 AND downstream = ?2 ORDER BY suite"
};
constexpr Query kBenchmarks{
    "view_benchmarks",
    "SELECT id, suite, name, unit FROM benchmark WHERE upstream = ?1 AND downstream = ?2 AND "
    "last_at_ms >= ?3 ORDER BY suite, name, unit LIMIT ?4"
};
constexpr Query kBenchmarksOfSuite{
    "view_benchmarks_of_suite",
    "SELECT id, suite, name, unit FROM benchmark WHERE upstream = ?1 AND downstream = ?2 AND "
    "suite = ?5 AND last_at_ms >= ?3 ORDER BY name, unit LIMIT ?4"
};
// In another unit it is another one: the one that was told last.
constexpr Query kBenchmark{
    "view_benchmark",
    "SELECT id, suite, name, unit FROM benchmark WHERE upstream = ?1 AND downstream = ?2 AND "
    "suite = ?3 AND name = ?4 AND last_at_ms = (SELECT max(last_at_ms) FROM benchmark WHERE "
    "upstream = ?1 AND downstream = ?2 AND suite = ?3 AND name = ?4) LIMIT 1"
};
constexpr Query kValues{
    "view_benchmark_values",
    "SELECT v.at_ms, v.value, v.job, j.head_sha, j.pr_number, j.event_type FROM benchmark_value "
    "AS v CROSS JOIN job AS j ON j.id = v.job WHERE v.benchmark = ?1 AND j.counts = 1 "
    "ORDER BY v.job DESC LIMIT ?2"
};

/// With as many of its newest values as `most`.
ports::BenchmarkSeries series_in(Connection& db, const Rows& row, std::size_t most) {
    ports::BenchmarkSeries series{
        .suite = row.text(1), .name = row.text(2), .unit = row.text(3), .points = {}
    };
    auto values = db.rows(kValues, row.integer(0), most);
    while (values.next()) {
        const auto pr = pr_in(values, 4);
        series.points.push_back({
            .at = values.time(0),
            .value = {.value = values.real(1), .of_pull_request = pr.has_value()},
            .job = JobId{values.integer(2)},
            .head = HeadSha(values.text(3)),
            .pr = pr,
            .event_type = values.text(5),
        });
    }
    std::ranges::reverse(series.points);
    return series;
}

std::vector<std::string> suites_of(Connection& db, const ports::BenchmarkQuery& query) {
    std::vector<std::string> suites;
    auto rows = db.rows(kSuites, query.upstream.text(), query.downstream.text());
    while (rows.next()) {
        suites.push_back(rows.text(0));
    }
    return suites;
}

} // namespace

ports::BenchmarkPage benchmarks(Connection& db, const ports::BenchmarkQuery& query) {
    ports::BenchmarkPage page{.suites = suites_of(db, query), .series = {}};
    const auto& upstream = query.upstream.text();
    const auto& downstream = query.downstream.text();
    const auto from = query.window.from;
    const auto most = ports::kBenchmarkLines + 1;
    auto rows = query.suite.empty()
                    ? db.rows(kBenchmarks, upstream, downstream, from, most)
                    : db.rows(kBenchmarksOfSuite, upstream, downstream, from, most, query.suite);
    while (rows.next()) {
        if (page.series.size() == ports::kBenchmarkLines) {
            page.more = true;
            break;
        }
        auto series = series_in(db, rows, ports::kBenchmarkLookBack);
        if (!series.points.empty()) {
            page.series.push_back(std::move(series));
        }
    }
    return page;
}

Result<ports::BenchmarkSeries>
benchmark_series(Connection& db, const ports::BenchmarkQuery& query, const std::string& name) {
    auto rows =
        db.rows(kBenchmark, query.upstream.text(), query.downstream.text(), query.suite, name);
    if (!rows.next() || rows.is_null(0)) {
        return fail(
            Errc::not_found,
            fmt::format("{} never told a value of {}", query.downstream.text(), name)
        );
    }
    return series_in(db, rows, ports::kBenchmarkPoints);
}

} // namespace baton::store::sql::views
