#include "baton/wire/criteria_item.hpp"

#include "baton/base/text.hpp"
#include "baton/domain/profile.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/wire/quality_fields.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"
#include "baton/wire/yaml_mapping.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

using quality::Item;
using yaml::Findings;
using yaml::Kind;
using yaml::Mapping;
using yaml::Node;

namespace {

constexpr yaml::Range kPoints{.least = 0, .most = 1000};
constexpr yaml::Range kSomePoints{.least = 1, .most = 1000};
constexpr yaml::Range kPercent{.least = 1, .most = 100};
constexpr yaml::Range kDays{.least = 0, .most = 3660};
constexpr yaml::Range kRelayLevels{.least = 0, .most = 4};
constexpr yaml::Range kCounts{.least = 1, .most = 1'000'000'000};

constexpr std::array<yaml::Choice<quality::Kind>, 4> kKinds{{
    {.name = "bin", .value = quality::Kind::bin},
    {.name = "add", .value = quality::Kind::add},
    {.name = "step", .value = quality::Kind::step},
    {.name = "metric", .value = quality::Kind::metric},
}};

int small(std::optional<std::int64_t> number) {
    return static_cast<int>(number.value_or(0));
}

/// The children of a list; what is no list is noted and has none.
const std::vector<Node>& children_of(const Node& node, std::string_view what, Findings& findings) {
    static const std::vector<Node> kNone;
    if (node.kind == Kind::sequence) {
        return node.children;
    }
    findings.error(node.at, fmt::format("{}: expected a list, found {}", what, name_of(node.kind)));
    return kNone;
}

void read_parts(const Node& list, Item& item, Findings& findings) {
    std::set<std::string> ids;
    for (const auto& node : children_of(list, "parts", findings)) {
        Mapping part(node, "part", findings);
        quality::Part read{.id = part.needed_text("id"), .at = position_of(node.at)};
        read.points = part.need("points") ? small(part.number("points", kSomePoints)) : 0;
        read.text = part.text("text");
        part.done();
        if (part.ok() && !ids.insert(read.id).second) {
            findings.error(node.at, fmt::format("part {} stands twice", inert(read.id)));
        }
        item.parts.push_back(std::move(read));
    }
}

void read_steps(const Node& list, Item& item, Findings& findings) {
    for (const auto& node : children_of(list, "steps", findings)) {
        Mapping step(node, "step", findings);
        quality::Step read{.at = position_of(node.at)};
        read.percent = step.need("percent") ? small(step.number("percent", kPercent)) : 0;
        read.points = step.need("points") ? small(step.number("points", kSomePoints)) : 0;
        step.done();
        item.steps.push_back(read);
    }
}

void read_checks(const Node& list, Item& item, Findings& findings) {
    std::set<std::string> ids;
    for (const auto& node : children_of(list, "checks", findings)) {
        Mapping check(node, "check", findings);
        quality::Check read{
            .id = check.needed_text("id"),
            .text = check.text("text"),
            .only_class = check.text("only_class"),
            .at = position_of(node.at)
        };
        check.done();
        if (check.ok() && !ids.insert(read.id).second) {
            findings.error(node.at, fmt::format("check {} stands twice", inert(read.id)));
        }
        item.checks.push_back(std::move(read));
    }
}

/// "<= 72"
std::optional<quality::Limit> limit_of(const Node& node, Findings& findings) {
    const auto text = yaml::text_of(node, "limits", findings);
    if (!text) {
        return std::nullopt;
    }
    const auto blank = text->find(' ');
    const auto comparison = domain::comparison_named(text->substr(0, blank));
    const auto bound = blank == std::string::npos
                           ? std::nullopt
                           : quality::parse_amount(trimmed(std::string_view(*text).substr(blank)));
    if (!comparison || !bound) {
        findings.error(
            node.at,
            fmt::format("{}: \"{}\" is no limit: write \"<= 72\"", inert(node.key), inert(*text))
        );
        return std::nullopt;
    }
    return quality::Limit{.figure = node.key, .comparison = *comparison, .bound = *bound};
}

void read_limits(Mapping& rule, quality::AutoRule& out, Findings& findings) {
    const auto* const op = rule.find("op");
    const auto* const value = rule.find("value");
    const auto* const limits = rule.find("limits");
    if ((op == nullptr) != (value == nullptr) || (op != nullptr && limits != nullptr)) {
        findings.error(rule.at(), "auto: needs op and value, or limits, or none of them");
        return;
    }
    if (op != nullptr) {
        const auto name = yaml::text_of(*op, "op", findings);
        const auto comparison = name ? domain::comparison_named(*name) : std::nullopt;
        if (name && !comparison) {
            findings.error(op->at, fmt::format("op: \"{}\" is not <, <=, > or >=", inert(*name)));
        }
        const auto bound = amount_of(*value, "value", findings);
        if (comparison && bound) {
            out.limits.push_back({.figure = "percent", .comparison = *comparison, .bound = *bound});
        }
    }
    if (limits != nullptr && limits->kind != Kind::mapping) {
        findings.error(limits->at, "limits: expected a mapping of figures to limits");
    } else if (limits != nullptr) {
        for (const auto& child : limits->children) {
            if (auto limit = limit_of(child, findings)) {
                out.limits.push_back(*std::move(limit));
            }
        }
    }
}

void read_auto(const Node& node, Item& item, Findings& findings) {
    Mapping rule(node, "auto", findings);
    quality::AutoRule out{.metric = rule.needed_text("metric")};
    read_limits(rule, out, findings);
    out.window_days = small(rule.number("window_days", kDays));
    out.min_runs = small(rule.number("min_runs", kCounts));
    out.min_den = rule.number("min_den", kCounts).value_or(1);
    rule.done();
    item.automatic = std::move(out);
}

void read_evidence_rule(const Node& node, Item& item, Findings& findings) {
    Mapping rule(node, "evidence", findings);
    item.evidence = {
        .types = rule.texts("types"),
        .max_age_days = small(rule.number("max_age_days", kDays)),
        .of_release = rule.flag("of_release").value_or(false),
        .open = rule.flag("public").value_or(false)
    };
    rule.done();
}

/// What goes with which kind.
void lint_kind(const Node& node, const Item& item, Findings& findings) {
    const auto refuse = [&](std::string_view why) {
        findings.error(node.at, fmt::format("{}: {}", inert(item.id), why));
    };
    if ((item.kind == quality::Kind::add) == item.parts.empty()) {
        refuse("parts go with kind add, and it needs them");
    }
    if ((item.kind == quality::Kind::step) == item.steps.empty()) {
        refuse("steps go with kind step, and it needs them");
    }
    const bool limits = item.automatic && !item.automatic->limits.empty();
    if (item.kind == quality::Kind::metric && !limits) {
        refuse("kind metric needs auto with op and value, or limits");
    }
    if (item.kind == quality::Kind::step && limits) {
        refuse("its steps are its limits: auto has no others");
    }
}

} // namespace

std::optional<quality::Priority> read_priority(Mapping& mapping, std::string_view key) {
    constexpr std::array<yaml::Choice<quality::Priority>, 3> kPriorities{{
        {.name = "P0", .value = quality::Priority::p0},
        {.name = "P1", .value = quality::Priority::p1},
        {.name = "P2", .value = quality::Priority::p2},
    }};
    return mapping.choice<quality::Priority>(key, kPriorities);
}

quality::RelayRule read_relay_rule(const Node& node, Findings& findings) {
    Mapping rule(node, "relay", findings);
    const quality::RelayRule out{
        .needs = small(rule.number("needs", kRelayLevels)),
        .implies = small(rule.number("implies", kRelayLevels))
    };
    rule.done();
    return out;
}

Item read_item(const Node& node, Findings& findings) {
    Mapping mapping(node, "item", findings);
    Item item{
        .id = mapping.needed_text("id"),
        .section = mapping.needed_text("section"),
        .title = mapping.needed_text("title"),
        .text = mapping.text("text"),
        .at = position_of(node.at)
    };
    if (const auto* const doc = mapping.find("doc")) {
        Mapping printed(*doc, "doc", findings);
        item.doc_id = printed.text("id");
        item.category = printed.text("category");
        printed.done();
    }
    mapping.need("priority");
    item.priority = read_priority(mapping, "priority").value_or(item.priority);
    mapping.need("kind");
    item.kind = mapping.choice<quality::Kind>("kind", kKinds).value_or(item.kind);
    mapping.need("max");
    item.max = small(mapping.number("max", kPoints));
    const auto read = [&](std::string_view key, auto how) {
        if (const auto* const child = mapping.find(key)) {
            how(*child, item, findings);
        }
    };
    read("parts", read_parts);
    read("steps", read_steps);
    read("checks", read_checks);
    read("auto", read_auto);
    read("evidence", read_evidence_rule);
    item.exempt_without = mapping.text("exempt_without");
    if (const auto* const effort = mapping.find("effort")) {
        item.effort = effort_of(*effort, findings);
    }
    if (const auto* const relay = mapping.find("relay")) {
        item.relay = read_relay_rule(*relay, findings);
    }
    item.remedy = mapping.text("remedy");
    item.while_open = mapping.text("while_open");
    item.interpretations = mapping.texts("interpretations");
    mapping.done();
    if (mapping.ok()) {
        lint_kind(node, item, findings);
    }
    return item;
}

} // namespace baton::wire
