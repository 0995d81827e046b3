// Claims and what they rest on.

#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/wire/assessment_parts.hpp"
#include "baton/wire/quality_fields.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"
#include "baton/wire/yaml_mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

using quality::Claim;
using quality::ClaimKind;
using quality::Evidence;
using yaml::Choice;
using yaml::Findings;
using yaml::Kind;
using yaml::Mapping;
using yaml::Node;

namespace {

constexpr yaml::Range kCounts{.least = 0, .most = 1'000'000'000};
constexpr std::size_t kReferencesMax = 100; // of one claim
constexpr yaml::Range kPoints{.least = 0, .most = 1000};

constexpr std::array<Choice<ClaimKind>, 6> kClaims{{
    {.name = "met", .value = ClaimKind::met},
    {.name = "unmet", .value = ClaimKind::unmet},
    {.name = "partial", .value = ClaimKind::partial},
    {.name = "measured", .value = ClaimKind::measured},
    {.name = "unknown", .value = ClaimKind::unknown},
    {.name = "exempt", .value = ClaimKind::exempt},
}};

constexpr std::array<Choice<quality::CheckState>, 3> kCheckStates{{
    {.name = "pass", .value = quality::CheckState::pass},
    {.name = "fail", .value = quality::CheckState::fail},
    {.name = "unknown", .value = quality::CheckState::unknown},
}};

constexpr std::array<Choice<quality::ReviewVerdict>, 3> kVerdicts{{
    {.name = "accept", .value = quality::ReviewVerdict::accept},
    {.name = "reject", .value = quality::ReviewVerdict::reject},
    {.name = "adjust", .value = quality::ReviewVerdict::adjust},
}};

std::vector<quality::Reference>
references_of(Mapping& mapping, std::string_view key, Findings& findings) {
    std::vector<quality::Reference> all;
    const auto* const node = mapping.find(key);
    if (node == nullptr || !yaml::texts_of(*node, key, findings)) {
        return all;
    }
    if (node->children.size() > kReferencesMax) {
        findings.error(node->at, fmt::format("{}: more than {}", key, kReferencesMax));
        return all;
    }
    for (const auto& child : node->children) {
        if (child.kind == Kind::scalar) {
            all.push_back({.id = std::string(trimmed(child.text)), .at = position_of(child.at)});
        }
    }
    return all;
}

void read_checks(const Node& node, Claim& claim, Findings& findings) {
    if (node.kind != Kind::mapping) {
        findings.error(node.at, "checks: expected a mapping of checks to pass, fail or unknown");
        return;
    }
    for (const auto& child : node.children) {
        if (const auto state =
                yaml::choice_of<quality::CheckState>(child, "checks", kCheckStates, findings)) {
            claim.checks.emplace(child.key, *state);
        }
    }
}

quality::Review read_review(const Node& node, Findings& findings) {
    Mapping mapping(node, "review", findings);
    quality::Review review{
        .by = mapping.needed_text("by"),
        .on = std::nullopt,
        .reason = mapping.text("reason"),
        .at = position_of(node.at)
    };
    if (const auto* const on = mapping.find("on")) {
        review.on = day_of(*on, "on", findings);
    }
    mapping.need("verdict");
    review.verdict = mapping.choice<quality::ReviewVerdict>("verdict", kVerdicts)
                         .value_or(quality::ReviewVerdict::accept);
    const auto points = mapping.number("points", kPoints);
    if (points.has_value() != (review.verdict == quality::ReviewVerdict::adjust)) {
        findings.error(node.at, "review: points go with verdict adjust, and it needs them");
    }
    review.points = static_cast<int>(points.value_or(0));
    mapping.done();
    return review;
}

void read_blocked(const Node& node, Claim& claim, Findings& findings) {
    if (node.kind == Kind::sequence) {
        claim.blocked_options =
            yaml::texts_of(node, "blocked", findings).value_or(std::vector<std::string>{});
        return;
    }
    constexpr std::array<Choice<bool>, 2> kFlags{
        {{.name = "true", .value = true}, {.name = "false", .value = false}}
    };
    claim.blocked = yaml::choice_of<bool>(node, "blocked", kFlags, findings).value_or(false);
}

/// `2026-08-01/2026-10-12`
std::optional<quality::Window> window_of(const Node& node, Findings& findings) {
    const auto text = yaml::text_of(node, "window", findings);
    if (!text) {
        return std::nullopt;
    }
    const auto slash = text->find('/');
    const auto from = quality::parse_day(text->substr(0, slash));
    const auto to =
        slash == std::string::npos ? std::nullopt : quality::parse_day(text->substr(slash + 1));
    if (!from || !to || *to < *from) {
        findings.error(
            node.at,
            fmt::format("window: \"{}\" is none: write 2026-08-01/2026-10-12", inert(*text))
        );
        return std::nullopt;
    }
    return quality::Window{.from = *from, .to = *to};
}

/// Inside the folder of the assessment, whoever wrote it.
void check_path(const Node& node, std::string_view path, Findings& findings) {
    bool climbs = path.starts_with('/') || path.find('\\') != std::string_view::npos;
    for (std::size_t at = 0; at <= path.size();) {
        const auto end = std::min(path.find('/', at), path.size());
        climbs = climbs || path.substr(at, end - at) == "..";
        at = end + 1;
    }
    if (climbs) {
        findings.error(
            node.at,
            fmt::format(
                "file: \"{}\" has to lie in the folder of the assessment or below", inert(path)
            )
        );
    }
}

} // namespace

quality::Value read_value(const Node& node, Findings& findings) {
    quality::Value value{.num = std::nullopt, .den = std::nullopt, .at = position_of(node.at)};
    if (node.kind != Kind::mapping) {
        findings.error(node.at, "value: expected {num: N, den: M} or named figures");
        return value;
    }
    for (const auto& child : node.children) {
        if (child.key == "num" || child.key == "den") {
            (child.key == "num" ? value.num : value.den) =
                yaml::number_of(child, child.key, kCounts, findings);
        } else if (const auto amount = amount_of(child, child.key, findings)) {
            value.figures.emplace(child.key, *amount);
        }
    }
    return value;
}

Claim read_claim(const Node& node, Findings& findings) {
    Mapping mapping(node, inert(node.key), findings);
    Claim claim{.item = node.key, .at = position_of(node.at), .key_at = position_of(node.key_at)};
    mapping.need("claim");
    claim.kind = mapping.choice<ClaimKind>("claim", kClaims).value_or(ClaimKind::unknown);
    claim.evidence = references_of(mapping, "ev", findings);
    claim.parts = references_of(mapping, "parts", findings);
    constexpr std::array<Choice<bool>, 2> kRest{
        {{.name = "unmet", .value = false}, {.name = "unknown", .value = true}}
    };
    claim.rest_unknown = mapping.choice<bool>("rest", kRest).value_or(false);
    if (const auto* const checks = mapping.find("checks")) {
        read_checks(*checks, claim, findings);
    }
    if (const auto* const value = mapping.find("value")) {
        claim.value = read_value(*value, findings);
    }
    if (const auto* const effort = mapping.find("effort")) {
        claim.effort = effort_of(*effort, findings);
    }
    if (const auto* const blocked = mapping.find("blocked")) {
        read_blocked(*blocked, claim, findings);
    }
    claim.needs = mapping.texts("requires");
    claim.reason = mapping.text("reason");
    claim.plan = mapping.text("plan");
    claim.note = mapping.text("note");
    if (const auto* const review = mapping.find("review")) {
        claim.review = read_review(*review, findings);
    }
    mapping.done();
    return claim;
}

Evidence read_evidence(const Node& node, Findings& findings) {
    Mapping mapping(node, inert(node.key), findings);
    Evidence evidence{.id = node.key, .at = position_of(node.at)};
    std::vector<Choice<std::string_view>> types;
    for (const auto type : quality::kEvidenceTypes) {
        types.push_back({.name = type, .value = type});
    }
    mapping.need("type");
    evidence.type = mapping.choice<std::string_view>("type", types).value_or("");
    evidence.file = mapping.text("file");
    if (!evidence.file.empty()) {
        check_path(*mapping.find("file"), evidence.file, findings);
    }
    evidence.url = mapping.text("url");
    if (const auto* const sha256 = mapping.find("sha256")) {
        evidence.sha256 = digest_of(*sha256, "sha256", findings);
    }
    if (const auto* const digest = mapping.find("digest")) {
        evidence.digest = digest_of(*digest, "digest", findings);
    }
    if (const auto* const captured = mapping.find("captured")) {
        evidence.captured = day_of(*captured, "captured", findings);
    }
    if (const auto* const window = mapping.find("window")) {
        evidence.window = window_of(*window, findings);
    }
    evidence.metric = mapping.text("metric");
    evidence.run = mapping.text("run");
    evidence.query = mapping.text("query");
    evidence.signed_by = mapping.text("signed_by");
    evidence.open = mapping.flag("public").value_or(true);
    evidence.note = mapping.text("note");
    mapping.done();
    const bool points_nowhere = evidence.file.empty() && evidence.url.empty() &&
                                evidence.run.empty() && evidence.query.empty() && !evidence.window;
    if (mapping.ok() && points_nowhere) {
        findings.error(
            node.at, fmt::format("{}: needs one of file, url, run, window, query", inert(node.key))
        );
    }
    return evidence;
}

} // namespace baton::wire
