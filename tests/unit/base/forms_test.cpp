#include "baton/base/forms.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace baton {
namespace {

struct Case {
    std::string_view text;
    bool fits;
};

TEST(Forms, HexIsDigitsOfEitherCaseAndNotNothing) {
    for (const auto& [text, fits] :
         {Case{"09afAF", true}, {"", false}, {"0g", false}, {"a b", false}}) {
        EXPECT_EQ(is_hex(text), fits) << text;
    }
}

TEST(Forms, AUuidHasItsDashesWhereTheyBelong) {
    constexpr Case kCases[] = {
        {"01234567-89ab-cdef-ABCD-EF0123456789", true},
        {"", false},
        {"0123456789abcdefABCDEF0123456789", false},
        {"01234567-89ab-cdef-ABCD-EF012345678", false},
        {"01234567-89ab-cdef-ABCD-EF01234567890", false},
        {"01234567-89ab-cdef-ABCD-EF012345678x", false},
        {"012345678-9ab-cdef-ABCD-EF0123456789", false},
    };
    for (const auto& [text, fits] : kCases) {
        EXPECT_EQ(is_uuid(text), fits) << text;
    }
}

TEST(Forms, VisibleAsciiHasNoBlankNoControlAndNothingForeign) {
    constexpr Case kCases[] = {
        {"!~", true},
        {"", true},
        {"a b", false},
        {"a\n", false},
        {"\x7f", false},
        {"\xc3\xa9", false}
    };
    for (const auto& [text, fits] : kCases) {
        EXPECT_EQ(is_visible_ascii(text), fits) << text;
    }
}

TEST(Forms, AWebAddressSaysHttpAndStaysOnItsLine) {
    constexpr Case kCases[] = {
        {"https://ci.example.org/1", true},
        {"http://ci.example.org/1", true},
        {"ftp://ci.example.org", false},
        {"javascript:alert(1)", false},
        {"https://ci.example.org/a b", false},
        {"https://ci.example.org/\n", false},
    };
    for (const auto& [text, fits] : kCases) {
        EXPECT_EQ(is_web_address(text), fits) << text;
    }
}

} // namespace
} // namespace baton
