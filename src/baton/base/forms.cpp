#include "baton/base/forms.hpp"

#include <algorithm>
#include <string_view>

namespace baton {

namespace {

bool is_hex_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

} // namespace

bool is_hex(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_hex_digit);
}

bool is_uuid(std::string_view text) {
    constexpr std::string_view kForm = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    return std::ranges::equal(text, kForm, [](char c, char form) {
        return form == '-' ? c == '-' : is_hex_digit(c);
    });
}

bool is_visible_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

bool is_web_address(std::string_view text) {
    return (text.starts_with("https://") || text.starts_with("http://")) && is_visible_ascii(text);
}

} // namespace baton
