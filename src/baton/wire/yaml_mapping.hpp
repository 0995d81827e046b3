#pragma once

#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire::yaml {

/// A mapping that is read key by key; `done` then refuses the keys that nobody asked for. What is
/// no mapping is noted once and holds nothing.
class Mapping {
public:
    /// `what` names it in findings ("printed").
    Mapping(const Node& node, std::string_view what, Findings& findings);

    bool ok() const { return ok_; }

    Place at() const { return node_.at; }

    /// nullptr when it is not there.
    const Node* find(std::string_view key);
    /// The same, and its absence is an error.
    const Node* need(std::string_view key);

    /// Empty when it is not there or wrong.
    std::string text(std::string_view key);
    std::string needed_text(std::string_view key);
    std::vector<std::string> texts(std::string_view key);

    std::optional<std::int64_t> number(std::string_view key, Range range);
    std::optional<bool> flag(std::string_view key);

    template <class T>
    std::optional<T> choice(std::string_view key, std::span<const Choice<T>> choices) {
        const auto* const node = find(key);
        return node == nullptr ? std::nullopt : choice_of<T>(*node, key, choices, findings_);
    }

    void done();

private:
    const Node& node_;
    std::string what_;
    Findings& findings_;
    bool ok_;
    std::vector<std::string_view> known_;
};

} // namespace baton::wire::yaml
