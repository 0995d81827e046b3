#pragma once

#include "baton/config/values.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace baton::config {

/// One mapping of the file. Unknown keys are noted when it is made; keys without a value count as
/// left out.
class Section {
public:
    struct Frame {
        std::string name; // "github."; empty for the whole file
        std::span<const std::string_view> known;
    };

    Section(const wire::yaml::Node& mapping, Frame frame, Values& values)
        : mapping_(mapping)
        , frame_(std::move(frame))
        , values_(values) {
        wire::yaml::refuse_unknown_keys(mapping, frame_.known, values.findings());
    }

    const wire::yaml::Node* find(std::string_view key) const {
        const auto* child = mapping_.find(key);
        return child == nullptr || child->kind == wire::yaml::Kind::null ? nullptr : child;
    }

    /// The mapping under `key`, or nullptr; anything else is noted.
    const wire::yaml::Node* mapping_at(std::string_view key) const {
        const auto* node = find(key);
        if (node != nullptr && node->kind != wire::yaml::Kind::mapping) {
            values_.note(
                *node,
                fmt::format("{}: expected a mapping, found {}", name(key), name_of(node->kind))
            );
            return nullptr;
        }
        return node;
    }

    std::string name(std::string_view key) const { return frame_.name + std::string(key); }

    /// Sets `into` to what `read(node, name)` makes of the key, if it is there and right.
    template <class T, class Read> void set(std::string_view key, T& into, Read read) {
        if (const auto* node = find(key)) {
            if (auto value = read(*node, name(key))) {
                into = *std::move(value);
            }
        }
    }

    /// The same, but the key has to be there; `advice` says what to add.
    template <class T, class Read>
    void need(std::string_view key, std::string_view advice, T& into, Read read) {
        if (find(key) == nullptr) {
            missing(key, advice);
        }
        set(key, into, std::move(read));
    }

    void missing(std::string_view key, std::string_view advice) {
        const bool nested = mapping_.key_at.line > 0;
        values_.findings().error(
            nested ? mapping_.key_at : mapping_.at,
            fmt::format("{} is missing: add {}", name(key), advice)
        );
    }

private:
    const wire::yaml::Node& mapping_;
    Frame frame_;
    Values& values_;
};

} // namespace baton::config
