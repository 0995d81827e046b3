// baton check-config FILE [--json]
//
// Says whether `serve` could start with a configuration, and what is wrong with it otherwise: every
// fault of the file with its line and column, keys that do not parse, allowlist and pipelines files
// that cannot be read or have faults of their own, a store of another version. Findings go to
// standard output, for they are what was asked for. No secret is ever printed.

#include "baton/config/config.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/store/place.hpp"

#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <memory>
#include <string>

#include "checkup.hpp"
#include "command.hpp"
#include "print.hpp"

namespace baton::program {

namespace {

struct CheckOptions {
    std::string file;
    bool json{false};
};

std::string summary_of(const config::Config& config) {
    return fmt::format(
        "{} on {}, store {}",
        counted(config.upstreams.size(), "upstream"),
        config::to_text(config.listen),
        store::shown(config.store)
    );
}

void print_text(const CheckOptions& options, const Checkup& checkup) {
    for (const auto& found : checkup.found) {
        fmt::print("{}\n", domain::to_text(found.finding, found.file));
    }
    const auto tally = tally_of(checkup.found);
    if (tally.errors == 0 && checkup.config) {
        const auto warned = tally.warnings == 0 ? "" : ", " + counted(tally.warnings, "warning");
        fmt::print("{}: good{}: {}\n", options.file, warned, summary_of(*checkup.config));
        for (const auto& right : config::rights_needed(*checkup.config)) {
            fmt::print("{}: note: {}\n", options.file, right);
        }
    } else {
        fmt::print("{}: {}\n", options.file, to_text(tally));
    }
}

int check(const CheckOptions& options) {
    const auto checkup = check_config(options.file, CheckupDepth::everything);
    const auto tally = tally_of(checkup.found);
    if (options.json) {
        boost::json::array rights;
        if (checkup.config) {
            for (const auto& right : config::rights_needed(*checkup.config)) {
                rights.emplace_back(right);
            }
        }
        print_json(boost::json::object{
            {"file", json_text(options.file)},
            {"ok", tally.errors == 0},
            {"usable", checkup.usable},
            {"errors", tally.errors},
            {"warnings", tally.warnings},
            {"findings", to_json(checkup.found)},
            {"rights", std::move(rights)},
        });
    } else {
        print_text(options, checkup);
    }
    if (!checkup.usable) {
        return Exit::unusable;
    }
    return tally.errors == 0 ? Exit::ok : Exit::failure;
}

} // namespace

void add_check_config(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<CheckOptions>();
    auto* command = app.add_subcommand("check-config", "Explain every fault of a configuration");
    command->add_option("FILE", options->file, "The configuration file")
        ->required()
        ->option_text(" ");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Checks what `baton serve` needs: the file itself, the App's key and the TLS files, allowlists
and pipelines given as file:PATH, and the store if it is there. Each finding reads FILE:LINE:COLUMN: error: ...
Nothing is changed, no secret is printed, and GitHub is not asked.

Example:
  baton check-config /etc/baton/baton.yml

Exit codes: 0 good (perhaps with warnings), 1 errors, 2 the file cannot be read or is not YAML.)"
    );
    command->callback([options, &exit_code] { exit_code = check(*options); });
}

} // namespace baton::program
