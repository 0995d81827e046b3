#include "baton/wire/quality_fields.hpp"

#include "baton/base/text.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

using yaml::Findings;
using yaml::Kind;
using yaml::Node;

namespace {

constexpr std::int64_t kEffortMax = 100'000;

} // namespace

quality::Position position_of(yaml::Place place) {
    return {.line = place.line, .column = place.column};
}

quality::Effort effort_of(const Node& node, Findings& findings) {
    quality::Effort effort;
    const auto number = [&](const Node& one, std::string_view what) -> std::optional<int> {
        const auto value = yaml::number_of(one, what, {.least = 0, .most = kEffortMax}, findings);
        return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
    };
    if (node.kind != Kind::mapping) {
        effort.whole = number(node, "effort");
        return effort;
    }
    for (const auto& child : node.children) {
        if (const auto value = number(child, "effort")) {
            effort.each.emplace(child.key, *value);
        }
    }
    return effort;
}

std::optional<quality::Amount>
amount_of(const Node& node, std::string_view what, Findings& findings) {
    const auto text = yaml::text_of(node, what, findings);
    if (!text) {
        return std::nullopt;
    }
    const auto amount = quality::parse_amount(*text);
    if (!amount) {
        findings.error(
            node.at,
            fmt::format(
                "{}: \"{}\" is not a number from 0 to 1000000 with at most three decimals",
                inert(what),
                inert(*text)
            )
        );
    }
    return amount;
}

std::optional<quality::Day> day_of(const Node& node, std::string_view what, Findings& findings) {
    const auto text = yaml::text_of(node, what, findings);
    if (!text) {
        return std::nullopt;
    }
    const auto day = quality::parse_day(*text);
    if (!day) {
        findings.error(
            node.at,
            fmt::format("{}: \"{}\" is no day: write 2026-11-16", inert(what), inert(*text))
        );
    }
    return day;
}

std::string digest_of(const Node& node, std::string_view what, Findings& findings) {
    const auto text = yaml::text_of(node, what, findings);
    if (text && !crypto::sha256_from_hex(*text)) {
        findings.error(
            node.at,
            fmt::format("{}: \"{}\" is not 64 lower-case hex digits", inert(what), inert(*text))
        );
        return "";
    }
    return text.value_or("");
}

void check_schema(const Node& root, std::string_view expected, Findings& findings) {
    const auto* const schema = root.find("schema");
    if (schema == nullptr) {
        findings.error(root.at, fmt::format("schema is missing: write schema: {}", expected));
    } else if (const auto text = yaml::text_of(*schema, "schema", findings);
               text && *text != expected) {
        findings.error(schema->at, fmt::format("schema: \"{}\" is not {}", inert(*text), expected));
    }
}

std::vector<quality::Finding> coded(std::vector<domain::Finding> findings, std::string_view code) {
    std::vector<quality::Finding> out;
    for (auto& finding : findings) {
        out.push_back(
            {.code = std::string(code),
             .severity = finding.severity,
             .at = {.line = finding.line, .column = finding.column},
             .message = std::move(finding.message),
             .hint = {}}
        );
    }
    return out;
}

} // namespace baton::wire
