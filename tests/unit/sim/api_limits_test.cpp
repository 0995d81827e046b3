#include "baton/base/time.hpp"
#include "baton/sim/api_limits.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "unit/sim/api_support.hpp"

namespace baton::sim {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::header;
using testing::kPush;
using testing::kStart;
using testing::message;

constexpr InstallationId kOne{1};
constexpr InstallationId kTwo{2};

/// Asks and has its answer at once; the kind of limit that was in the way.
std::optional<LimitKind>
ask(ApiLimits& limits, std::string_view method, TimePoint now, InstallationId who = kOne) {
    const auto refusal =
        limits.enter({.who = who, .route = "dispatches", .method = method, .now = now});
    if (refusal) {
        return refusal->kind;
    }
    limits.leave(who);
    return std::nullopt;
}

TEST(ApiLimits, LetEverythingPassUntilTold) {
    ApiLimits limits;
    for (int i = 0; i < 10'000; ++i) {
        ASSERT_EQ(ask(limits, "POST", kStart), std::nullopt);
    }
    EXPECT_TRUE(limits.counts().answers.empty());
}

TEST(ApiLimits, CountFivePointsForAChangeAndOneForALook) {
    ApiLimits limits;
    limits.use({.points_per_minute = 900, .content_routes = {}});
    for (int i = 0; i < 179; ++i) {
        ASSERT_EQ(ask(limits, "POST", kStart), std::nullopt);
    }
    for (int i = 0; i < 5; ++i) {
        ASSERT_EQ(ask(limits, "GET", kStart), std::nullopt);
    }
    EXPECT_EQ(ask(limits, "GET", kStart + seconds{1}), LimitKind::points);
    EXPECT_EQ(ask(limits, "GET", kStart + minutes{1}), std::nullopt) << "the minute is over";
}

TEST(ApiLimits, AreEachInstallationsOwn) {
    ApiLimits limits;
    limits.use({.points_per_minute = 5, .content_routes = {}});
    EXPECT_EQ(ask(limits, "POST", kStart, kOne), std::nullopt);
    EXPECT_EQ(ask(limits, "POST", kStart, kOne), LimitKind::points);
    EXPECT_EQ(ask(limits, "POST", kStart, kTwo), std::nullopt);
}

TEST(ApiLimits, StopWhoeverAsksTooMuchAtOnce) {
    ApiLimits limits;
    limits.use({.concurrent = 2, .content_routes = {}});
    const LimitedAsk one{.who = kOne, .route = "dispatches", .method = "POST", .now = kStart};
    EXPECT_FALSE(limits.enter(one));
    EXPECT_FALSE(limits.enter(one));
    const auto third = limits.enter(one);
    ASSERT_TRUE(third);
    EXPECT_EQ(third->kind, LimitKind::concurrent);
    EXPECT_EQ(third->until, kStart + minutes{1});
    limits.leave(kOne);
    limits.leave(kOne);
    EXPECT_EQ(ask(limits, "POST", kStart + seconds{59}), LimitKind::concurrent) << "told to wait";
    EXPECT_EQ(ask(limits, "POST", kStart + minutes{1}), std::nullopt);
    EXPECT_EQ(limits.counts().concurrent_peak, 2);
}

TEST(ApiLimits, CountContentOnlyWhereItIsCreated) {
    ApiLimits limits;
    auto rules = LimitRules::published();
    limits.use(rules);
    for (int i = 0; i < 81; ++i) {
        ASSERT_EQ(ask(limits, "POST", kStart), std::nullopt) << "a dispatch is no content";
    }
    rules.content_routes = {"dispatches"};
    limits.reset();
    limits.use(rules);
    auto now = kStart;
    for (int i = 0; i < 80; ++i) {
        ASSERT_EQ(ask(limits, "POST", now), std::nullopt);
    }
    EXPECT_EQ(ask(limits, "POST", now), LimitKind::content);
    for (int made = 80; made < 500; ++made) {
        now += minutes{made % 80 == 0 ? 1 : 0};
        ASSERT_EQ(ask(limits, "POST", now), std::nullopt) << made;
    }
    now += minutes{1};
    EXPECT_EQ(ask(limits, "POST", now), LimitKind::content) << "500 an hour";
    EXPECT_EQ(ask(limits, "POST", kStart + hours{1}), std::nullopt);
}

TEST(ApiLimits, HoldWhatIsAskedInSpiteOfThemAgainstTheAsker) {
    ApiLimits limits;
    limits.use({.points_per_minute = 5, .content_routes = {}});
    ask(limits, "POST", kStart);
    EXPECT_EQ(ask(limits, "POST", kStart), LimitKind::points);
    EXPECT_EQ(ask(limits, "POST", kStart + seconds{1}), LimitKind::points);
    EXPECT_EQ(limits.counts().while_limited, 0U) << "it was on its way already";
    EXPECT_EQ(ask(limits, "POST", kStart + seconds{2}), LimitKind::points);
    EXPECT_EQ(limits.counts().while_limited, 1U);
    EXPECT_EQ(limits.counts().answers.at(LimitKind::points), 3U);
    ask(limits, "POST", kStart + minutes{1});
    EXPECT_EQ(limits.counts().while_limited, 1U);
}

TEST(ApiLimits, NoteWhatOthersAnnouncedWithoutEnforcingIt) {
    ApiLimits limits;
    limits.note(kOne, {.kind = LimitKind::fault, .until = kStart + seconds{30}}, kStart);
    EXPECT_EQ(ask(limits, "POST", kStart + seconds{10}), std::nullopt);
    EXPECT_EQ(limits.counts().while_limited, 1U);
    EXPECT_EQ(limits.counts().answers.at(LimitKind::fault), 1U);
}

using Limited = testing::ApiTest;

TEST_F(Limited, AnswersInGithubsWordsAndSaysHowLong) {
    const auto credential = token("down/one");
    limits.use({.points_per_minute = 5, .content_routes = {}});
    EXPECT_EQ(call("POST", "/repos/down/one/dispatches", credential, kPush).status, 204);
    now += seconds{20};
    const auto over = call("POST", "/repos/down/one/dispatches", credential, kPush);
    EXPECT_EQ(over.status, 403);
    EXPECT_EQ(header(over, "Retry-After"), "40");
    EXPECT_NE(message(over).find("secondary rate limit"), std::string::npos);
    EXPECT_EQ(model.dispatches().count({}), 1U);
    limits.use({.points_per_minute = 5, .content_routes = {}, .status = 429});
    EXPECT_EQ(call("POST", "/repos/down/one/dispatches", credential, kPush).status, 429);
}

TEST_F(Limited, BlocksContentCreationInItsOwnWords) {
    const auto credential = token("down/one");
    limits.use({.content_per_minute = 1, .content_routes = {"dispatches"}});
    EXPECT_EQ(call("POST", "/repos/down/one/dispatches", credential, kPush).status, 204);
    const auto over = call("POST", "/repos/down/one/dispatches", credential, kPush);
    EXPECT_NE(message(over).find("blocked from content creation"), std::string::npos);
    EXPECT_EQ(header(over, "Retry-After"), "60");
}

TEST_F(Limited, TellsTheHourlyLimitWithEveryAnswer) {
    model.set_calls_per_hour(5000);
    const auto credential = token("down/one");

    const struct {
        const char* name;
        ApiReply reply;
        const char* limit;
    } cases[] = {
        {"to the App", call("GET", "/app", jwt()), "5000"},
        {"to an installation", call("GET", "/repos/down/one", credential), "5000"},
        {"with a refusal", call("GET", "/repos/no/where", credential), "5000"},
        {"to nobody", call("GET", "/app", "nonsense"), "60"},
        {"about nothing", call("GET", "/nothing", jwt()), "60"},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(header(c.reply, "X-RateLimit-Limit"), c.limit);
        EXPECT_EQ(header(c.reply, "X-RateLimit-Resource"), "core");
        for (const auto* name : {"Remaining", "Used", "Reset"}) {
            EXPECT_NE(header(c.reply, std::string("X-RateLimit-") + name), "") << name;
        }
    }
}

TEST_F(Limited, CountsThePrimaryLimitToo) {
    const auto credential = token("down/one");
    model.set_calls_per_hour(1);
    EXPECT_EQ(call("GET", "/repos/down/one", credential).status, 200);
    EXPECT_EQ(call("GET", "/repos/down/one", credential).status, 403);
    now += minutes{1};
    EXPECT_EQ(call("GET", "/repos/down/one", credential).status, 403);
    EXPECT_EQ(limits.counts().answers.at(LimitKind::primary), 2U);
    EXPECT_EQ(limits.counts().while_limited, 1U);
}

TEST_F(Limited, GivesUnchangedFilesForNothing) {
    model.set_calls_per_hour(2);
    const auto credential = token("up/stream");
    const auto first = call("GET", "/repos/up/stream/contents/dir/list.yml", credential);
    for (int i = 0; i < 5; ++i) {
        const auto again = call_with(
            "GET",
            "/repos/up/stream/contents/dir/list.yml",
            {{"Authorization", "Bearer " + credential}, {"If-None-Match", header(first, "ETag")}}
        );
        EXPECT_EQ(again.status, 304);
        EXPECT_EQ(header(again, "X-RateLimit-Remaining"), "1");
    }
}

TEST(SimWorld, CountsAThrottlingFaultAsALimitAnswer) {
    SimWorld world({.site = {}}, testing::app_key().public_key());
    testing::furnish(world.model);
    world.faults.add({
        .route = "dispatches",
        .repo = std::nullopt,
        .fault = Fault::secondary_limit(seconds{30}),
        .times = std::nullopt,
    });
    world.hear({.method = "POST", .path = "/repos/down/one/dispatches"}, kStart);
    world.hear({.method = "POST", .path = "/repos/down/one/dispatches"}, kStart + seconds{5});
    EXPECT_EQ(world.limits.counts().answers.at(LimitKind::fault), 2U);
    EXPECT_EQ(world.limits.counts().while_limited, 1U);
}

} // namespace
} // namespace baton::sim
