#include "baton/github/etag_cache.hpp"
#include "baton/net/client.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace baton::github {
namespace {

net::ClientReply reply(int status, std::string body, std::string etag = "") {
    net::ClientReply one{.status = status, .body = std::move(body)};
    if (!etag.empty()) {
        one.headers.add("ETag", etag);
    }
    return one;
}

TEST(EtagCache, TurnsA304IntoTheAnswerThatItKept) {
    EtagCache cache;
    auto first = reply(200, "body", "\"1\"");
    cache.settle("a", first);
    EXPECT_EQ(cache.mark_of("a"), "\"1\"");
    auto second = reply(304, "");
    cache.settle("a", second);
    EXPECT_EQ(second.status, 200);
    EXPECT_EQ(second.body, "body");
}

TEST(EtagCache, KeepsNothingWithoutAMarkOrOfAFailure) {
    EtagCache cache;
    auto unmarked = reply(200, "body");
    auto failed = reply(404, "{}", "\"1\"");
    cache.settle("a", unmarked);
    cache.settle("b", failed);
    EXPECT_EQ(cache.mark_of("a"), "");
    EXPECT_EQ(cache.mark_of("b"), "");
}

TEST(EtagCache, TheOldestMakesRoom) {
    EtagCache cache;
    const std::string half(EtagCache::kBytesMax / 2, 'x');
    for (const auto* asked : {"a", "b", "c"}) {
        auto one = reply(200, half, "\"1\"");
        cache.settle(asked, one);
    }
    EXPECT_EQ(cache.mark_of("a"), "");
    EXPECT_EQ(cache.mark_of("b"), "\"1\"");
    EXPECT_EQ(cache.mark_of("c"), "\"1\"");
    auto huge = reply(200, half + half + "x", "\"1\"");
    cache.settle("d", huge);
    EXPECT_EQ(cache.mark_of("d"), ""); // more than everything: kept by nobody
}

} // namespace
} // namespace baton::github
