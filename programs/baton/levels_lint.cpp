// baton levels lint FILE... [--json]
//
// Reads profiles of the ladder and prints everything that is wrong with them.

#include "baton/app/files.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/profile.hpp"
#include "baton/wire/profile.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checkup.hpp"
#include "command.hpp"
#include "levels.hpp"
#include "print.hpp"

namespace baton::program {

namespace {

namespace json = boost::json;

struct LintOptions {
    std::vector<std::string> files;
    bool json{false};
};

struct Linted {
    std::string path;
    bool readable{true};
    wire::ProfileReading reading;
};

Linted read(const std::string& path) {
    Linted linted{.path = path, .reading = {}};
    const auto text = app::read_file(path, limits::kAllowlistBytesMax);
    if (!text) {
        linted.readable = false;
        linted.reading.findings.push_back(
            {.message = fmt::format("cannot be read: {}", inert(text.error().detail))}
        );
    } else {
        linted.reading = wire::read_profile(*text);
    }
    return linted;
}

int exit_code_of(const Linted& linted) {
    if (!linted.readable) {
        return Exit::unusable;
    }
    return linted.reading.profile ? Exit::ok : Exit::failure;
}

json::object json_of(const Linted& linted) {
    std::vector<Found> found;
    for (const auto& finding : linted.reading.findings) {
        found.push_back({.file = linted.path, .finding = finding});
    }
    const auto& profile = linted.reading.profile;
    return {
        {"file", json_text(linted.path)},
        {"ok", profile.has_value()},
        {"readable", linted.readable},
        {"profile", profile ? json_text(label_of(*profile)) : json::value(nullptr)},
        {"findings", to_json(found)},
    };
}

void print_text(const Linted& linted) {
    for (const auto& finding : linted.reading.findings) {
        fmt::print("{}\n", domain::to_text(finding, linted.path));
    }
    if (const auto& profile = linted.reading.profile) {
        const auto criteria = profile->to_l2.size() + profile->to_l3.size() +
                              profile->to_l4.size() + profile->watch.size() +
                              profile->demotion.size() + profile->at_once.size() +
                              profile->restore.size();
        fmt::print("{}: good: {}, {} criteria\n", linted.path, inert(label_of(*profile)), criteria);
    }
}

int lint(const LintOptions& options) {
    int worst = Exit::ok;
    json::array all;
    for (const auto& path : options.files) {
        const auto linted = read(path);
        worst = std::max(worst, exit_code_of(linted));
        if (options.json) {
            all.emplace_back(json_of(linted));
        } else {
            print_text(linted);
        }
    }
    if (options.json) {
        print_json(json::object{{"ok", worst == Exit::ok}, {"files", std::move(all)}});
    }
    return worst;
}

} // namespace

void add_levels_lint(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<LintOptions>();
    auto* command = group.add_subcommand("lint", "Print everything wrong with profile files");
    command->add_option("FILE", options->files, "The files")->required()->option_text(" ");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(R"(Example:
  baton levels lint profile.yml

Exit codes: 0 good, 1 errors, 2 a file cannot be read.)");
    command->callback([options, &exit_code] { exit_code = lint(*options); });
}

} // namespace baton::program
