#include "baton/wire/assessment_patch.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/filling.hpp"
#include "baton/quality/metric.hpp"
#include "baton/wire/assessment.hpp"
#include "baton/wire/json_text.hpp"
#include "baton/wire/text_splices.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

using quality::Claim;
using yaml::Kind;
using yaml::Node;

/// A key and what stands under it.
struct Line {
    std::string key;
    std::string value;
};

std::string text_of(const quality::Value& value) {
    std::vector<std::string> parts;
    if (value.num && value.den) {
        parts.push_back(fmt::format("num: {}, den: {}", *value.num, *value.den));
    }
    for (const auto& [name, amount] : value.figures) {
        parts.push_back(fmt::format("{}: {}", name, quality::to_text(amount)));
    }
    return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

std::vector<std::string> ids_of(const std::vector<quality::Reference>& references) {
    std::vector<std::string> ids;
    for (const auto& reference : references) {
        ids.push_back(reference.id);
    }
    return ids;
}

/// Everything of a claim but its kind.
std::vector<Line> lines_of(const Claim& claim) {
    std::vector<Line> lines;
    if (claim.value) {
        lines.push_back({.key = "value", .value = text_of(*claim.value)});
    }
    if (!claim.parts.empty()) {
        lines.push_back(
            {.key = "parts", .value = fmt::format("[{}]", fmt::join(ids_of(claim.parts), ", "))}
        );
    }
    if (claim.rest_unknown) {
        lines.push_back({.key = "rest", .value = "unknown"});
    }
    lines.push_back(
        {.key = "ev", .value = fmt::format("[{}]", fmt::join(ids_of(claim.evidence), ", "))}
    );
    if (!claim.note.empty()) {
        lines.push_back({.key = "note", .value = json_quoted(claim.note)});
    }
    return lines;
}

std::vector<Line> lines_of(const quality::RelayFacts& facts) {
    std::vector<Line> lines;
    if (facts.relay_level) {
        lines.push_back({.key = "relay_level", .value = fmt::format("{}", *facts.relay_level)});
    }
    if (!facts.baseline.empty()) {
        std::vector<std::string> all;
        for (const auto& [item, den] : facts.baseline) {
            all.push_back(fmt::format("{}: {}", item, den));
        }
        lines.push_back({.key = "baseline", .value = fmt::format("{{{}}}", fmt::join(all, ", "))});
    }
    if (facts.flaky_observed) {
        lines.push_back({.key = "flaky_observed", .value = text_of(*facts.flaky_observed)});
    }
    if (!facts.reporting.empty()) {
        lines.push_back(
            {.key = "reporting", .value = fmt::format("[{}]", fmt::join(facts.reporting, ", "))}
        );
    }
    return lines;
}

Line evidence_line(const AssessmentPatch& patch) {
    const auto& evidence = patch.evidence;
    const auto day = quality::to_text(patch.snapshot.as_of);
    const auto run = fmt::format("relay:{}@{}", patch.snapshot.repo, day);
    const auto what =
        evidence.file.empty()
            ? fmt::format("digest: \"{}\"", evidence.digest)
            : fmt::format("file: {}, sha256: \"{}\"", json_quoted(evidence.file), evidence.digest);
    return {
        .key = evidence.id,
        .value = fmt::format(
            "{{type: ci-metric, metric: cpq-metrics/1, run: {}, captured: {}, {}}}",
            json_quoted(run),
            day,
            what
        ),
    };
}

std::string in_braces(const Claim& claim) {
    std::string out = fmt::format("{{claim: {}", name_of(claim.kind));
    for (const auto& [key, value] : lines_of(claim)) {
        out += fmt::format(", {}: {}", key, value);
    }
    return out + "}";
}

/// Puts the parts of a filling into one text.
class Patcher {
public:
    Patcher(std::string_view text, const Node& root)
        : splices_(text)
        , root_(root) {}

    Result<std::string> apply(const AssessmentPatch& patch) {
        const auto* const items = root_.find("items");
        for (const auto& claim : patch.filling.claims) {
            const auto* const node = items == nullptr ? nullptr : items->find(claim.item);
            if (node == nullptr || !replace_claim(*node, claim)) {
                return fail(
                    Errc::invalid, fmt::format("{} cannot be changed where it stands", claim.item)
                );
            }
        }
        if (!patch.filling.claims.empty()) {
            if (!add_to("evidence", {evidence_line(patch)}, items)) {
                return fail(Errc::invalid, "evidence cannot be added where it stands");
            }
        }
        if (!add_to("facts", missing_facts(patch.filling.facts), nullptr)) {
            return fail(Errc::invalid, "facts cannot be added where they stand");
        }
        return splices_.text();
    }

private:
    bool is_flow(const Node& node) const {
        return splices_.at(node.at.line, node.at.column) == '{';
    }

    /// `unknown` gives way to the new kind, and the rest comes behind it.
    bool replace_claim(const Node& node, const Claim& claim) {
        const auto* const kind = node.find("claim");
        if (kind == nullptr || kind->text != "unknown") {
            return false;
        }
        auto lines = lines_of(claim);
        std::erase_if(lines, [&node](const Line& line) { return node.find(line.key) != nullptr; });
        const auto written = kind->quoted ? kind->text.size() + 2 : kind->text.size();
        std::string instead(name_of(claim.kind));
        if (is_flow(node)) {
            for (const auto& [key, value] : lines) {
                instead += fmt::format(", {}: {}", key, value);
            }
            return splices_.replace(kind->at.line, kind->at.column, written, instead);
        }
        const auto indent = static_cast<std::size_t>(kind->key_at.column - 1);
        for (const auto& [key, value] : lines) {
            splices_.add_line_after(
                kind->at.line, fmt::format("{:{}}{}: {}", "", indent, key, value)
            );
        }
        return splices_.replace(kind->at.line, kind->at.column, written, instead);
    }

    std::vector<Line> missing_facts(const quality::RelayFacts& facts) const {
        auto lines = lines_of(facts);
        if (const auto* const known = root_.find("facts")) {
            std::erase_if(lines, [known](const Line& line) {
                return known->find(line.key) != nullptr;
            });
        }
        return lines;
    }

    /// Under a key of the file, first of all; a key that is not there comes before `before`, or
    /// last.
    bool add_to(std::string_view key, const std::vector<Line>& lines, const Node* before) {
        if (lines.empty()) {
            return true;
        }
        const auto* const node = root_.find(key);
        if (node == nullptr) {
            std::string block = fmt::format("{}:", key);
            for (const auto& [name, value] : lines) {
                block += fmt::format("{}  {}: {}", splices_.line_end(), name, value);
            }
            before == nullptr ? splices_.add_last_line(block)
                              : splices_.add_line_before(before->key_at.line, block);
            return true;
        }
        if (node->kind == Kind::mapping && !node->children.empty() && is_flow(*node)) {
            std::string first;
            for (const auto& [name, value] : lines) {
                first += fmt::format("{}: {}, ", name, value);
            }
            return splices_.replace(node->at.line, node->at.column + 1, 0, first);
        }
        if (node->kind == Kind::mapping && node->children.empty()) {
            constexpr std::string_view kEmpty = " {}";
            if (!splices_.replace(node->at.line, node->at.column - 1, kEmpty, "")) {
                return false;
            }
        }
        const bool block = node->kind == Kind::mapping && !node->children.empty();
        const auto indent = block
                                ? static_cast<std::size_t>(node->children.front().key_at.column - 1)
                                : std::size_t{2};
        for (const auto& [name, value] : lines) {
            splices_.add_line_after(
                node->key_at.line, fmt::format("{:{}}{}: {}", "", indent, name, value)
            );
        }
        return true;
    }

    TextSplices splices_;
    const Node& root_;
};

bool is_as_filled(const Claim& found, const Claim& wanted) {
    const auto values = [](const Claim& claim) {
        return claim.value ? text_of(*claim.value) : std::string();
    };
    return found.kind == wanted.kind && values(found) == values(wanted) &&
           ids_of(found.evidence) == ids_of(wanted.evidence) &&
           ids_of(found.parts) == ids_of(wanted.parts);
}

/// Nothing but what was meant to change has changed.
bool is_what_was_meant(
    const quality::Assessment& before,
    const quality::Assessment& after,
    const AssessmentPatch& patch
) {
    const auto& claims = patch.filling.claims;
    for (const auto& old : before.claims) {
        const auto meant = std::ranges::find(claims, old.item, &Claim::item);
        const auto* const now = after.claim(old.item);
        if (now == nullptr || !is_as_filled(*now, meant == claims.end() ? old : *meant)) {
            return false;
        }
    }
    const std::size_t more = claims.empty() ? 0 : 1;
    return after.claims.size() == before.claims.size() &&
           after.evidence.size() == before.evidence.size() + more &&
           after.platform.id == before.platform.id && after.release == before.release &&
           after.support.size() == before.support.size() &&
           after.process.steps.size() == before.process.steps.size() &&
           after.decision.has_value() == before.decision.has_value() &&
           after.signatures.size() == before.signatures.size();
}

} // namespace

std::string yaml_of(const AssessmentPatch& patch) {
    std::string out;
    if (!patch.filling.claims.empty()) {
        const auto evidence = evidence_line(patch);
        out += fmt::format("evidence:\n  {}: {}\nitems:\n", evidence.key, evidence.value);
    }
    for (const auto& claim : patch.filling.claims) {
        out += fmt::format("  {}: {}\n", claim.item, in_braces(claim));
    }
    out += "facts:\n";
    for (const auto& [key, value] : lines_of(patch.filling.facts)) {
        out += fmt::format("  {}: {}\n", key, value);
    }
    return out;
}

Result<std::string> patched(std::string_view text, const AssessmentPatch& patch) {
    yaml::Findings findings;
    const auto root = yaml::read(text, findings);
    const auto before = read_assessment(text);
    if (!root || !before.assessment) {
        return fail(Errc::invalid, "it is no assessment that can be read");
    }
    BATON_TRY(auto changed, Patcher(text, *root).apply(patch));
    const auto after = read_assessment(changed);
    if (!after.assessment || !is_what_was_meant(*before.assessment, *after.assessment, patch)) {
        return fail(Errc::invalid, "it is written in a way that only a person can add to");
    }
    return changed;
}

} // namespace baton::wire
