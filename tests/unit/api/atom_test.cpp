#include "baton/api/atom.hpp"
#include "baton/base/time.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace baton::api {
namespace {

using testing::HasSubstr;
using testing::Not;

const auto kNow = *parse_rfc3339("2026-11-15T13:30:00Z");

Feed a_feed() {
    return {
        .id = "tag:relay.example,2026:feed",
        .title = "down/one",
        .link = "https://relay.example/b/down/one",
        .self = "https://relay.example/feeds/down/one.atom",
        .entries =
            {
                {.id = "tag:relay.example,2026:event/2",
                 .title = "failed <script>alert(1)</script>",
                 .text = "a & b \x1b[31m \"quoted\"",
                 .link = "https://relay.example/job/2?a=1&b=2",
                 .updated = kNow},
                {.id = "tag:relay.example,2026:event/1",
                 .title = "older",
                 .text = "",
                 .link = "https://relay.example/job/1",
                 .updated = kNow - std::chrono::hours{1}},
            },
    };
}

TEST(Feeds, HaveWhatRfc4287AsksForAndTheNewestTime) {
    const auto text = atom_of(a_feed());
    EXPECT_THAT(text, HasSubstr("<feed xmlns=\"http://www.w3.org/2005/Atom\">"));
    EXPECT_THAT(
        text,
        HasSubstr("<id>tag:relay.example,2026:feed</id><title>down/one</title>"
                  "<updated>2026-11-15T13:30:00.000Z</updated>")
    );
    EXPECT_THAT(text, HasSubstr("rel=\"self\""));
    EXPECT_THAT(text, HasSubstr("<author><name>Baton</name></author>"));
}

TEST(Feeds, MakeWhatOthersWroteInert) {
    const auto text = atom_of(a_feed());
    EXPECT_THAT(text, Not(HasSubstr("<script>")));
    EXPECT_THAT(text, HasSubstr("&lt;script&gt;"));
    EXPECT_THAT(text, HasSubstr("a &amp; b \\x1b[31m &quot;quoted&quot;"));
    EXPECT_THAT(text, HasSubstr("/job/2?a=1&amp;b=2"));
}

TEST(Feeds, NameThingsByTheHostOfTheRelay) {
    EXPECT_EQ(tag_uri("https://relay.example:8443/x", "event/1"), "tag:relay.example,2026:event/1");
    EXPECT_EQ(tag_uri("", "event/1"), "tag:localhost,2026:event/1");
}

} // namespace
} // namespace baton::api
