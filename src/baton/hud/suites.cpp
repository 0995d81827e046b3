#include "baton/hud/suites.hpp"

#include "baton/domain/figures.hpp"
#include "baton/domain/report.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/ports/views.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

void add(std::optional<domain::TestCounts>& sum, const std::optional<domain::TestCounts>& told) {
    if (!told) {
        return;
    }
    if (!sum) {
        sum.emplace();
    }
    sum->passed += told->passed;
    sum->failed += told->failed;
    sum->skipped += told->skipped;
    sum->total += told->total;
}

SuiteCell cell_of(const ports::SuiteRun& run, const std::string& suite) {
    SuiteCell cell;
    std::vector<domain::CellOutcome> outcomes;
    for (const auto& job : run.cells) {
        if (job.suite != suite) {
            continue;
        }
        outcomes.push_back(job.outcome);
        ++cell.jobs;
        cell.failed_jobs += domain::fails(job.outcome) ? 1U : 0U;
        add(cell.tests, job.tests);
        if (!cell.worst || domain::fails(job.outcome)) {
            cell.worst = job.newest;
        }
    }
    if (!outcomes.empty()) {
        cell.standing = standing_of(outcomes, Sent{});
    }
    return cell;
}

} // namespace

SuiteTable suites_of(std::vector<SuiteColumn> columns) {
    SuiteTable table;
    std::ranges::sort(columns, [](const SuiteColumn& a, const SuiteColumn& b) {
        return std::tie(a.line.listed.device, a.line.listed.repo) <
               std::tie(b.line.listed.device, b.line.listed.repo);
    });
    std::set<std::string> suites;
    for (const auto& column : columns) {
        for (const auto& job : column.run.cells) {
            suites.insert(job.suite);
        }
    }
    for (const auto& suite : suites) {
        SuiteRow row{.suite = suite, .cells = {}};
        for (const auto& column : columns) {
            row.cells.push_back(cell_of(column.run, suite));
        }
        table.rows.push_back(std::move(row));
    }
    table.columns = std::move(columns);
    return table;
}

} // namespace baton::hud
