#include "baton/wire/yaml_mapping.hpp"

#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire::yaml {

Mapping::Mapping(const Node& node, std::string_view what, Findings& findings)
    : node_(node)
    , what_(what)
    , findings_(findings)
    , ok_(node.kind == Kind::mapping) {
    if (!ok_) {
        // an empty file has no node, and its reader still wants a place
        const auto place = node.at.line == 0 ? Place{.line = 1, .column = 1} : node.at;
        findings_.error(
            place, fmt::format("{}: expected a mapping, found {}", what, name_of(node.kind))
        );
    }
}

const Node* Mapping::find(std::string_view key) {
    known_.push_back(key);
    return ok_ ? node_.find(key) : nullptr;
}

const Node* Mapping::need(std::string_view key) {
    const auto* const found = find(key);
    if (found == nullptr && ok_) {
        findings_.error(node_.at, fmt::format("{}: {} is missing", what_, key));
    }
    return found;
}

std::string Mapping::text(std::string_view key) {
    const auto* const node = find(key);
    return node == nullptr ? "" : text_of(*node, key, findings_).value_or("");
}

std::string Mapping::needed_text(std::string_view key) {
    const auto* const node = need(key);
    return node == nullptr ? "" : text_of(*node, key, findings_).value_or("");
}

std::vector<std::string> Mapping::texts(std::string_view key) {
    const auto* const node = find(key);
    return node == nullptr ? std::vector<std::string>{}
                           : texts_of(*node, key, findings_).value_or(std::vector<std::string>{});
}

std::optional<std::int64_t> Mapping::number(std::string_view key, Range range) {
    const auto* const node = find(key);
    return node == nullptr ? std::nullopt : number_of(*node, key, range, findings_);
}

std::optional<bool> Mapping::flag(std::string_view key) {
    constexpr std::array<Choice<bool>, 2> kFlags{{
        {.name = "true", .value = true},
        {.name = "false", .value = false},
    }};
    return choice<bool>(key, kFlags);
}

void Mapping::done() {
    if (ok_) {
        refuse_unknown_keys(node_, known_, findings_);
    }
}

} // namespace baton::wire::yaml
