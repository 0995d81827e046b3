#include "baton/base/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace baton {

namespace {

TEST(Lower, TouchesAsciiLettersOnly) {
    EXPECT_EQ(lower("PyTorch/ABC-é_Z9"), "pytorch/abc-é_z9");
}

TEST(Trimmed, TakesBlanksFromBothEndsOnly) {
    EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
    EXPECT_EQ(trimmed("ab"), "ab");
    EXPECT_EQ(trimmed(" \n "), "");
    EXPECT_EQ(trimmed(""), "");
}

struct InertCase {
    std::string_view name;
    std::string_view in;
    std::string_view out;
};

constexpr std::array kInertCases{
    InertCase{"plain text stays", "hello, wörld 漢字 🚀", "hello, wörld 漢字 🚀"},
    InertCase{"a line feed cannot start a new log line", "a\nb\r", "a\\x0ab\\x0d"},
    InertCase{"an escape cannot colour the terminal", "\x1b[31m", "\\x1b[31m"},
    InertCase{"DEL", "\x7f", "\\x7f"},
    InertCase{"a C1 control is a control too", "\xC2\x9B", "\\xc2\\x9b"},
    InertCase{"reading direction cannot be turned", "\xE2\x80\xAE", "\\xe2\\x80\\xae"},
    InertCase{"a lone continuation byte", "a\x80z", "a\\x80z"},
    InertCase{"a cut character", "a\xE6\xBC", "a\\xe6\\xbc"},
    InertCase{"an overlong slash", "\xC0\xAF", "\\xc0\\xaf"},
    InertCase{"a surrogate", "\xED\xA0\x80", "\\xed\\xa0\\x80"},
    InertCase{"beyond Unicode", "\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
};

TEST(Inert, LeavesNothingThatActsOnALineOrATerminal) {
    for (const auto& c : kInertCases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(inert(c.in), c.out);
    }
}

TEST(Inert, CutsLongTextAtAWholeCharacterAndMarksIt) {
    EXPECT_EQ(inert(std::string(200, 'a')), std::string(200, 'a'));
    EXPECT_EQ(inert(std::string(201, 'a')), std::string(200, 'a') + "…");
    EXPECT_EQ(inert(std::string(199, 'a') + "é"), std::string(199, 'a') + "…");
}

RC_GTEST_PROP(Inert, HoldsNoControlByteWhateverComesIn, (const std::string& text)) {
    const auto safe = inert(text);
    RC_ASSERT(std::ranges::none_of(safe, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7F;
    }));
    RC_ASSERT(inert(safe).starts_with(safe.substr(0, 100)));
}

TEST(WholeNumber, IsDigitsWithin64Bits) {
    EXPECT_EQ(whole_number("0"), 0);
    EXPECT_EQ(whole_number("007"), 7);
    EXPECT_EQ(whole_number("9223372036854775807"), 9'223'372'036'854'775'807);
    for (const std::string_view text :
         {"", "-1", "+1", " 1", "1 ", "1.0", "0x1", "9223372036854775808", "99999999999999999999"
         }) {
        EXPECT_EQ(whole_number(text), std::nullopt) << text;
    }
}

TEST(BrokenUtf8, IsFoundAtItsFirstByte) {
    EXPECT_EQ(broken_utf8_at("wörld 漢字 🚀"), std::nullopt);
    EXPECT_EQ(broken_utf8_at(""), std::nullopt);
    EXPECT_EQ(broken_utf8_at("é\xff"), 2U);
    EXPECT_EQ(broken_utf8_at("ab\xE6\xBC"), 2U);
}

constexpr std::array<std::string_view, 4> kKeys{"oncalls", "required_jobs", "max_concurrent", "L3"};

TEST(Nearest, FindsTypingMistakes) {
    EXPECT_EQ(nearest("oncall", kKeys), "oncalls");
    EXPECT_EQ(nearest("requried_jobs", kKeys), "required_jobs");
    EXPECT_EQ(nearest("MaxConcurrent", kKeys), "max_concurrent");
    EXPECT_EQ(nearest("l3", kKeys), "L3");
}

TEST(Nearest, StaysSilentWhenNothingIsNear) {
    EXPECT_EQ(nearest("colour", kKeys), std::nullopt);
    EXPECT_EQ(nearest("", kKeys), std::nullopt);
    EXPECT_EQ(nearest("xy", kKeys), std::nullopt);
    EXPECT_EQ(nearest(std::string(100'000, 'o'), kKeys), std::nullopt);
}

struct GlobCase {
    std::string_view pattern;
    std::string_view text;
    bool matches;
};

constexpr std::array kGlobCases{
    GlobCase{"main", "main", true},
    GlobCase{"main", "main2", false},
    GlobCase{"", "", true},
    GlobCase{"", "a", false},
    GlobCase{"release/*", "release/2.1", true},
    GlobCase{"release/*", "release/2.1/rc", false},
    GlobCase{"release/**", "release/2.1/rc", true},
    GlobCase{"release/**", "release/", true},
    GlobCase{"*", "a/b", false},
    GlobCase{"**", "a/b", true},
    GlobCase{"**", "", true},
    GlobCase{"**/x.cpp", "x.cpp", true},
    GlobCase{"**/x.cpp", "a/b/x.cpp", true},
    GlobCase{"**/x.cpp", "ax.cpp", false},
    GlobCase{"a/**/b", "a/b", true},
    GlobCase{"a/**/b", "a/x/y/b", true},
    GlobCase{"a/**/b", "a/xb", false},
    GlobCase{"*.py", "torch.py", true},
    GlobCase{"*.py", "torch/a.py", false},
    GlobCase{"**.py", "torch/a.py", true},
    GlobCase{"a?c", "abc", true},
    GlobCase{"a?c", "aéc", true},
    GlobCase{"a?c", "a/c", false},
    GlobCase{"a?c", "ac", false},
    GlobCase{"aten/src/ATen/**/*.cu", "aten/src/ATen/native/cuda/Copy.cu", true},
    GlobCase{"[ab]", "a", false},
};

TEST(GlobMatches, KnowsStarsAndQuestionMarks) {
    for (const auto& c : kGlobCases) {
        SCOPED_TRACE(std::string(c.pattern) + " on " + std::string(c.text));
        EXPECT_EQ(glob_matches(c.pattern, c.text), c.matches);
    }
}

TEST(GlobMatches, EndsSoonOnPatternsThatWouldExplodeWithBacktracking) {
    std::string pattern;
    for (int i = 0; i < 200; ++i) {
        pattern += "*a";
    }
    EXPECT_FALSE(glob_matches(pattern + "b", std::string(2000, 'a')));
}

RC_GTEST_PROP(
    GlobMatches, TextWithoutWildcardsMatchesItselfAndTwoStarsMatchAll, (std::string text)
) {
    RC_ASSERT(glob_matches("**", text));
    std::erase_if(text, [](char c) { return c == '*' || c == '?'; });
    RC_ASSERT(glob_matches(text, text));
    RC_ASSERT(!glob_matches(text + "x", text));
}

TEST(CutTo, EndsBetweenCharacters) {
    EXPECT_EQ(cut_to("abc", 3), "abc");
    EXPECT_EQ(cut_to("abc", 2), "ab");
    EXPECT_EQ(cut_to("a\u00e9", 2), "a");
    EXPECT_EQ(cut_to("a\u00e9b", 3), "a\u00e9");
    EXPECT_EQ(cut_to("\U0001F600", 3), "");
    EXPECT_EQ(cut_to("\x80\x80\x80", 2), ""); // no beginning of it is well-formed
}

} // namespace

} // namespace baton
