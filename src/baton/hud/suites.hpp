#pragma once

#include "baton/base/ids.hpp"
#include "baton/domain/report.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/ports/views.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace baton::hud {

/// One device's run.
struct SuiteColumn {
    DownstreamLine line;
    ports::SuiteRun run;
};

/// All jobs of one suite on one device.
struct SuiteCell {
    std::optional<Standing> standing; // none: it did not run there
    std::size_t jobs{0};
    std::size_t failed_jobs{0};
    std::optional<domain::TestCounts> tests; // of those that told any
    std::optional<JobId> worst;
};

struct SuiteRow {
    std::string suite;
    std::vector<SuiteCell> cells; // one per column
};

struct SuiteTable {
    std::vector<SuiteColumn> columns; // by device
    std::vector<SuiteRow> rows;       // by name
};

SuiteTable suites_of(std::vector<SuiteColumn> columns);

} // namespace baton::hud
