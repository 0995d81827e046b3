#include "baton/wire/assessment.hpp"

#include "baton/base/text.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/readings.hpp"
#include "baton/wire/assessment_parts.hpp"
#include "baton/wire/json_text.hpp"
#include "baton/wire/quality_fields.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"
#include "baton/wire/yaml_mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

using quality::Assessment;
using quality::Status;
using yaml::Choice;
using yaml::Findings;
using yaml::Kind;
using yaml::Mapping;
using yaml::Node;

constexpr std::size_t kEntriesMax = 1000; // of evidence, and of items

constexpr std::array<Choice<Status>, 4> kStatus{{
    {.name = "draft", .value = Status::draft},
    {.name = "submitted", .value = Status::submitted},
    {.name = "reviewed", .value = Status::reviewed},
    {.name = "decided", .value = Status::decided},
}};

/// Every scalar a string, keys by their bytes; docs/design/quality.md, "Digests".
void append_canonical(const Node& node, std::string& out) {
    switch (node.kind) {
    case Kind::null:
        out += "null";
        return;
    case Kind::scalar:
        append_json_quoted(out, node.text);
        return;
    case Kind::sequence:
    case Kind::mapping:
        break;
    }
    std::vector<const Node*> children;
    for (const auto& child : node.children) {
        children.push_back(&child);
    }
    const bool keyed = node.kind == Kind::mapping;
    if (keyed) {
        std::ranges::sort(children, {}, [](const Node* child) { return child->key; });
    }
    out += keyed ? '{' : '[';
    for (const auto* child : children) {
        if (child != children.front()) {
            out += ',';
        }
        if (keyed) {
            append_json_quoted(out, child->key);
            out += ':';
        }
        append_canonical(*child, out);
    }
    out += keyed ? '}' : ']';
}

std::string digest_of(Node root) {
    std::erase_if(root.children, [](const Node& child) { return child.key == "signatures"; });
    std::string canonical;
    append_canonical(root, canonical);
    return crypto::sha256_hex(canonical);
}

/// Goes through the tree once and notes everything it meets.
class Reader {
public:
    explicit Reader(Findings& findings)
        : findings_(findings) {}

    Assessment take() { return std::move(out_); }

    void read_root(const Node& node) {
        Mapping root(node, "assessment", findings_);
        if (!root.ok()) {
            return;
        }
        check_schema(node, "cpq-assessment/1", findings_);
        root.find("schema");
        if (const auto* const criteria = root.need("criteria")) {
            read_criteria_name(*criteria);
        }
        if (const auto* const platform = root.need("platform")) {
            out_.platform = read_platform(*platform, findings_);
        }
        if (const auto* const release = root.need("release")) {
            read_release(*release);
        }
        if (const auto* const assessed = root.need("assessed")) {
            read_assessed(*assessed);
        }
        if (const auto* const evidence = root.find("evidence"); is_mapping(evidence)) {
            for (const auto& child : evidence->children) {
                out_.evidence.push_back(read_evidence(child, findings_));
            }
        }
        if (const auto* const items = root.need("items"); is_mapping(items)) {
            out_.items_at = position_of(items->key_at);
            for (const auto& child : items->children) {
                out_.claims.push_back(read_claim(child, findings_));
            }
        }
        const auto read = [&](std::string_view key, auto how) {
            if (const auto* const child = root.find(key)) {
                how(*child, out_, findings_);
            }
        };
        read("previous", read_previous);
        read("support", read_support);
        read("process", read_process);
        read("decision", read_decision);
        read("facts", read_facts);
        read("signatures", read_signatures);
        root.done();
    }

private:
    bool is_mapping(const Node* node) {
        if (node != nullptr && node->kind != Kind::mapping) {
            findings_.error(
                node->at,
                fmt::format(
                    "{}: expected a mapping, found {}", inert(node->key), name_of(node->kind)
                )
            );
        }
        if (node != nullptr && node->children.size() > kEntriesMax) {
            findings_.error(
                node->at, fmt::format("{}: more than {}", inert(node->key), kEntriesMax)
            );
            return false;
        }
        return node != nullptr && node->kind == Kind::mapping;
    }

    void read_criteria_name(const Node& node) {
        Mapping criteria(node, "criteria", findings_);
        out_.criteria_at = position_of(node.at);
        out_.set = criteria.needed_text("set");
        out_.version = criteria.needed_text("version");
        std::vector<Choice<quality::Reading>> readings;
        for (const auto reading : quality::kReadings) {
            readings.push_back({.name = name_of(reading), .value = reading});
        }
        out_.reading = criteria.choice<quality::Reading>("reading", readings);
        criteria.done();
    }

    void read_release(const Node& node) {
        Mapping release(node, "release", findings_);
        out_.release_at = position_of(node.at);
        const auto text = release.needed_text("pytorch");
        if (const auto parsed = quality::parse_release(text)) {
            out_.release = *parsed;
        } else if (!text.empty()) {
            findings_.error(
                release.find("pytorch")->at,
                fmt::format("pytorch: \"{}\" is no minor release: write \"2.14\"", inert(text))
            );
        }
        if (const auto* const released = release.find("released")) {
            out_.released = day_of(*released, "released", findings_);
        }
        release.done();
    }

    void read_assessed(const Node& node) {
        Mapping assessed(node, "assessed", findings_);
        out_.assessed.at = position_of(node.at);
        if (const auto* const on = assessed.need("on")) {
            out_.assessed.on = day_of(*on, "on", findings_);
        }
        out_.assessed.by = assessed.texts("by");
        out_.assessed.status = assessed.choice<Status>("status", kStatus).value_or(Status::draft);
        out_.assessed.requests = assessed.text("requests");
        assessed.done();
    }

    Findings& findings_;
    Assessment out_;
};

} // namespace

AssessmentReading read_assessment(std::string_view text) {
    Findings findings;
    Reader reader(findings);
    AssessmentReading reading;
    const auto root = yaml::read(text, findings);
    reading.is_yaml = root.has_value();
    if (root) {
        reader.read_root(*root);
    }
    if (!findings.any_errors()) {
        reading.assessment = reader.take();
        reading.assessment->digest = digest_of(*root);
    }
    reading.findings = coded(std::move(findings).take(), "Q040");
    return reading;
}

} // namespace baton::wire
