#include "baton/wire/yaml_fields.hpp"

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire::yaml {

namespace {

bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
}

} // namespace

std::optional<std::string> text_of(const Node& node, std::string_view what, Findings& findings) {
    if (node.kind != Kind::scalar) {
        findings.error(
            node.at, fmt::format("{}: expected text, found {}", inert(what), name_of(node.kind))
        );
        return std::nullopt;
    }
    const auto text = trimmed(node.text);
    if (text.empty()) {
        findings.error(node.at, fmt::format("{}: is empty", inert(what)));
        return std::nullopt;
    }
    if (std::ranges::any_of(text, is_control) || broken_utf8_at(text)) {
        findings.error(
            node.at, fmt::format("{}: \"{}\" holds a control character", inert(what), inert(text))
        );
        return std::nullopt;
    }
    return std::string(text);
}

std::optional<std::int64_t>
number_of(const Node& node, std::string_view what, Range range, Findings& findings) {
    const auto text = text_of(node, what, findings);
    if (!text) {
        return std::nullopt;
    }
    const auto value = whole_number(*text);
    if (!value || *value < range.least || *value > range.most) {
        findings.error(
            node.at,
            fmt::format(
                "{}: \"{}\" is not a whole number from {} to {}",
                inert(what),
                inert(*text),
                range.least,
                range.most
            )
        );
        return std::nullopt;
    }
    return value;
}

std::optional<Millis> duration_of(const Node& node, std::string_view what, Findings& findings) {
    const auto text = text_of(node, what, findings);
    if (!text) {
        return std::nullopt;
    }
    const auto duration = parse_duration(*text);
    if (!duration) {
        findings.error(node.at, fmt::format("{}: {}", inert(what), duration.error().detail));
        return std::nullopt;
    }
    if (*duration == Millis{0}) {
        findings.error(node.at, fmt::format("{}: has to be more than 0", inert(what)));
        return std::nullopt;
    }
    return *duration;
}

std::optional<std::vector<std::string>>
texts_of(const Node& node, std::string_view what, Findings& findings) {
    if (node.kind != Kind::sequence) {
        const auto hint =
            node.kind == Kind::scalar ? fmt::format(": write [{}]", inert(node.text)) : "";
        findings.error(
            node.at,
            fmt::format("{}: expected a list, found {}{}", inert(what), name_of(node.kind), hint)
        );
        return std::nullopt;
    }
    std::vector<std::string> texts;
    std::set<std::string> seen;
    for (const auto& item : node.children) {
        auto text = text_of(item, what, findings);
        if (!text) {
            continue;
        }
        if (!seen.insert(*text).second) {
            findings.error(
                item.at, fmt::format("{}: \"{}\" stands twice", inert(what), inert(*text))
            );
            continue;
        }
        texts.push_back(*std::move(text));
    }
    return texts;
}

namespace {

/// The nearest of the known keys, or all of them when none is near and they are few.
std::string hint_of(std::string_view key, std::span<const std::string_view> known) {
    constexpr std::size_t kFew = 8;
    if (auto near = did_you_mean(key, known); !near.empty() || known.size() > kFew) {
        return near;
    }
    return fmt::format("; write {}", listing(known));
}

} // namespace

void refuse_unknown_keys(
    const Node& mapping, std::span<const std::string_view> known, Findings& findings
) {
    for (const auto& child : mapping.children) {
        if (std::ranges::find(known, child.key) == known.end()) {
            findings.error(
                child.key_at,
                fmt::format("unknown key \"{}\"{}", inert(child.key), hint_of(child.key, known))
            );
        }
    }
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
    const auto near = nearest(word, candidates);
    return near ? fmt::format("; did you mean \"{}\"?", *near) : "";
}

std::string listing(std::span<const std::string_view> names) {
    std::string out;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) {
            out += i + 1 == names.size() ? " or " : ", ";
        }
        out += names[i];
    }
    return out;
}

} // namespace baton::wire::yaml
