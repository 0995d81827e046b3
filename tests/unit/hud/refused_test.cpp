#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/hud/refused.hpp"
#include "baton/hud/shown.hpp"
#include "baton/ports/operators.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

namespace baton::hud {
namespace {

RepoName repo(const std::string& name) {
    return *RepoName::parse(name);
}

Shown one_open_one_private() {
    domain::Allowlist list;
    domain::Downstream open;
    open.repo = repo("down/open");
    list.add(open);
    domain::Downstream secret;
    secret.repo = repo("down/secret");
    secret.visibility = domain::Visibility::closed;
    list.add(secret);
    return Shown({{
        .upstream = repo("up/stream"),
        .allowlist = std::make_shared<const domain::Allowlist>(std::move(list)),
        .trouble = "",
    }});
}

ports::RefusalGroup refused(const std::string& downstream) {
    ports::RefusalGroup group;
    group.newest.downstream = downstream.empty() ? RepoName() : repo(downstream);
    group.newest.detail = downstream + " is on no allowlist";
    group.newest.delivery = "d1";
    return group;
}

TEST(RefusedReports, AreToldOfByNameOnlyWhenEverybodyMaySeeTheName) {
    const auto shown = one_open_one_private();
    EXPECT_TRUE(may_be_told({}, shown));
    EXPECT_TRUE(may_be_told(repo("down/open"), shown));
    EXPECT_FALSE(may_be_told(repo("down/secret"), shown));
    EXPECT_TRUE(may_be_told(repo("who/knows"), shown)) << "that somebody came, not who";
    EXPECT_EQ(anonymous(refused("down/open"), shown).newest.downstream, repo("down/open"));
    const auto stranger = anonymous(refused("who/knows"), shown).newest;
    EXPECT_TRUE(stranger.downstream.empty());
    EXPECT_TRUE(stranger.delivery.empty());
    EXPECT_EQ(stranger.detail.find("who/knows"), std::string::npos);
}

TEST(RefusedReports, AreAddedUpByReasonWithoutThePrivateOnes) {
    const auto totals = totals_by_reason(
        {
            {.downstream = repo("down/open"), .reason = "no dispatch", .count = 2},
            {.downstream = repo("down/secret"), .reason = "no dispatch", .count = 40},
            {.downstream = {}, .reason = "bad token", .count = 5},
            {.downstream = repo("who/knows"), .reason = "not listed", .count = 5},
        },
        one_open_one_private()
    );
    ASSERT_EQ(totals.size(), 3U);
    EXPECT_EQ(totals[0].reason, "bad token");
    EXPECT_EQ(totals[1].reason, "not listed");
    EXPECT_EQ(totals[2].count, 2U);
}

TEST(RefusedReports, AreAddedUpByDownstreamWithTheReasonThatCameMostOften) {
    const auto at = *parse_rfc3339("2026-11-15T13:30:00Z");
    const auto earlier = at - std::chrono::hours{3};
    const auto totals = totals_by_downstream(
        {
            {.downstream = repo("down/open"), .reason = "no dispatch", .count = 2, .last_at = at},
            {.downstream = repo("down/open"), .reason = "rate limit", .count = 6, .last_at = earlier
            },
            {.downstream = repo("down/secret"), .reason = "no dispatch", .count = 40, .last_at = at
            },
            {.downstream = {}, .reason = "bad token", .count = 3, .last_at = earlier},
            {.downstream = repo("who/knows"), .reason = "not listed", .count = 4, .last_at = earlier
            },
        },
        one_open_one_private()
    );
    ASSERT_EQ(totals.size(), 2U) << "the private one is left out, strangers stand together";
    EXPECT_EQ(totals[0].downstream, repo("down/open"));
    EXPECT_EQ(totals[0].count, 8U);
    EXPECT_EQ(totals[0].reason, "rate limit");
    EXPECT_EQ(totals[0].last_at, at);
    EXPECT_TRUE(totals[1].downstream.empty());
    EXPECT_EQ(totals[1].count, 7U);
    EXPECT_EQ(totals[1].reason, "not listed");
}

TEST(RefusedReports, EachHaveSomethingToDoAboutThem) {
    EXPECT_TRUE(is_reason("contradiction"));
    EXPECT_FALSE(is_reason("whatever"));
    EXPECT_THAT(std::string(hint_for("no dispatch")), testing::HasSubstr("delivery_id"));
    EXPECT_FALSE(hint_for("whatever").empty());
}

TEST(RefusedReports, AreCountedByWholeHours) {
    const auto now = *parse_rfc3339("2026-11-15T13:30:00Z");
    EXPECT_EQ(to_rfc3339(hour_before(now, 1)), "2026-11-15T12:00:00.000Z");
    EXPECT_EQ(to_rfc3339(hour_before(now, -1)), "2026-11-15T14:00:00.000Z");
}

} // namespace
} // namespace baton::hud
