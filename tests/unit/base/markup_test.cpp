#include "baton/base/markup.hpp"

#include <gtest/gtest.h>

#include <string>

namespace baton {

namespace {

TEST(InertWhole, CutsNothing) {
    const std::string text(1000, 'x');
    EXPECT_EQ(inert_whole(text), text);
    std::string letters;
    for (int i = 0; i < 300; ++i) {
        letters += "é"; // two bytes, and a piece may end between them
    }
    EXPECT_EQ(inert_whole(letters + "."), letters + ".");
}

TEST(InertWhole, ShowsWhatCannotBeSeen) {
    EXPECT_EQ(inert_whole("a\x1b[0m\n"), "a\\x1b[0m\\x0a");
    EXPECT_EQ(inert_whole(std::string(400, '\xff')).size(), 1600U);
}

TEST(InertMarkup, LeavesNoMarkup) {
    EXPECT_EQ(
        inert_markup(R"(<b a="x" b='y'>&amp;)"), "&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;"
    );
}

} // namespace

} // namespace baton
