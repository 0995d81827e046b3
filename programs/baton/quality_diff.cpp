// baton quality diff BEFORE AFTER [--json]
//
// What changed between two assessments, item by item, and why.

#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/report.hpp"
#include "baton/quality/score.hpp"
#include "baton/wire/report_json.hpp"

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

#include "command.hpp"
#include "print.hpp"
#include "quality.hpp"
#include "quality_dossier.hpp"

namespace baton::program {

namespace {

struct DiffCommand {
    std::string before;
    std::string after;
    std::string criteria;
    bool json{false};
};

void print_level(std::string_view what, const quality::LevelChange& change) {
    if (change.before == change.after) {
        fmt::print("{}: still {}\n", what, inert(change.after));
    } else {
        fmt::print("{}: {} -> {}\n", what, inert(change.before), inert(change.after));
    }
}

void print_changes(const quality::Changes& changes) {
    fmt::print("{} -> {}\n", to_text(changes.from), to_text(changes.to));
    print_level("grade", changes.level);
    if (changes.documented) {
        print_level("documented", *changes.documented);
    }
    if (changes.criteria.before != changes.criteria.after) {
        print_level("criteria", changes.criteria);
    }
    fmt::print(
        "proven: {} -> {} ({:+}), potential: {} -> {}, in all: {} -> {}\n",
        changes.before.proven,
        changes.after.proven,
        changes.after.proven - changes.before.proven,
        changes.before.potential,
        changes.after.potential,
        changes.before.max,
        changes.after.max
    );
    if (changes.items.empty()) {
        fmt::print("no item has other points\n");
        return;
    }
    Table table({"ITEM", "POINTS", "DIFFERENCE", "CAUSE", "DETAIL"});
    for (const auto& item : changes.items) {
        table.add(
            {item.item,
             fmt::format("{} -> {}", item.before.proven, item.after.proven),
             fmt::format("{:+}", item.after.proven - item.before.proven),
             std::string(name_of(item.cause)),
             item.detail}
        );
    }
    fmt::print("\n{}", table.text());
}

int run(const DiffCommand& command) {
    const auto read = [&](const std::string& file, int& exit_code) {
        return dossier_or_complain(
            {.input = {.file = file, .criteria = command.criteria}, .as_of = {}, .reading = {}},
            exit_code
        );
    };
    int exit_code = Exit::ok;
    const auto before = read(command.before, exit_code);
    if (!before) {
        return exit_code;
    }
    const auto after = read(command.after, exit_code);
    if (!after) {
        return exit_code;
    }
    const auto from = report_of(*before);
    const auto to = report_of(*after);
    const auto changes = quality::changes(quality::scored(from), quality::scored(to));
    if (command.json) {
        print_json(wire::changes_object(changes));
    } else {
        print_changes(changes);
    }
    return Exit::ok;
}

} // namespace

void add_quality_diff(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<DiffCommand>();
    auto* command =
        group.add_subcommand("diff", "Say what changed between two assessments, and why");
    command->add_option("BEFORE", options->before, "An assessment")->required()->option_text(" ");
    command->add_option("AFTER", options->after, "A later one")->required()->option_text(" ");
    command->add_option("--criteria", options->criteria, "Criteria other than those the files name")
        ->option_text("LABEL|FILE");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Items whose points differ, the greatest difference first. Causes: criteria (asked for differently),
exemption, review, measurement, evidence (the same said, with it or without), claim (something else said).

Example:
  baton quality diff examples/quality/tessera-tx1-linux/2.13.yml examples/quality/tessera-tx1-linux/2.14.yml

Exit codes: 0 told, 1 a file has errors, 2 one cannot be read or is no YAML.)"
    );
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace baton::program
