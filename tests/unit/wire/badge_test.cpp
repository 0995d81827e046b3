#include "baton/wire/badge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pugixml.hpp>

#include <string>

namespace baton::wire {

namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Badge, SaysTheSameToThoseWhoSeeAndToThoseWhoListen) {
    pugi::xml_document picture;
    const auto svg = draw({.left = "quality", .right = "● Stable", .colour = kBadgeGood});
    ASSERT_TRUE(picture.load_string(svg.c_str()));
    EXPECT_STREQ(picture.select_node("/svg/title").node().text().get(), "quality: ● Stable");
    EXPECT_STREQ(picture.child("svg").attribute("aria-label").value(), "quality: ● Stable");
    EXPECT_STREQ(picture.select_node("//text[2]").node().text().get(), "● Stable");
}

TEST(Badge, IsAsWideAsItsLettersNotItsBytes) {
    const auto svg = draw({.left = "a", .right = "●●", .colour = kBadgeGood});
    EXPECT_THAT(svg, HasSubstr("width=\"45\" height"));
    EXPECT_THAT(svg, HasSubstr("textLength=\"14\">●●<"));
}

TEST(Badge, MakesForeignWordsHarmless) {
    const auto svg =
        draw({.left = "\"><script>alert(1)</script>", .right = "a\x1b[31m&", .colour = kBadgeGrey});
    pugi::xml_document picture;
    ASSERT_TRUE(picture.load_string(svg.c_str()));
    EXPECT_THAT(svg, Not(HasSubstr("<script")));
    EXPECT_THAT(svg, HasSubstr("a\\x1b[31m&amp;"));
}

} // namespace

} // namespace baton::wire
