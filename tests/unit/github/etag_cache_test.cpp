#include "baton/github/etag_cache.hpp"
#include "baton/net/client.hpp"

#include <gtest/gtest.h>

#include <cstddef>
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
    const std::string body(EtagCache::kAnswerBytesMax, 'x');
    const auto all = EtagCache::kBytesMax / EtagCache::kAnswerBytesMax;
    for (std::size_t i = 0; i <= all; ++i) {
        auto one = reply(200, body, "\"1\"");
        cache.settle(std::to_string(i), one);
    }
    EXPECT_EQ(cache.mark_of("0"), "");
    EXPECT_EQ(cache.mark_of("1"), "\"1\"");
    EXPECT_EQ(cache.mark_of(std::to_string(all)), "\"1\"");
}

TEST(EtagCache, LargeAnswersAreNotKeptSoThatTheyPushNothingOut) {
    EtagCache cache;
    auto large = reply(200, std::string(EtagCache::kAnswerBytesMax + 1, 'x'), "\"1\"");
    cache.settle("a", large);
    EXPECT_EQ(cache.mark_of("a"), "");
}

} // namespace
} // namespace baton::github
