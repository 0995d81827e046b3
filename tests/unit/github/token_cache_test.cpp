#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/github/token_cache.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

namespace baton::github {
namespace {

using namespace std::chrono_literals;

const TimePoint kNow = from_ms(1'800'000'000'000);

RepoName repo(std::string_view name = "org/backend") {
    return RepoName::parse(name).value();
}

TEST(ExpiringCache, ForgetsAtTheTimeGiven) {
    ExpiringCache<int> cache(10);
    cache.put("a", 1, kNow + 1s);
    ASSERT_NE(cache.find("a", kNow), nullptr);
    EXPECT_EQ(*cache.find("a", kNow + 999ms), 1);
    EXPECT_EQ(cache.find("a", kNow + 1s), nullptr);
    EXPECT_EQ(cache.find("b", kNow), nullptr);
}

TEST(ExpiringCache, StaysWithinItsBoundByForgettingWhatEndsFirst) {
    ExpiringCache<int> cache(3);
    cache.put("long", 1, kNow + 9s);
    cache.put("short", 2, kNow + 1s);
    cache.put("middle", 3, kNow + 5s);
    cache.put("new", 4, kNow + 2s);
    EXPECT_EQ(cache.size(), 3U);
    EXPECT_EQ(cache.find("short", kNow), nullptr);
    cache.put("new", 5, kNow + 3s); // known already: nobody has to go
    EXPECT_EQ(cache.size(), 3U);
    EXPECT_EQ(*cache.find("new", kNow), 5);
    EXPECT_NE(cache.find("middle", kNow), nullptr);
}

TEST(TokenCache, DoesNotUseATokenInItsLastMinutes) {
    TokenCache cache(10);
    const TokenOwner owner{.installation = 1, .repo = repo(), .grant = Grant::write_contents};
    cache.put(owner, "t", kNow + 1h);
    EXPECT_EQ(cache.find(owner, kNow + 57min), "t");
    EXPECT_EQ(cache.find(owner, kNow + 58min), std::nullopt);
}

TEST(TokenCache, EachTokenServesOneInstallationRepositoryAndGrant) {
    TokenCache cache(10);
    const TokenOwner owner{
        .installation = 1, .repo = repo("org/Backend"), .grant = Grant::write_contents
    };
    cache.put(owner, "t", kNow + 1h);
    auto other = owner;
    other.repo = repo("ORG/backend");
    EXPECT_EQ(cache.find(other, kNow), "t");
    other = owner;
    other.installation = 2;
    EXPECT_FALSE(cache.find(other, kNow));
    other = owner;
    other.grant = Grant::read_contents;
    EXPECT_FALSE(cache.find(other, kNow));
    other = owner;
    other.repo = repo("org/backend2");
    EXPECT_FALSE(cache.find(other, kNow));
}

TEST(TokenCache, ALateRejectionSparesTheNewToken) {
    TokenCache cache(10);
    const TokenOwner owner{.installation = 1, .repo = repo(), .grant = Grant::write_contents};
    cache.put(owner, "new", kNow + 1h);
    cache.reject(owner, "old");
    EXPECT_EQ(cache.find(owner, kNow), "new");
    cache.reject(owner, "new");
    EXPECT_FALSE(cache.find(owner, kNow));
}

TEST(TokenRequest, AsksForOneRepositoryAndOnePermission) {
    EXPECT_EQ(
        token_request({.id = 5, .repo_id = {}}, repo(), Grant::write_contents),
        R"({"repositories":["backend"],"permissions":{"contents":"write"}})"
    );
    EXPECT_EQ(
        token_request({.id = 5, .repo_id = 77}, repo(), Grant::read_metadata),
        R"({"repository_ids":[77],"permissions":{"metadata":"read"}})"
    );
}

} // namespace
} // namespace baton::github
