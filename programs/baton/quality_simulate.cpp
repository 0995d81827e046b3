// baton quality simulate FILE --set CHANGE... [--json]
//
// What an assessment would be worth if something were otherwise.

#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/score.hpp"
#include "baton/quality/simulate.hpp"
#include "baton/wire/score_json.hpp"

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "print.hpp"
#include "quality.hpp"

namespace baton::program {

namespace {

struct SimulateCommand {
    AssessmentOptions input;
    std::vector<std::string> changes;
    bool json{false};
};

void print_score(
    std::string_view when, const quality::CriteriaSet& set, const quality::Score& score
) {
    fmt::print(
        "{}: {}, {} proven, {} potential, {} in all, P0 {} of {}{}\n",
        when,
        level_text(set, score.level),
        score.proven,
        score.potential,
        score.max,
        score.p0.met,
        score.p0.total,
        score.reading_sensitive ? " (readings disagree)" : ""
    );
}

void print_changes(const quality::Score& before, const quality::Score& after) {
    Table table({"ITEM", "BEFORE", "AFTER", "STATE"});
    bool any = false;
    for (std::size_t i = 0; i < before.items.size(); ++i) {
        const auto& was = before.items[i];
        const auto& is = after.items[i];
        if (was.proven != is.proven || was.state != is.state) {
            any = true;
            table.add(
                {is.id,
                 fmt::format("{}", was.proven),
                 fmt::format("{}", is.proven),
                 fmt::format("{} -> {}", name_of(was.state), name_of(is.state))}
            );
        }
    }
    fmt::print("{}", any ? table.text() : "no item changes\n");
}

int run(const SimulateCommand& command) {
    int exit_code = Exit::ok;
    const auto input =
        assessment_or_complain(command.input.file, command.input.criteria, exit_code);
    if (!input) {
        return exit_code;
    }
    const auto& set = *input->set;
    auto supposed = *input->assessment;
    for (const auto& change : command.changes) {
        if (const auto done = quality::suppose(set, supposed, change); !done) {
            complain(inert(done.error().detail));
            return Exit::unusable;
        }
    }
    const auto before = quality::score(set, *input->assessment);
    const auto after = quality::score(set, supposed);
    if (command.json) {
        fmt::print(
            "{{\"schema\":\"cpq-simulation/1\",\"before\":{},\"after\":{}}}\n",
            wire::score_json(set, *input->assessment, before),
            wire::score_json(set, supposed, after)
        );
        return Exit::ok;
    }
    print_score("now", set, before);
    print_score("then", set, after);
    print_changes(before, after);
    return Exit::ok;
}

} // namespace

void add_quality_simulate(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<SimulateCommand>();
    auto* command =
        group.add_subcommand("simulate", "Say what an assessment would be worth otherwise");
    add_assessment_options(*command, options->input);
    command->add_option("--set", options->changes, "What is supposed; may be given several times")
        ->required()
        ->option_text("CHANGE");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Changes: SW-3=met (unmet, unknown), TEST-1=16148/20184, UX-1=package,size or UX-1=+size.
What is supposed counts as proven; nothing is written.

Example:
  baton quality simulate examples/quality/tessera-tx1-linux/2.14.yml --set TEST-1=16148/20184

Exit codes: 0 told, 1 the file has errors, 2 it or a change cannot be understood.)"
    );
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace baton::program
