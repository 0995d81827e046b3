// baton quality score FILE [--reading NAME] [--draft] [--json]
//
// What an assessment is worth. Opens no evidence: what is declared counts.

#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/readings.hpp"
#include "baton/quality/score.hpp"
#include "baton/wire/score_json.hpp"

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "command.hpp"
#include "print.hpp"
#include "quality.hpp"

namespace baton::program {

namespace {

struct ScoreCommand {
    AssessmentOptions input;
    std::string reading;
    bool draft{false};
    bool json{false};
};

std::string requirement_text(const quality::Requirement& require, int points) {
    std::vector<std::string> all;
    if (require.percent || require.points) {
        all.push_back(fmt::format("{} points", points));
    }
    if (require.all_priority) {
        all.push_back(fmt::format("every {}", name_of(*require.all_priority)));
    }
    for (const auto& item : require.items) {
        all.push_back(inert(item));
    }
    return fmt::format("{}", fmt::join(all, " and "));
}

void print_next(const quality::CriteriaSet& set, const quality::Score& score) {
    for (const auto& reading : score.readings) {
        const auto* const next = set.level(score.level + 1);
        if (reading.reading != score.reading || next == nullptr) {
            continue;
        }
        int points = 0;
        for (const auto& threshold : reading.thresholds) {
            points = threshold.rank == next->rank ? threshold.points : points;
        }
        fmt::print("{} asks for {}\n", inert(next->name), requirement_text(next->require, points));
    }
}

void print_head(const AssessmentInput& input, const quality::Score& score) {
    const auto& set = *input.set;
    const auto& platform = input.assessment->platform;
    fmt::print(
        "{}{}{}, PyTorch {}, criteria {} ({})\n",
        inert(platform.name),
        platform.version.empty() ? "" : " ",
        inert(platform.version),
        to_text(input.assessment->release),
        inert(label_of(set)),
        set.digest.substr(0, 12)
    );
    fmt::print(
        "{}: {} proven, {} potential, {} in all; {} printed\n",
        level_text(set, score.level),
        score.proven,
        score.potential,
        score.max,
        quality::percent_text(score.proven, set.total(quality::Base::printed) - score.exempt)
    );
    std::string open;
    for (const auto& id : score.p0.open) {
        open += (open.empty() ? ", open: " : ", ") + inert(id);
    }
    fmt::print("P0 {} of {}{}\n", score.p0.met, score.p0.total, open);
    for (const auto& warning : score.warnings) {
        fmt::print("warning: {}: {}\n", inert(warning.item), inert(warning.text));
    }
    std::string readings;
    for (const auto& reading : score.readings) {
        readings += fmt::format(
            "{}{} {}",
            readings.empty() ? "" : ", ",
            name_of(reading.reading),
            level_text(set, reading.level)
        );
    }
    fmt::print("readings: {}{}\n", readings, score.reading_sensitive ? " (they disagree)" : "");
    if (score.potential_level != score.level) {
        fmt::print("if everything unknown were met: {}\n", level_text(set, score.potential_level));
    }
    if (const auto& decision = input.assessment->decision) {
        fmt::print("decided: {}\n", inert(decision->level));
    }
    print_next(set, score);
}

void print_tables(const quality::Score& score) {
    Table sections({"SECTION", "PROVEN", "POTENTIAL", "MAX", "TITLE"});
    for (const auto& section : score.sections) {
        sections.add(
            {section.id,
             fmt::format("{}", section.proven),
             fmt::format("{}", section.potential),
             fmt::format("{}", section.max),
             section.title}
        );
    }
    Table items({"ITEM", "PRIORITY", "STATE", "PROVEN", "POTENTIAL", "MAX", "NOTE"});
    for (const auto& item : score.items) {
        auto note = item.note;
        if (item.before_review) {
            note = fmt::format("{} before review: {}", *item.before_review, item.note);
        }
        items.add(
            {item.id,
             std::string(name_of(item.priority)),
             std::string(name_of(item.state)),
             fmt::format("{}", item.proven),
             fmt::format("{}", item.potential),
             fmt::format("{}", item.max),
             note}
        );
    }
    fmt::print("\n{}\n{}", sections.text(), items.text());
}

int run(const ScoreCommand& command) {
    std::optional<quality::Reading> reading;
    if (!reading_or_complain(command.reading, reading)) {
        return Exit::unusable;
    }
    int exit_code = Exit::ok;
    const auto input =
        assessment_or_complain(command.input.file, command.input.criteria, exit_code);
    if (!input) {
        return exit_code;
    }
    const auto score = quality::score(
        *input->set,
        *input->assessment,
        {.reading = reading, .exempt = std::nullopt, .draft = command.draft}
    );
    if (command.json) {
        fmt::print("{}\n", wire::score_json(*input->set, *input->assessment, score));
        return Exit::ok;
    }
    print_head(*input, score);
    print_tables(score);
    return Exit::ok;
}

} // namespace

void add_quality_score(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<ScoreCommand>();
    auto* command = group.add_subcommand("score", "Say what an assessment is worth");
    add_assessment_options(*command, options->input);
    command->add_option("--reading", options->reading, "How thresholds are read")
        ->option_text("NAME");
    command->add_flag("--draft", options->draft, "Claims without evidence count as potential");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Counts what is declared and opens no evidence: `baton quality lint` looks at the files.
Readings: printed, pct-printed, floor-rows, pct-rows; what all four say is always shown.

Example:
  baton quality score examples/quality/tessera-tx1-linux/2.14.yml

Exit codes: 0 scored, 1 the file has errors, 2 it cannot be read or is no YAML.)"
    );
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace baton::program
