// baton quality: what users may expect of a platform, and what that rests on.

#include "quality.hpp"

#include "baton/app/files.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/readings.hpp"
#include "baton/wire/assessment.hpp"
#include "baton/wire/criteria.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command.hpp"
#include "print.hpp"

namespace baton::program {

namespace json = boost::json;

namespace {

quality::Finding unreadable(std::string_view code, const std::string& detail) {
    return {
        .code = std::string(code),
        .at = {},
        .message = fmt::format("cannot be read: {}", inert(detail)),
        .hint = {}
    };
}

std::vector<std::string> labels() {
    std::vector<std::string> all;
    for (const auto& set : wire::builtin_criteria()) {
        all.push_back(quality::label_of(set));
    }
    return all;
}

} // namespace

void add_quality(CLI::App& app, int& exit_code) {
    auto* group = app.add_subcommand("quality", "What users may expect of a platform, and why");
    group->require_subcommand(1);
    group->footer("docs/guides/quality.md walks through it, docs/design/quality.md has the rules.\n"
                  "`baton quality COMMAND --help` says more.");
    add_quality_criteria(*group, exit_code);
    add_quality_init(*group, exit_code);
    add_quality_collect(*group, exit_code);
    add_quality_lint(*group, exit_code);
    add_quality_score(*group, exit_code);
    add_quality_gap(*group, exit_code);
    add_quality_simulate(*group, exit_code);
    add_quality_history(*group, exit_code);
    add_quality_diff(*group, exit_code);
    add_quality_report(*group, exit_code);
    add_quality_badge(*group, exit_code);
    add_quality_sign(*group, exit_code);
    add_quality_bundle(*group, exit_code);
    add_quality_verify(*group, exit_code);
}

CriteriaInput read_criteria_input(const std::string& name) {
    CriteriaInput input{.name = name};
    if (const auto* const built_in = wire::builtin_criteria_set(name)) {
        input.set = std::make_shared<quality::CriteriaSet>(*built_in);
        input.findings = quality::check(*built_in);
        return input;
    }
    const auto text = app::read_file(name, limits::kAllowlistBytesMax);
    if (!text) {
        input.exit_code = Exit::unusable;
        auto finding = unreadable("C040", text.error().detail);
        finding.hint = fmt::format("built in are {}", fmt::join(labels(), ", "));
        input.findings.push_back(std::move(finding));
        return input;
    }
    auto reading = wire::read_criteria(*text);
    input.findings = std::move(reading.findings);
    if (reading.set) {
        input.set = std::make_shared<quality::CriteriaSet>(*std::move(reading.set));
    } else {
        input.exit_code = reading.is_yaml ? Exit::failure : Exit::unusable;
    }
    return input;
}

AssessmentInput read_assessment_input(const std::string& path, const std::string& criteria) {
    AssessmentInput input{.path = path};
    const auto text = app::read_file(path, limits::kAllowlistBytesMax);
    if (!text) {
        input.exit_code = Exit::unusable;
        input.findings.push_back(unreadable("Q040", text.error().detail));
        return input;
    }
    auto reading = wire::read_assessment(*text);
    input.findings = std::move(reading.findings);
    if (!reading.assessment) {
        input.exit_code = reading.is_yaml ? Exit::failure : Exit::unusable;
        return input;
    }
    const auto label = fmt::format("{}/{}", reading.assessment->set, reading.assessment->version);
    if (!criteria.empty()) {
        auto named = read_criteria_input(criteria);
        input.set = std::move(named.set);
        if (!input.set) {
            input.exit_code = named.exit_code;
            for (const auto& finding : named.findings) {
                input.findings.push_back(
                    {.code = "Q040",
                     .at = {},
                     .message = quality::to_text(finding, inert(criteria)),
                     .hint = {}}
                );
            }
            return input;
        }
    } else if (const auto* const built_in = wire::builtin_criteria_set(label)) {
        input.set = std::make_shared<quality::CriteriaSet>(*built_in);
    } else {
        input.exit_code = Exit::failure;
        input.findings.push_back(
            {.code = "Q040",
             .at = reading.assessment->criteria_at,
             .message = fmt::format("no criteria set {} is built in", inert(label)),
             .hint = fmt::format("there are {}; --criteria names a file", fmt::join(labels(), ", "))
            }
        );
        return input;
    }
    input.assessment = std::move(reading.assessment);
    return input;
}

std::optional<AssessmentInput>
assessment_or_complain(const std::string& path, const std::string& criteria, int& exit_code) {
    auto input = read_assessment_input(path, criteria);
    exit_code = input.exit_code;
    for (const auto& finding : input.findings) {
        fmt::print(stderr, "{}\n", quality::to_text(finding, path));
    }
    if (!input.assessment) {
        return std::nullopt;
    }
    return input;
}

std::string level_text(const quality::CriteriaSet& set, int rank) {
    const auto* const level = set.level(rank);
    return level == nullptr ? fmt::format("rank {}", rank) : inert(level->name);
}

std::optional<int> rank_or_complain(const quality::CriteriaSet& set, std::string_view name) {
    std::vector<std::string> known;
    for (const auto& level : set.levels) {
        if (lower(level.name) == lower(name)) {
            return level.rank;
        }
        known.push_back(inert(level.name));
    }
    complain(
        fmt::format("no level is named \"{}\": there are {}", inert(name), fmt::join(known, ", "))
    );
    return std::nullopt;
}

bool reading_or_complain(const std::string& name, std::optional<quality::Reading>& reading) {
    if (name.empty() || name == "all") {
        return true;
    }
    reading = quality::reading_named(name);
    if (!reading) {
        complain(fmt::format(
            "\"{}\" is no reading: there are printed, pct-printed, floor-rows and pct-rows",
            inert(name)
        ));
    }
    return reading.has_value();
}

void print_findings(std::span<const quality::Finding> findings, std::string_view file) {
    for (const auto& finding : findings) {
        fmt::print("{}\n", quality::to_text(finding, inert(file)));
    }
}

json::array findings_json(std::span<const quality::Finding> findings, std::string_view file) {
    json::array all;
    for (const auto& finding : findings) {
        all.emplace_back(json::object{
            {"code", finding.code},
            {"severity", finding.severity == quality::Severity::error ? "error" : "warning"},
            {"file", json_text(file)},
            {"line", finding.at.line},
            {"column", finding.at.column},
            {"message", json_text(finding.message)},
            {"hint", json_text(finding.hint)},
        });
    }
    return all;
}

void add_assessment_options(CLI::App& command, AssessmentOptions& options) {
    command.add_option("FILE", options.file, "The assessment")->required()->option_text(" ");
    command.add_option("--criteria", options.criteria, "Criteria other than those the file names")
        ->option_text("LABEL|FILE");
}

} // namespace baton::program
