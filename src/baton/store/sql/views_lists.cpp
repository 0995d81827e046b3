#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/job.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace baton::store::sql::views {

namespace {

constexpr Query kGridRows{
    "view_grid_rows",
    "SELECT id, pr_number, head_sha, event_type, last_at_ms FROM grid_row INDEXED BY "
    "grid_row_newest WHERE upstream = ?1 AND downstream = ?2 AND event_type = ?3 AND id < ?4 "
    "ORDER BY id DESC LIMIT ?5"
};
constexpr Query kCellsOfRow{
    "view_cells",
    "SELECT workflow, job_name, outcome, executed + running, newest_job FROM cell "
    "WHERE grid_row = ?1 ORDER BY workflow, job_name"
};
constexpr Query kHeads{
    "view_heads",
    "SELECT head_sha, first_at_ms FROM pull_head WHERE upstream = ?1 AND pr_number = ?2 ORDER "
    "BY head_sha"
};
constexpr Query kNewsEnds{
    "view_news_ends",
    "SELECT (SELECT id FROM news WHERE id > 0 ORDER BY id LIMIT 1), "
    "(SELECT id FROM news WHERE id > 0 ORDER BY id DESC LIMIT 1)"
};
constexpr Query kNews{
    "view_news",
    "SELECT id, topic, upstream, pr_number, downstream FROM news WHERE id > ?1 ORDER BY id LIMIT ?2"
};

std::vector<ports::CellView> cells_of(Connection& db, std::int64_t grid_row) {
    std::vector<ports::CellView> cells;
    auto rows = db.rows(kCellsOfRow, grid_row);
    while (rows.next()) {
        cells.push_back({
            .workflow = rows.text(0),
            .job = rows.text(1),
            .outcome =
                domain::cell_outcome_named(rows.view(2)).value_or(domain::CellOutcome::running),
            .attempts = static_cast<std::size_t>(rows.integer(3)),
            .newest = JobId{rows.integer(4)},
        });
    }
    return cells;
}

} // namespace

std::vector<ports::GridRow> grid(Connection& db, const ports::GridQuery& query) {
    std::vector<ports::GridRow> found;
    auto rows = db.rows(
        kGridRows,
        query.upstream.text(),
        query.downstream.text(),
        query.event_type,
        query.before.value_or(std::numeric_limits<std::int64_t>::max()),
        query.limit
    );
    while (rows.next()) {
        found.push_back({
            .pr = pr_in(rows, 1),
            .head = HeadSha(rows.text(2)),
            .event_type = rows.text(3),
            .at = rows.time(4),
            .cells = cells_of(db, rows.integer(0)),
            .cursor = rows.integer(0),
        });
    }
    return found;
}

std::vector<ports::HeadView> heads(Connection& db, const RepoName& upstream, PrNumber pr) {
    std::vector<ports::HeadView> found;
    auto rows = db.rows(kHeads, upstream.text(), pr);
    while (rows.next()) {
        found.push_back({.head = HeadSha(rows.text(0)), .first_seen = rows.time(1)});
    }
    std::ranges::sort(found, std::ranges::greater{}, [](const ports::HeadView& one) {
        return std::pair(one.first_seen, one.head);
    });
    return found;
}

Result<domain::Job> job(Connection& db, JobId id) {
    auto found = job_with(db, id);
    if (!found) {
        return fail(
            Errc::not_found,
            fmt::format("there is no job {} in the store", static_cast<std::int64_t>(id))
        );
    }
    return *std::move(found);
}

ports::NewsPage news(Connection& db, std::int64_t after, std::size_t limit) {
    ports::NewsPage page;
    {
        auto ends = db.rows(kNewsEnds);
        if (ends.next()) {
            const auto oldest = ends.integer(0);
            page.newest = ends.integer(1);
            // An id from the future was given by a store that is not this one any more.
            page.gap = after > page.newest || after + 1 < oldest;
        }
    }
    auto rows = db.rows(kNews, after, limit);
    while (rows.next()) {
        page.news.push_back({
            .id = rows.integer(0),
            .topic = rows.text(1),
            .upstream = rows.text(2),
            .pr = pr_in(rows, 3),
            .downstream = rows.text(4),
        });
    }
    return page;
}

} // namespace baton::store::sql::views
