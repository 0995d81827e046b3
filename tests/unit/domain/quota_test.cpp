#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/quota.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <limits>
#include <optional>

namespace baton::domain {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);
constexpr auto kPlenty = std::numeric_limits<std::size_t>::max();

QuotaNews left(std::int64_t remaining, TimePoint reset_at = kNow + 1h, std::int64_t limit = 1000) {
    return {.answered = true, .limit = limit, .remaining = remaining, .reset_at = reset_at};
}

/// A quota that has heard this much.
Quota after(std::initializer_list<QuotaNews> news, TimePoint now = kNow) {
    Quota quota;
    for (const auto& one : news) {
        quota.began(RequestWeight::changes, now);
        quota.ended(one, now);
    }
    return quota;
}

TEST(Quota, LetsAFewProbesOutUntilGithubHasSaidAnything) {
    Quota quota;
    EXPECT_EQ(quota.room(Level::l1, kNow), kProbesMax);
    quota.began(RequestWeight::changes, kNow);
    EXPECT_EQ(quota.room(Level::l1, kNow), kProbesMax - 1);
    EXPECT_EQ(quota.room(Level::l1, kNow, kProbesMax + 1), 0U);
    quota.ended({}, kNow); // no answer came
    EXPECT_EQ(quota.room(Level::l1, kNow), kProbesMax);
}

TEST(Quota, DoesNotPaceItselfWhereNoLimitIsAnnounced) {
    EXPECT_EQ(after({QuotaNews{.answered = true}}).room(Level::l1, kNow), kPlenty);
}

TEST(Quota, KeepsMoreBackForThoseWhoComeFirst) {
    const auto quota = after({left(100)});
    EXPECT_EQ(quota.room(Level::l4, kNow), 100U);
    EXPECT_EQ(quota.room(Level::l3, kNow), 70U);
    EXPECT_EQ(quota.room(Level::l2, kNow), 40U);
    EXPECT_EQ(quota.room(Level::l1, kNow), 0U);
}

TEST(Quota, CountsWhatIsUnderWayAsSpent) {
    auto quota = after({left(500)});
    quota.began(RequestWeight::changes, kNow);
    quota.began(RequestWeight::changes, kNow);
    EXPECT_EQ(quota.room(Level::l4, kNow), 498U);
}

TEST(Quota, BelievesTheSmallestNumberOfAWindowBecauseAnswersOvertakeEachOther) {
    EXPECT_EQ(after({left(400), left(402)}).room(Level::l4, kNow), 400U);
    EXPECT_EQ(after({left(400), left(398, kNow + 1h + 1s)}).room(Level::l4, kNow), 398U);
}

TEST(Quota, ANewWindowBeginsFull) {
    const auto quota = after({left(0)});
    EXPECT_EQ(quota.room(Level::l4, kNow), 0U);
    EXPECT_EQ(quota.held_until(kNow), std::optional(kNow + 1h));
    EXPECT_EQ(quota.room(Level::l4, kNow + 1h), 1000U);
    EXPECT_EQ(quota.held_until(kNow + 1h), std::nullopt);
    EXPECT_EQ(after({left(3), left(990, kNow + 2h)}).room(Level::l4, kNow), 990U);
}

TEST(Quota, TakesNothingForTrueThatIsBeyondADayOrABillion) {
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    constexpr auto kNever = from_ms(kMost);
    QuotaBook book;
    book.of("a").hear(
        {.limit = kMost, .remaining = kMost, .reset_at = kNever, .in_flight = kPlenty}, kNow
    );
    book.of("a").hear({.limit = -kMost, .remaining = kMost, .reset_at = kNever}, kNow);
    EXPECT_EQ(book.of("a").room(Level::l1, kNow), 0U);
    book.of("a").hear({.held_until = kNever}, kNow);
    EXPECT_EQ(book.of("a").held_until(kNow), std::optional(kNow + 24h));
    EXPECT_EQ(after({left(-7)}).held_until(kNow), std::optional(kNow + 1h)) << "as good as none";
    EXPECT_EQ(after({left(kMost, kNow + 1h, kMost)}).room(Level::l1, kNow), 900'000'000U);
}

TEST(Quota, AnAnswerAboutAWindowThatIsOverTellsNothing) {
    EXPECT_EQ(after({left(900, kNow + 1h), left(5, kNow + 10min)}).room(Level::l4, kNow), 900U);
    EXPECT_EQ(after({left(900), left(0, kNow - 1s)}).room(Level::l4, kNow), 900U);
}

TEST(Quota, AnAnnouncedLimitStopsEverythingUntilItsEnd) {
    const auto quota = after({left(900), {.answered = true, .held_until = kNow + 30s}});
    EXPECT_EQ(quota.room(Level::l4, kNow), 0U);
    EXPECT_EQ(quota.held_until(kNow + 29s), std::optional(kNow + 30s));
    EXPECT_EQ(quota.room(Level::l4, kNow + 30s), 900U);
}

TEST(Quota, TheLongerOfTwoAnnouncedLimitsCounts) {
    const auto quota = after(
        {{.answered = true, .held_until = kNow + 60s}, {.answered = true, .held_until = kNow + 5s}}
    );
    EXPECT_EQ(quota.held_until(kNow), std::optional(kNow + 60s));
}

