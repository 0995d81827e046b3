// baton quality badge FILE [--kind grade|documented|score] [--as-of DATE]
//
// A small picture for a page.

#include "baton/base/time.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/report.hpp"
#include "baton/wire/badge.hpp"

#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <fmt/core.h>

#include <chrono>
#include <memory>
#include <string>

#include "command.hpp"
#include "print.hpp"
#include "quality.hpp"
#include "quality_dossier.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

struct BadgeCommand {
    DossierOptions input;
    std::string kind{"grade"};
    bool json{false};
};

int run(BadgeCommand command) {
    if (command.input.as_of.empty()) { // a badge is looked at today
        const auto today = std::chrono::floor<std::chrono::days>(present());
        command.input.as_of = quality::to_text(quality::Day(today.time_since_epoch()));
    }
    int exit_code = Exit::ok;
    const auto dossier = dossier_or_complain(command.input, exit_code);
    if (!dossier) {
        return exit_code;
    }
    const auto kind = quality::badge_kind_named(command.kind);
    const auto words = quality::badge_words(report_of(*dossier), *kind);
    if (command.json) {
        print_json(boost::json::object{
            {"left", json_text(words.left)},
            {"right", json_text(words.right)},
            {"rank", words.rank},
            {"stale", words.stale},
            {"as_of", quality::to_text(dossier->as_of)},
        });
        return Exit::ok;
    }
    fmt::print("{}\n", wire::draw_platform(words));
    return Exit::ok;
}

} // namespace

void add_quality_badge(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<BadgeCommand>();
    auto* command = group.add_subcommand("badge", "Draw an assessment as a badge, SVG");
    add_dossier_options(*command, options->input);
    command->add_option("--kind", options->kind, "What it shows; default: grade")
        ->option_text("grade|documented|score")
        ->check(CLI::IsMember({"grade", "documented", "score"}));
    command->add_flag("--json", options->json, "Print its words as one JSON object instead");
    command->footer(
        R"(Ages are counted to today unless --as-of names another day: when points rest on evidence that no
longer counts, the badge turns grey and says so.

Example:
  baton quality badge examples/quality/tessera-tx1-linux/2.14.yml --kind grade > badge.svg

Exit codes: 0 drawn, 1 the file has errors, 2 it cannot be read or is no YAML.)"
    );
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace baton::program
