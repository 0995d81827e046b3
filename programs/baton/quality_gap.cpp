// baton quality gap FILE [--to LEVEL] [--reading NAME] [--robust] [--json]
//
// The cheapest way to a level, and what may be lost on the way.

#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/calendar.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/readings.hpp"
#include "baton/quality/score.hpp"
#include "baton/wire/calendar.hpp"
#include "baton/wire/gap_json.hpp"

#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "print.hpp"
#include "quality.hpp"

namespace baton::program {

namespace {

struct GapCommand {
    AssessmentOptions input;
    std::string to;
    std::string reading;
    bool robust{false};
    bool json{false};
};

void print_way(const quality::Way& way, std::string_view what) {
    fmt::print("{}: effort {}, {} points of {} asked\n", what, way.effort, way.points, way.target);
    if (way.moves.empty()) {
        return;
    }
    Table table({"ITEM", "WHAT", "GAIN", "EFFORT", "WHY"});
    for (const auto& move : way.moves) {
        auto added = fmt::format("{}", fmt::join(move.adds, ", "));
        if (added.empty()) {
            added = "all of it";
        }
        if (move.missing > 0) {
            added += fmt::format(" ({} to go)", move.missing);
        }
        table.add(
            {move.item,
             added,
             fmt::format("+{}", move.gain),
             fmt::format("{}", move.effort),
             move.forced ? "the level asks for it" : "points"}
        );
    }
    fmt::print("{}", table.text());
}

void print_risks(const quality::Gap& gap) {
    if (gap.risks.empty()) {
        return;
    }
    Table table({"MEASURED", "POINTS", "MAY BE LOST", "MISSING FOR MORE"});
    for (const auto& risk : gap.risks) {
        table.add(
            {risk.item,
             fmt::format("{}", risk.points),
             risk.points > 0 ? fmt::format("{}", risk.slack) : "",
             risk.next_needs > 0 ? fmt::format("{}", risk.next_needs) : ""}
        );
    }
    fmt::print("\n{}", table.text());
}

/// The days on which most is lost, soonest first.
void print_expiring(const quality::Gap& gap) {
    constexpr std::size_t kDaysShown = 3;
    std::map<quality::Day, std::vector<std::string>> by_day;
    for (const auto& expiry : gap.expiring) {
        by_day[expiry.on].push_back(inert(expiry.item));
    }
    std::size_t shown = 0;
    for (const auto& [day, items] : by_day) {
        if (++shown > kDaysShown) {
            return;
        }
        fmt::print(
            "{}evidence counts until {} for {}\n",
            shown == 1 ? "\n" : "",
            quality::to_text(day),
            fmt::join(items, ", ")
        );
    }
}

void print_text(const quality::CriteriaSet& set, const quality::Gap& gap, bool robust_only) {
    const auto level = level_text(set, gap.rank);
    if (!robust_only) {
        if (gap.way) {
            print_way(*gap.way, gap.reached ? level + ", reached already" : level);
        } else {
            fmt::print("{}: cannot be reached by what is not blocked\n", level);
        }
    }
    const bool says_more =
        robust_only || !gap.way || !gap.robust || gap.robust->effort != gap.way->effort;
    if (gap.robust && says_more) {
        print_way(*gap.robust, level + ", however it is read");
    } else if (!gap.robust) {
        fmt::print("{}, however it is read: cannot be reached by what is not blocked\n", level);
    }
    print_risks(gap);
    print_expiring(gap);
}

/// When it can be documented at the earliest.
void print_documented(
    const quality::CriteriaSet& set,
    quality::Release release,
    const std::optional<quality::CalendarRelease>& earliest
) {
    fmt::print(
        "\nA level is documented after {} in a row that support it{}.\n",
        counted(static_cast<std::size_t>(set.history.consecutive), "minor release"),
        earliest ? fmt::format(
                       ": if {} becomes the first, with {} at the earliest",
                       quality::to_text(release),
                       quality::to_text(*earliest)
                   )
                 : ""
    );
}

int run(const GapCommand& command) {
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
    const auto& set = *input->set;
    const auto scored = quality::score(
        set, *input->assessment, {.reading = reading, .exempt = std::nullopt, .draft = false}
    );
    const auto best = set.levels.front().rank;
    const auto rank = command.to.empty() ? std::optional(std::min(scored.level + 1, best))
                                         : rank_or_complain(set, command.to);
    if (!rank) {
        return Exit::unusable;
    }
    const auto gap = quality::gap(set, *input->assessment, scored, *rank);
    if (!gap) {
        complain(inert(gap.error().detail));
        return Exit::failure;
    }
    const auto release = input->assessment->release;
    const auto earliest =
        quality::documented_with(wire::pytorch_calendar(), release, set.history.consecutive);
    if (command.json) {
        auto told = wire::gap_object(set, *gap);
        told["documented_earliest"] =
            earliest ? boost::json::value(quality::to_text(earliest->release)) : nullptr;
        told["schema"] = "cpq-gap/1";
        print_json(told);
    } else {
        print_text(set, *gap, command.robust);
        print_documented(set, release, earliest);
    }
    return (command.robust ? gap->robust : gap->way) ? Exit::ok : Exit::failure;
}

} // namespace

void add_quality_gap(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<GapCommand>();
    auto* command = group.add_subcommand("gap", "Say what the next level costs");
    add_assessment_options(*command, options->input);
    command->add_option("--to", options->to, "The level (default: the next one)")
        ->option_text("LEVEL");
    command->add_option("--reading", options->reading, "How thresholds are read")
        ->option_text("NAME");
    command->add_flag("--robust", options->robust, "Only the way that no reading can overturn");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(No cheaper way exists. Effort is what the assessment estimates, else the criteria, else 1 for each point.

Example:
  baton quality gap examples/quality/tessera-tx1-linux/2.14.yml --to Stable

Exit codes: 0 there is a way, 1 there is none or the file has errors, 2 it cannot be read or is no YAML.)"
    );
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace baton::program
