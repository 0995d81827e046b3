#pragma once

#include "baton/report/compose.hpp"

#include <CLI/App.hpp>

#include <string>

namespace baton::program {

/// What `baton report` is told on its command line.
struct ReportOptions {
    report::Order order;
    bool nightly{false};
    bool periodic{false};
    std::string url;
    std::string audience;
    std::string token_file;
    std::string token_env;
    std::string ca_file;
    std::string timeout{"60s"};
    bool dry_run{false};
    bool strict{false};
    bool json{false};
};

void add_report_options(CLI::App& command, ReportOptions& options);

} // namespace baton::program
