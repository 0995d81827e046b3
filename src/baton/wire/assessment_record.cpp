// What surrounds the claims: the platform, and what others did about it.

#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/wire/assessment_parts.hpp"
#include "baton/wire/quality_fields.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"
#include "baton/wire/yaml_mapping.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

using quality::Assessment;
using quality::ProcessStep;
using quality::Support;
using yaml::Choice;
using yaml::Findings;
using yaml::Kind;
using yaml::Mapping;
using yaml::Node;

namespace {

template <std::size_t N>
constexpr std::array<Choice<std::string_view>, N> words(const std::array<std::string_view, N>& all
) {
    std::array<Choice<std::string_view>, N> choices{};
    for (std::size_t i = 0; i < N; ++i) {
        choices[i] = {.name = all[i], .value = all[i]};
    }
    return choices;
}

constexpr auto kClasses = words(std::array<std::string_view, 2>{"accelerator", "cpu"});
constexpr auto kBackends =
    words(std::array<std::string_view, 3>{"in-tree", "own-key", "privateuse1"});
constexpr auto kTargets = words(std::array<std::string_view, 5>{
    "inference", "training", "single-node", "multi-node", "distributed"
});
constexpr auto kRoles = words(std::array<std::string_view, 3>{"vendor", "reviewer", "relay"});

constexpr std::array<Choice<Support>, 3> kSupport{{
    {.name = "full", .value = Support::full},
    {.name = "partial", .value = Support::partial},
    {.name = "none", .value = Support::none},
}};

constexpr std::array<Choice<ProcessStep>, 5> kSteps{{
    {.name = "proposal", .value = ProcessStep::proposal},
    {.name = "working-group-review", .value = ProcessStep::working_group_review},
    {.name = "council-review", .value = ProcessStep::council_review},
    {.name = "maintainers-decision", .value = ProcessStep::maintainers_decision},
    {.name = "documentation", .value = ProcessStep::documentation},
}};

bool is_list(const Node& node, std::string_view what, Findings& findings) {
    if (node.kind != Kind::sequence) {
        findings.error(
            node.at, fmt::format("{}: expected a list, found {}", what, name_of(node.kind))
        );
    }
    return node.kind == Kind::sequence;
}

bool is_mapping(const Node& node, std::string_view what, Findings& findings) {
    if (node.kind != Kind::mapping) {
        findings.error(
            node.at, fmt::format("{}: expected a mapping, found {}", what, name_of(node.kind))
        );
    }
    return node.kind == Kind::mapping;
}

std::vector<std::string> targets_of(const Node& node, Findings& findings) {
    std::vector<std::string> targets;
    if (!yaml::texts_of(node, "targets", findings)) {
        return targets;
    }
    for (const auto& child : node.children) {
        if (const auto target =
                yaml::choice_of<std::string_view>(child, "targets", kTargets, findings)) {
            targets.emplace_back(*target);
        }
    }
    return targets;
}

} // namespace

quality::Platform read_platform(const Node& node, Findings& findings) {
    Mapping mapping(node, "platform", findings);
    quality::Platform platform{
        .id = mapping.needed_text("id"),
        .name = mapping.needed_text("name"),
        .vendor = mapping.needed_text("vendor"),
        .version = mapping.text("version"),
        .os = mapping.text("os"),
        .hardware = mapping.texts("hardware"),
        .at = position_of(node.at)
    };
    mapping.need("class");
    platform.family = mapping.choice<std::string_view>("class", kClasses).value_or("accelerator");
    if (const auto* const backend = mapping.find("backend")) {
        Mapping read(*backend, "backend", findings);
        platform.backend = {
            .kind = std::string(read.choice<std::string_view>("kind", kBackends).value_or("")),
            .device = read.text("device"),
            .package = read.text("package"),
            .repo = read.text("repo")
        };
        read.done();
    }
    if (const auto* const stack = mapping.find("stack");
        stack != nullptr && is_mapping(*stack, "stack", findings)) {
        for (const auto& child : stack->children) {
            if (auto text = yaml::text_of(child, "stack", findings)) {
                platform.stack.emplace(child.key, *std::move(text));
            }
        }
    }
    if (const auto* const targets = mapping.need("targets")) {
        platform.targets = targets_of(*targets, findings);
    }
    mapping.done();
    return platform;
}