TEST(Quota, APaceSpreadsPointsOverTheMinute) {
    Quota quota(600); // points a minute: 120 dispatches, twelve of them at once
    quota.began(RequestWeight::reads, kNow);
    quota.ended({.answered = true}, kNow);
    EXPECT_EQ(quota.room(Level::l1, kNow), 11U);
    for (int i = 0; i < 11; ++i) {
        quota.began(RequestWeight::changes, kNow);
        quota.ended({.answered = true}, kNow);
    }
    EXPECT_EQ(quota.room(Level::l1, kNow), 0U);
    EXPECT_EQ(quota.room(Level::l1, kNow + 1s), 2U);
    EXPECT_EQ(quota.room(Level::l1, kNow + 1h), 12U);
}

// It began with the points of a whole minute and earned as many again while they were spent.
TEST(Quota, NoMinuteHasMoreThanItsPace) {
    for (const int pace : {20, 60, 900}) {
        Quota quota(pace);
        quota.began(RequestWeight::reads, kNow);
        quota.ended({.answered = true}, kNow);
        int points = 1;
        for (auto now = kNow; now < kNow + 60s; now += 100ms) {
            for (; quota.room(Level::l1, now) > 0; points += 5) {
                quota.began(RequestWeight::changes, now);
                quota.ended({.answered = true}, now);
            }
        }
        EXPECT_LE(points, pace) << pace;
        EXPECT_GE(points, pace / 2) << pace;
    }
}

// Whoever asked again before the first of them had begun was given the same room once more.
TEST(Quota, APaceCountsWhatIsPromisedAndNotBegun) {
    Quota quota(600);
    quota.began(RequestWeight::reads, kNow);
    quota.ended({.answered = true}, kNow);
    EXPECT_EQ(quota.room(Level::l1, kNow, 4), 7U);
    EXPECT_EQ(quota.room(Level::l1, kNow, 11), 0U);
    EXPECT_EQ(quota.room(Level::l1, kNow, 99), 0U);
    quota.began(RequestWeight::changes, kNow);
    EXPECT_EQ(quota.room(Level::l1, kNow, 4), 7U) << "one of the four has taken its points";
}

TEST(QuotaBook, KeepsOneAccountPerOwnerWhateverTheSpelling) {
    QuotaBook book;
    const auto account = account_of(*RepoName::parse("Org/One"));
    EXPECT_EQ(account, account_of(*RepoName::parse("oRG/two")));
    EXPECT_EQ(book.find(account), nullptr);
    book.of(account).began(RequestWeight::changes, kNow);
    book.of("").began(RequestWeight::reads, kNow);
    EXPECT_EQ(book.in_flight(), 2U);
    EXPECT_EQ(book.views(kNow).size(), 2U);
    EXPECT_EQ(book.views(kNow)[1].account, "org");
}

/// What another replica says of org's quota.
QuotaView elsewhere(std::int64_t remaining, std::size_t in_flight = 0) {
    return {
        .account = "org",
        .limit = 1000,
        .remaining = remaining,
        .reset_at = kNow + 1h,
        .held_until = std::nullopt,
        .in_flight = in_flight,
    };
}

TEST(SharedQuota, CountsWhatOthersKnowAndHaveUnderWay) {
    QuotaBook book;
    book.of("org").began(RequestWeight::changes, kNow);
    book.of("org").ended(left(600), kNow);
    book.hear({.replicas = 1, .quotas = {elsewhere(500, 40)}}, kNow);
    EXPECT_EQ(book.of("org").room(Level::l4, kNow), 230U) << "half of what 500 leave beside 40";
    book.hear({.replicas = 1, .quotas = {elsewhere(500, 0)}}, kNow);
    EXPECT_EQ(book.of("org").room(Level::l4, kNow), 250U) << "those have ended";
    book.hear({}, kNow);
    EXPECT_EQ(book.of("org").room(Level::l4, kNow), 500U) << "alone again, and no richer";
}

TEST(SharedQuota, ALimitAnnouncedToOneHoldsAll) {
    QuotaBook book;
    auto held = elsewhere(500);
    held.held_until = kNow + 1min;
    book.hear({.replicas = 2, .quotas = {held, elsewhere(700)}}, kNow);
    EXPECT_EQ(book.of("org").held_until(kNow), kNow + 1min);
    EXPECT_EQ(book.of("org").room(Level::l4, kNow), 0U);
    EXPECT_EQ(book.of("other").room(Level::l4, kNow), kProbesMax / 3) << "three probe together";
}

TEST(SharedQuota, ThePaceIsOneForAll) {
    QuotaBook book(1000);
    book.hear({.replicas = 1, .quotas = {}}, kNow);
    auto& quota = book.of("org");
    quota.began(RequestWeight::changes, kNow);
    quota.ended(QuotaNews{.answered = true}, kNow);
    EXPECT_EQ(quota.room(Level::l4, kNow + 1h), 10U) << "500 points a minute, a tenth at once";
}

} // namespace
} // namespace baton::domain
