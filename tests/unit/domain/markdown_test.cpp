#include "baton/base/text.hpp"
#include "baton/domain/markdown.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::domain {

namespace {

/// One piece of code and nothing else: nothing inside can end it, the line or the cell.
bool stays_in_its_cell(std::string_view text) {
    return text.size() > 2 && text.front() == '`' && text.back() == '`' &&
           text.substr(1, text.size() - 2).find_first_of("`|\n\r") == std::string_view::npos &&
           !broken_utf8_at(text);
}

std::size_t characters_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

TEST(InertMarkdown, KeepsWhatASlyDownstreamWritesInItsCell) {
    for (const std::string text :
         {"@everyone",
          "[x](javascript:alert(1))",
          "![x](https://evil.example/x.png)",
          "<img src=x onerror=alert(1)>",
          "`@everyone`",
          "``` \n@everyone",
          "a | b | @everyone",
          "a \\| b",
          "ends with a backslash \\",
          "#123 GH-1 up/stream#5",
          "0123456789abcdef0123456789abcdef01234567",
          "line\nline\r\n- [ ] task\n# heading",
          "www.evil.example http://evil.example",
          "--> <!-- x",
          "</details></table>"}) {
        SCOPED_TRACE(text);
        EXPECT_TRUE(stays_in_its_cell(inert_markdown(text, 200))) << inert_markdown(text, 200);
    }
}

TEST(InertMarkdown, LeavesWhatIsHarmlessReadable) {
    struct Case {
        std::string text;
        std::string expected;
    };

    for (const auto& c : std::vector<Case>{
             {"test_add[float32-npu:0]", "`test_add[float32-npu:0]`"},
             {"  blanks around  ", "`blanks around`"},
             {"1 \xE2\x89\xA0 2", "`1 \xE2\x89\xA0 2`"},
             {"two\nlines", "`two lines`"},
             {"a|b",
              "`a\xC2\xA6"
              "b`"},
             {"say `x`", "`say 'x'`"},
             {"", "`(empty)`"},
             {" \n ", "`(empty)`"},
             {"esc \x1b[2J", "`esc \xEF\xBF\xBD[2J`"},
             {"turned \xE2\x80\xAE txt.exe", "`turned \xEF\xBF\xBD txt.exe`"},
             {"unseen\xE2\x80\x8B", "`unseen\xEF\xBF\xBD`"},
             {"broken \xFF\xC3(", "`broken \xEF\xBF\xBD\xEF\xBF\xBD(`"},
         }) {
        SCOPED_TRACE(c.text);
        EXPECT_EQ(inert_markdown(c.text, 100), c.expected);
    }
}

TEST(InertMarkdown, IsCutBetweenCharactersAndSaysSo) {
    EXPECT_EQ(inert_markdown("abcdef", 6), "`abcdef`");
    EXPECT_EQ(inert_markdown("abcdefg", 6), "`abcdef\xE2\x80\xA6`");
    EXPECT_EQ(inert_markdown("\xC3\xA4\xC3\xB6\xC3\xBC", 2), "`\xC3\xA4\xC3\xB6\xE2\x80\xA6`");
}

RC_GTEST_PROP(InertMarkdownProperty, NoBytesLeaveTheirCell, (const std::string& text)) {
    const auto inert = inert_markdown(text, 50);
    RC_ASSERT(stays_in_its_cell(inert));
    RC_ASSERT(characters_of(inert) <= std::size_t{53});
}

RC_GTEST_PROP(InertMarkdownProperty, NoPunctuationLeavesItsCell, ()) {
    const auto piece = rc::gen::element<std::string>(
        "`",
        "``",
        "|",
        "\\",
        "\n",
        "\r\n",
        "<img>",
        "<!--",
        "@all",
        "[x](y)",
        "#1",
        "\xE2\x80\xAE",
        "\xFF",
        " ",
        "*",
        "_",
        "~~",
        "a",
        "\t",
        "&#96;",
        "$$"
    );
    std::string text;
    for (const auto& one : *rc::gen::container<std::vector<std::string>>(piece)) {
        text += one;
    }
    RC_ASSERT(stays_in_its_cell(inert_markdown(text, 80)));
}

TEST(InertSentence, StaysASentenceUnlessItMeansSomethingToGithub) {
    struct Case {
        std::string text;
        bool plain;
    };

    for (const auto& c : std::vector<Case>{
             {"it did not start within 30m", true},
             {"CI/build failed, and 2 more", true},
             {"waiting for CI/test (npu, 1/4)", true},
             {"as @everyone asked", false},
             {"see #123", false},
             {"fixes GH-1", false},
             {"look at www.evil.example", false},
             {"look at https://evil.example", false},
             {"commit 0123abc broke it", false},
             {"*bold*", false},
             {"<b>", false},
             {"two\nlines", false},
             {"\xE2\x80\xAE", false},
         }) {
        SCOPED_TRACE(c.text);
        const auto said = inert_sentence(c.text, 100);
        EXPECT_EQ(said == c.text, c.plain);
        EXPECT_TRUE(c.plain || stays_in_its_cell(said));
    }
    EXPECT_TRUE(stays_in_its_cell(inert_sentence(std::string(101, 'x'), 100)));
}

TEST(LinkTo, TakesOnlyAddressesThatShowWhereTheyLead) {
    struct Case {
        std::string url;
        std::optional<std::string> expected;
    };

    const auto to = [](const std::string& url) { return std::optional("[run](" + url + ")"); };
    for (const auto& c : std::vector<Case>{
             {"https://ci.example/run/1", to("https://ci.example/run/1")},
             {"http://ci.example:8080/a?b=c#d", to("http://ci.example:8080/a?b=c#d")},
             {"HTTPS://ci.example", to("HTTPS://ci.example")},
             {"https://ci.example/?a=1&copy;=2", to("https://ci.example/?a=1&amp;copy;=2")},
             {"https://ci.example/a)[x](y", to("https://ci.example/a%29%5Bx%5D%28y")},
             {"https://ci.example/`<b>|\"'*_\\", to("https://ci.example/%60%3Cb%3E%7C%22%27%2A_%5C")
             },
             {"https://ci.example/\xC3\xA4", to("https://ci.example/%C3%A4")},
             {"https://ci.example/@x", to("https://ci.example/@x")},
             {"javascript:alert(1)", std::nullopt},
             {"data:text/html,x", std::nullopt},
             {"ftp://ci.example", std::nullopt},
             {"//ci.example", std::nullopt},
             {"https:/ci.example", std::nullopt},
             {"https://", std::nullopt},
             {"https:///path", std::nullopt},
             {"https://github.com@evil.example/", std::nullopt},
             {"https://github.com\\@evil.example/", std::nullopt},
             {"https://ci.example/a b", std::nullopt},
             {"https://ci.example/\n", std::nullopt},
             {" https://ci.example/", std::nullopt},
             {"", std::nullopt},
         }) {
        SCOPED_TRACE(c.url);
        EXPECT_EQ(link_to("run", c.url), c.expected);
    }
}

RC_GTEST_PROP(LinkToProperty, NothingEndsTheLinkBeforeItsEnd, (const std::string& tail)) {
    if (const auto link = link_to("run", "https://ci.example/" + tail)) {
        const auto inside = link->substr(6, link->size() - 7);
        RC_ASSERT(link->starts_with("[run](https://ci.example/"));
        RC_ASSERT(inside.find_first_of("()<>[]`|\\\"' \t\r\n") == std::string::npos);
    }
}

TEST(CutLines, KeepsWholeLinesAndSaysThatItCut) {
    std::string text;
    for (int i = 0; i < 100; ++i) {
        text += "| a line of a table |\n";
    }
    EXPECT_EQ(cut_lines(text, text.size()), text);
    const auto cut = cut_lines(text, 1000);
    EXPECT_LE(cut.size(), 1000U);
    EXPECT_GT(cut.size(), 900U);
    EXPECT_TRUE(cut.ends_with("\n\n*The rest was cut: it is longer than GitHub takes.*\n"));
    EXPECT_NE(cut.find(" table |\n\n*The rest"), std::string::npos);
}

} // namespace

} // namespace baton::domain
