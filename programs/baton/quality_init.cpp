// baton quality init --platform ID --release RELEASE [--criteria LABEL|FILE] [--from FILE]
//
// An assessment to fill in: every item, nothing claimed.

#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/wire/json_text.hpp"

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command.hpp"
#include "quality.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

using wire::json_quoted; // JSON's quoting is YAML's, too

struct InitCommand {
    std::string platform;
    std::string release;
    std::string criteria{"pytorch-cpq/2025.11-124"};
    std::string from;
};

std::string list_of(const std::vector<std::string>& all) {
    std::vector<std::string> quoted;
    for (const auto& one : all) {
        quoted.push_back(json_quoted(one));
    }
    return fmt::format("[{}]", fmt::join(quoted, ", "));
}

/// What the item can be answered with, as a comment.
std::string hint_of(const quality::Item& item) {
    std::vector<std::string> all;
    for (const auto& part : item.parts) {
        all.push_back(part.id);
    }
    for (const auto& step : item.steps) {
        all.push_back(fmt::format("{} %", step.percent));
    }
    for (const auto& check : item.checks) {
        all.push_back(check.id);
    }
    return fmt::format(
        "  # {} {}, {}: {}{}{}\n",
        name_of(item.priority),
        item.max,
        name_of(item.kind),
        inert(item.title),
        all.empty() ? "" : ": ",
        inert(fmt::format("{}", fmt::join(all, ", ")))
    );
}

std::string platform_of(const InitCommand& command, const quality::Assessment* from) {
    const auto platform = from == nullptr ? quality::Platform{} : from->platform;
    std::string out = "platform:\n";
    const auto line = [&](std::string_view key, const std::string& value) {
        out += fmt::format("  {}: {}\n", key, value);
    };
    const auto text = [](const std::string& value, std::string_view fallback) {
        return json_quoted(value.empty() ? fallback : std::string_view(value));
    };
    line("id", json_quoted(command.platform));
    line("name", text(platform.name, command.platform));
    line("vendor", text(platform.vendor, "who makes it"));
    line("class", platform.family);
    line("os", text(platform.os, "linux"));
    const auto& backend = platform.backend;
    if (!backend.kind.empty()) {
        std::string more;
        for (const auto& [key, value] :
             {std::pair{"device", &backend.device},
              std::pair{"package", &backend.package},
              std::pair{"repo", &backend.repo}}) {
            more += value->empty() ? "" : fmt::format(", {}: {}", key, json_quoted(*value));
        }
        line("backend", fmt::format("{{kind: {}{}}}", backend.kind, more));
    }
    if (!platform.hardware.empty()) {
        line("hardware", list_of(platform.hardware));
    }
    line(
        "targets",
        list_of(
            platform.targets.empty() ? std::vector<std::string>{"inference", "single-node"}
                                     : platform.targets
        )
    );
    return out;
}

/// Says what was claimed last time; the claim itself has to be made anew.
std::string note_of(const quality::Claim& claim, quality::Release release) {
    std::vector<std::string> evidence;
    for (const auto& reference : claim.evidence) {
        evidence.push_back(reference.id);
    }
    return fmt::format(
        "{} in {}{}{}",
        name_of(claim.kind),
        to_text(release),
        evidence.empty() ? "" : ", by ",
        fmt::join(evidence, ", ")
    );
}

std::string skeleton(
    const InitCommand& command, const quality::CriteriaSet& set, const quality::Assessment* from
) {
    std::string out = "# Claims: met, unmet, partial (parts), measured (value), unknown, exempt "
                      "(reason). docs/guides/quality.md\n"
                      "schema: cpq-assessment/1\n";
    out += fmt::format(
        "criteria: {{set: {}, version: {}}}\n", json_quoted(set.set), json_quoted(set.version)
    );
    out += platform_of(command, from);
    out += fmt::format("release: {{pytorch: {}}}\n", json_quoted(command.release));
    out += fmt::format(
        "assessed: {{on: {}, by: [], status: draft}}\n",
        quality::to_text(std::chrono::floor<std::chrono::days>(present()))
    );
    if (from != nullptr) {
        out += fmt::format(
            "previous: {{release: {}, digest: {}}}\n",
            json_quoted(to_text(from->release)),
            json_quoted(from->digest)
        );
    }
    out += "evidence: {}\nitems:\n";
    for (const auto& item : set.items) {
        out += hint_of(item);
        const auto* const claim = from == nullptr ? nullptr : from->claim(item.id);
        out += claim == nullptr ? fmt::format("  {}: {{claim: unknown}}\n", item.id)
                                : fmt::format(
                                      "  {}: {{claim: unknown, note: {}}}\n",
                                      item.id,
                                      json_quoted(note_of(*claim, from->release))
                                  );
    }
    return out;
}

int run(const InitCommand& command) {
    if (!quality::parse_release(command.release)) {
        complain(fmt::format("\"{}\" is no minor release: write 2.14", inert(command.release)));
        return Exit::unusable;
    }
    const auto criteria = read_criteria_input(command.criteria);
    if (!criteria.set) {
        for (const auto& finding : criteria.findings) {
            fmt::print(stderr, "{}\n", quality::to_text(finding, inert(command.criteria)));
        }
        return criteria.exit_code;
    }
    std::optional<AssessmentInput> from;
    if (!command.from.empty()) {
        int exit_code = Exit::ok;
        from = assessment_or_complain(command.from, command.criteria, exit_code);
        if (!from) {
            return exit_code;
        }
    }
    fmt::print("{}", skeleton(command, *criteria.set, from ? &*from->assessment : nullptr));
    return Exit::ok;
}

} // namespace

void add_quality_init(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<InitCommand>();
    auto* command = group.add_subcommand("init", "Print an assessment to fill in");
    command->add_option("--platform", options->platform, "Its id: tessera-tx1-linux")
        ->required()
        ->option_text("ID");
    command->add_option("--release", options->release, "The minor release: 2.14")
        ->required()
        ->option_text("RELEASE");
    command->add_option("--criteria", options->criteria, "What it is judged by")
        ->option_text("LABEL|FILE");
    command->add_option("--from", options->from, "The assessment before, whose claims become notes")
        ->option_text("FILE");
    command->footer(R"(Every item is there and unknown; what can be answered stands above each.

Example:
  baton quality init --platform tessera-tx1-linux --release 2.14 > 2.14.yml

Exit codes: 0 printed, 1 criteria or the assessment before have errors, 2 they cannot be read.)");
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace baton::program
