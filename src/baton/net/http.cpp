#include "baton/net/http.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

namespace baton::net {

namespace {

char lowered(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

} // namespace

bool same_name(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lowered, lowered);
}

std::optional<std::string_view> Headers::find(std::string_view name) const {
    for (const auto& [field, value] : fields_) {
        if (same_name(field, name)) {
            return value;
        }
    }
    return std::nullopt;
}

std::size_t Headers::count(std::string_view name) const {
    return static_cast<std::size_t>(std::ranges::count_if(fields_, [name](const auto& field) {
        return same_name(field.first, name);
    }));
}

} // namespace baton::net
