#include "baton/wire/json_text.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

namespace baton::wire {
namespace {

using namespace std::string_literals;
namespace json = boost::json;

TEST(JsonText, QuotesWhatJsonWantsQuoted) {
    const struct {
        const char* name;
        std::string text;
        std::string json;
    } cases[] = {
        {"nothing", "", R"("")"},
        {"plain words", "a b/c", R"("a b/c")"},
        {"quotes and backslashes", R"(say "\")", R"("say \"\\\"")"},
        {"blanks that are controls", "\n\r\t", R"("\n\r\t")"},
        {"other controls", "\x01\x1f\0"s, R"("\u0001\u001f\u0000")"},
        {"every length of UTF-8", "é€😀", "\"é€😀\""},
        {"the highest code point", "\xF4\x8F\xBF\xBF", "\"\xF4\x8F\xBF\xBF\""},
        {"a lone continuation", "a\x80z", "\"a\xEF\xBF\xBDz\""},
        {"a sequence cut off", "a\xE2\x82", "\"a\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"an overlong slash", "\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"a surrogate", "\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"beyond Unicode", "\xF5z", "\"\xEF\xBF\xBDz\""},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(json_quoted(c.text), c.json);
    }
}

RC_GTEST_PROP(JsonText, WhateverComesInWhatGoesOutIsJson, (std::string text)) {
    const auto value = json::parse(json_quoted(text));
    RC_ASSERT(value.is_string());
}

RC_GTEST_PROP(JsonText, GoodTextComesBackAsItWent, ()) {
    const auto text = *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
    RC_ASSERT(json::parse(json_quoted(text)).as_string() == text);
}

TEST(JsonText, MinifyingTakesBlanksBetweenPartsOnly) {
    EXPECT_EQ(
        minified(" {\n \"a b\" : [ 1.50 ,\t\"x\\\" y\" ] } \r\n"), R"({"a b":[1.50,"x\" y"]})"
    );
    EXPECT_EQ(
        minified(R"({"ends with a backslash \\":" "})"), R"({"ends with a backslash \\":" "})"
    );
    EXPECT_EQ(minified(""), "");
}

RC_GTEST_PROP(JsonText, MinifyingNeverReadsPastTheEnd, (std::string noise)) {
    RC_ASSERT(minified(noise).size() <= noise.size());
}

} // namespace
} // namespace baton::wire
