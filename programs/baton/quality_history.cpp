// baton quality history FOLDER|FILE... [--latest RELEASE] [--json]
//
// Grades of one release after another, and the level that they document.

#include "baton/app/find_files.hpp"
#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/history.hpp"
#include "baton/quality/score.hpp"
#include "baton/wire/calendar.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "print.hpp"
#include "quality.hpp"

namespace baton::program {

namespace {

namespace json = boost::json;

struct HistoryCommand {
    std::vector<std::string> places;
    std::string criteria;
    std::string latest;
    bool json{false};
};

struct Graded {
    quality::Assessment assessment;
    quality::Score score;
};

/// The assessments of one platform by one set of criteria.
struct Story {
    std::shared_ptr<const quality::CriteriaSet> set; // that of the newest
    std::map<quality::Release, Graded> grades;
    std::vector<quality::HistoryPoint> points;
};

using Stories = std::map<std::pair<std::string, std::string>, Story>; // by platform and set

std::vector<std::string> files_of(const std::vector<std::string>& places) {
    std::vector<std::string> files;
    for (const auto& place : places) {
        if (std::filesystem::is_directory(place)) {
            for (auto& file : app::find_files(place + "/*.yml")) {
                files.push_back(std::move(file));
            }
        } else {
            files.push_back(place);
        }
    }
    return files;
}

/// False after saying that a release has two assessments.
bool add(Stories& stories, AssessmentInput input) {
    auto& assessment = *input.assessment;
    auto score = quality::score(*input.set, assessment);
    auto& story = stories[{assessment.platform.id, input.set->set}];
    const auto release = assessment.release;
    if (story.grades.empty() || release >= story.grades.rbegin()->first) {
        story.set = input.set;
    }
    const bool is_new =
        story.grades.emplace(release, Graded{.assessment = assessment, .score = std::move(score)})
            .second;
    if (!is_new) {
        complain(fmt::format(
            "{}: {} has an assessment of {} already",
            inert(input.path),
            inert(assessment.platform.id),
            to_text(release)
        ));
    }
    return is_new;
}

json::value point_json(const Story& story, const quality::HistoryPoint& point) {
    const auto graded = story.grades.find(point.release);
    json::object out{
        {"release", to_text(point.release)},
        {"level", point.rank ? json::value(level_text(*story.set, *point.rank)) : nullptr},
        {"documented", level_text(*story.set, point.documented)},
        {"stale", point.stale},
    };
    if (graded != story.grades.end()) {
        const auto& score = graded->second.score;
        out["proven"] = score.proven;
        out["potential"] = score.potential;
        out["max"] = score.max;
        out["p0"] = json::object{{"met", score.p0.met}, {"total", score.p0.total}};
    }
    return out;
}

void print_story(const std::string& platform, const Story& story) {
    fmt::print("{}, criteria {}\n", inert(platform), inert(label_of(*story.set)));
    Table table({"RELEASE", "GRADE", "PROVEN", "POTENTIAL", "MAX", "P0", "DOCUMENTED", "DECIDED"});
    for (const auto& point : story.points) {
        const auto graded = story.grades.find(point.release);
        std::vector<std::string> row{to_text(point.release)};
        if (graded == story.grades.end()) {
            row.insert(row.end(), {"not assessed", "", "", "", ""});
        } else {
            const auto& score = graded->second.score;
            row.insert(
                row.end(),
                {level_text(*story.set, score.level),
                 fmt::format("{}", score.proven),
                 fmt::format("{}", score.potential),
                 fmt::format("{}", score.max),
                 fmt::format("{} of {}", score.p0.met, score.p0.total)}
            );
        }
        row.push_back(level_text(*story.set, point.documented) + (point.stale ? " (stale)" : ""));
        const bool decided = graded != story.grades.end() && graded->second.assessment.decision;
        row.push_back(decided ? graded->second.assessment.decision->level : "");
        table.add(std::move(row));
    }
    fmt::print("{}", table.text());
}

void print_all(const Stories& stories, bool as_json) {
    json::array all;
    for (const auto& [name, story] : stories) {
        if (!as_json) {
            print_story(name.first, story);
            continue;
        }
        json::array points;
        for (const auto& point : story.points) {
            points.emplace_back(point_json(story, point));
        }
        all.emplace_back(json::object{
            {"platform", json_text(name.first)},
            {"criteria", json_text(label_of(*story.set))},
            {"documented", level_text(*story.set, story.points.back().documented)},
            {"releases", std::move(points)},
        });
    }
    if (as_json) {
        print_json(json::object{{"schema", "cpq-history/1"}, {"platforms", std::move(all)}});
    }
}

int run(const HistoryCommand& command) {
    std::optional<quality::Release> latest;
    if (!command.latest.empty()) {
        latest = quality::parse_release(command.latest);
        if (!latest) {
            complain(fmt::format("\"{}\" is no release: write 2.15", inert(command.latest)));
            return Exit::unusable;
        }
    }
    const auto files = files_of(command.places);
    if (files.empty()) {
        complain("there is no .yml file in that folder");
        return Exit::unusable;
    }
    Stories stories;
    int worst = Exit::ok;
    for (const auto& file : files) {
        int exit_code = Exit::ok;
        auto input = assessment_or_complain(file, command.criteria, exit_code);
        worst = std::max(worst, exit_code);
        if (input && !add(stories, *std::move(input))) {
            worst = std::max<int>(worst, Exit::failure);
        }
    }
    if (worst != Exit::ok) {
        return worst;
    }
    for (auto& [name, story] : stories) {
        std::vector<quality::Grade> grades;
        for (const auto& [release, graded] : story.grades) {
            grades.push_back({.release = release, .rank = graded.score.level});
        }
        story.points =
            quality::history(story.set->history, grades, latest, &wire::pytorch_calendar());
    }
    print_all(stories, command.json);
    return Exit::ok;
}

} // namespace

void add_quality_history(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<HistoryCommand>();
    auto* command =
        group.add_subcommand("history", "Say which level the releases of a platform document");
    command->add_option("FOLDER", options->places, "A folder of assessments, or the files")
        ->required()
        ->option_text(" ");
    command->add_option("--criteria", options->criteria, "Criteria other than those the files name")
        ->option_text("LABEL|FILE");
    command->add_option("--latest", options->latest, "The newest release, assessed or not")
        ->option_text("RELEASE");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(A level is documented when two minor releases in a row support it; one that nobody assessed breaks the row.

Example:
  baton quality history examples/quality/tessera-tx1-linux

Exit codes: 0 told, 1 a file has errors or a release stands twice, 2 a file cannot be read or is no YAML.)"
    );
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace baton::program
