#pragma once

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Reads one value of a YAML tree as what it is meant to be. `what` names the value in the finding
/// ("events"). nullopt always means that a finding was noted.
namespace baton::wire::yaml {

/// Not blank, without control characters, blanks at both ends dropped.
std::optional<std::string> text_of(const Node& node, std::string_view what, Findings& findings);

struct Range {
    std::int64_t least{0};
    std::int64_t most{0};
};

/// Digits only, within the range.
std::optional<std::int64_t>
number_of(const Node& node, std::string_view what, Range range, Findings& findings);

/// `90s`, `15m`, `2h`, `7d`; more than nothing.
std::optional<Millis> duration_of(const Node& node, std::string_view what, Findings& findings);

/// A list of texts, each once. Items that are wrong are noted and left out.
std::optional<std::vector<std::string>>
texts_of(const Node& node, std::string_view what, Findings& findings);

/// Notes every key of the mapping that is not among the known ones, with what to write instead.
void refuse_unknown_keys(
    const Node& mapping, std::span<const std::string_view> known, Findings& findings
);

/// `; did you mean "oncalls"?`, or nothing when no candidate is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

template <class T> struct Choice {
    std::string_view name;
    T value;
};

/// "a, b or c"
std::string listing(std::span<const std::string_view> names);

/// One of a few words.
template <class T>
std::optional<T> choice_of(
    const Node& node, std::string_view what, std::span<const Choice<T>> choices, Findings& findings
) {
    std::vector<std::string_view> names;
    for (const auto& choice : choices) {
        if (node.kind == Kind::scalar && node.text == choice.name) {
            return choice.value;
        }
        names.push_back(choice.name);
    }
    const auto text = text_of(node, what, findings);
    if (text) {
        findings.error(
            node.at, fmt::format("{}: \"{}\" is not {}", what, inert(*text), listing(names))
        );
    }
    return std::nullopt;
}

} // namespace baton::wire::yaml