void read_support(const Node& node, Assessment& out, Findings& findings) {
    if (!is_mapping(node, "support", findings)) {
        return;
    }
    for (const auto& child : node.children) {
        quality::SupportEntry entry{.feature = child.key, .at = position_of(child.at)};
        std::optional<Support> support;
        if (child.kind == Kind::mapping) {
            Mapping mapping(child, "support", findings);
            mapping.need("level");
            support = mapping.choice<Support>("level", kSupport);
            entry.note = mapping.text("note");
            mapping.done();
        } else {
            support = yaml::choice_of<Support>(child, "support", kSupport, findings);
        }
        entry.support = support.value_or(Support::none);
        out.support.push_back(std::move(entry));
    }
}

void read_process(const Node& node, Assessment& out, Findings& findings) {
    Mapping mapping(node, "process", findings);
    if (const auto* const due = mapping.find("due")) {
        out.process.due = day_of(*due, "due", findings);
    }
    if (const auto* const steps = mapping.find("steps");
        steps != nullptr && is_list(*steps, "steps", findings)) {
        for (const auto& child : steps->children) {
            Mapping step(child, "step", findings);
            step.need("step");
            quality::ProcessEntry entry{
                .step = step.choice<ProcessStep>("step", kSteps).value_or(ProcessStep::proposal),
                .on = std::nullopt,
                .link = step.text("link"),
                .outcome = step.text("outcome"),
                .at = position_of(child.at)
            };
            if (const auto* const on = step.find("on")) {
                entry.on = day_of(*on, "on", findings);
            }
            step.done();
            out.process.steps.push_back(std::move(entry));
        }
    }
    mapping.done();
}

void read_decision(const Node& node, Assessment& out, Findings& findings) {
    Mapping mapping(node, "decision", findings);
    quality::Decision decision{
        .level = mapping.needed_text("level"),
        .on = std::nullopt,
        .by = mapping.text("by"),
        .link = mapping.text("link"),
        .at = position_of(node.at)
    };
    if (const auto* const on = mapping.find("on")) {
        decision.on = day_of(*on, "on", findings);
    }
    mapping.done();
    out.decision = std::move(decision);
}

void read_facts(const Node& node, Assessment& out, Findings& findings) {
    Mapping mapping(node, "facts", findings);
    out.facts.at = position_of(node.at);
    if (const auto level = mapping.number("relay_level", {.least = 0, .most = 4})) {
        out.facts.relay_level = static_cast<int>(*level);
    }
    if (const auto* const baseline = mapping.find("baseline");
        baseline != nullptr && is_mapping(*baseline, "baseline", findings)) {
        for (const auto& child : baseline->children) {
            if (const auto den = yaml::number_of(
                    child, "baseline", {.least = 0, .most = 1'000'000'000}, findings
                )) {
                out.facts.baseline.emplace(child.key, *den);
            }
        }
    }
    if (const auto* const flaky = mapping.find("flaky_observed")) {
        out.facts.flaky_observed = read_value(*flaky, findings);
    }
    out.facts.reporting = mapping.texts("reporting");
    mapping.done();
}

void read_signatures(const Node& node, Assessment& out, Findings& findings) {
    if (!is_list(node, "signatures", findings)) {
        return;
    }
    for (const auto& child : node.children) {
        Mapping mapping(child, "signature", findings);
        mapping.need("role");
        out.signatures.push_back(
            {.role = std::string(mapping.choice<std::string_view>("role", kRoles).value_or("")),
             .key = mapping.needed_text("key"),
             .value = mapping.needed_text("value"),
             .at = position_of(child.at)}
        );
        mapping.done();
    }
}

void read_previous(const Node& node, Assessment& out, Findings& findings) {
    Mapping mapping(node, "previous", findings);
    const auto release = mapping.needed_text("release");
    const auto parsed = quality::parse_release(release);
    if (!parsed && !release.empty()) {
        findings.error(
            mapping.find("release")->at,
            fmt::format("release: \"{}\" is no minor release: write \"2.13\"", inert(release))
        );
    }
    std::string digest;
    if (const auto* const found = mapping.need("digest")) {
        digest = digest_of(*found, "digest", findings);
    }
    mapping.done();
    out.previous = quality::Previous{
        .release = parsed.value_or(quality::Release{}),
        .digest = std::move(digest),
        .at = position_of(node.at)
    };
}

} // namespace baton::wire
