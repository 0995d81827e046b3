// Who hears of an evaluation: each who moved by a message of its own, the watched ones by one for
// all.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/notification.hpp"
#include "baton/ports/levels.hpp"
#include "baton/relay/ladder_notes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::relay {
namespace {

using domain::LadderMove;
using domain::Level;
using domain::NotificationKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);
constexpr TimePoint kAsOf = from_ms(1'799'971'200'000);
constexpr Millis kDay = std::chrono::hours{24};
const RepoName kUpstream = *RepoName::parse("up/stream");

domain::Downstream listed(const std::string& repo, Level level, std::vector<Login> oncalls) {
    return {.repo = *RepoName::parse(repo), .level = level, .oncalls = std::move(oncalls)};
}

ports::LadderOutcome moved(LadderMove move, const std::string& reason) {
    ports::LadderOutcome outcome;
    outcome.transitions.push_back({
        .as_of = kAsOf,
        .transition = {.move = move, .rules = {"d.pass", "d.time"}, .reason = reason},
        .figures = R"({"criteria":[]})",
        .actor = "baton",
    });
    return outcome;
}

TEST(LadderNotes, TellOfEachWhoMovedWithWhoIsOnCall) {
    LadderNotes notes(kUpstream, kNow, kDay);
    domain::LadderStanding before;
    before.since = kAsOf - std::chrono::hours{96};
    auto lowered = listed("a/one", Level::l2, {Login("olga")});
    lowered.lowered_from = Level::l3;
    notes.add(lowered, before, moved(LadderMove::returned, "3 clean"));
    notes.add(listed("b/two", Level::l4, {}), std::nullopt, moved(LadderMove::demoted, "silent"));
    notes.add(listed("c/three", Level::l2, {}), before, moved(LadderMove::proposed, "L2 to L3"));
    const auto told = std::move(notes).take();
    ASSERT_EQ(told.size(), 3U);
    EXPECT_EQ(told[0].kind, NotificationKind::recovered);
    EXPECT_EQ(told[0].level, Level::l3) << "the listed one";
    EXPECT_EQ(told[0].since, before.since) << "since when it had less";
    EXPECT_THAT(told[0].oncalls, ElementsAre(Login("olga")));
    EXPECT_EQ(told[1].kind, NotificationKind::demoted);
    EXPECT_EQ(told[1].since, kAsOf);
    EXPECT_EQ(told[1].evidence, R"({"criteria":[]})");
    EXPECT_EQ(told[2].kind, NotificationKind::proposed);
    EXPECT_EQ(told[2].at, kNow);
}

TEST(LadderNotes, GatherThoseWhoAreOnlyWatched) {
    LadderNotes notes(kUpstream, kNow, kDay);
    notes.add(
        listed("a/one", Level::l3, {Login("olga"), Login("per")}),
        std::nullopt,
        moved(LadderMove::watched, "70 %")
    );
    notes.add(
        listed("b/two", Level::l4, {Login("olga")}),
        std::nullopt,
        moved(LadderMove::watched, "60 %")
    );
    const auto told = std::move(notes).take();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].kind, NotificationKind::watch);
    EXPECT_TRUE(told[0].downstream.empty());
    EXPECT_EQ(told[0].level, Level::l4) << "the highest of them";
    EXPECT_THAT(told[0].oncalls, ElementsAre(Login("olga"), Login("per")));
    EXPECT_EQ(told[0].reason, "a/one (d.pass, d.time), b/two (d.pass, d.time)");
    EXPECT_EQ(
        told[0].evidence,
        R"({"downstreams":[{"downstream":"a/one","level":"L3","reason":"70 %"},)"
        R"({"downstream":"b/two","level":"L4","reason":"60 %"}]})"
    );
}

TEST(LadderNotes, TellNobodyTwiceOfWhatComesAndGoes) {
    const auto told_when_last_watched = [](std::optional<TimePoint> last) {
        LadderNotes notes(kUpstream, kNow, kDay);
        domain::LadderStanding before;
        before.watched_at = last;
        notes.add(
            listed("a/one", Level::l3, {}), before, moved(LadderMove::watched, "it is bad again")
        );
        return std::move(notes).take().size();
    };
    EXPECT_EQ(told_when_last_watched(std::nullopt), 1U);
    EXPECT_EQ(told_when_last_watched(kAsOf - 2 * kDay), 0U) << "calm for one evaluation";
    EXPECT_EQ(told_when_last_watched(kAsOf - 7 * kDay), 0U);
    EXPECT_EQ(told_when_last_watched(kAsOf - 8 * kDay), 1U) << "a week without it: it is news";
}

TEST(LadderNotes, TellOthersPeopleNothingOfAPrivateDownstream) {
    LadderNotes notes(kUpstream, kNow, kDay);
    const auto watched = moved(LadderMove::watched, "70 %");
    notes.add(listed("a/one", Level::l3, {Login("olga")}), std::nullopt, watched);
    auto secret = listed("s/ecret", Level::l3, {Login("per")});
    secret.visibility = domain::Visibility::closed;
    notes.add(secret, std::nullopt, watched);
    const auto told = std::move(notes).take();
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[0].downstream.text(), "s/ecret");
    EXPECT_THAT(told[0].oncalls, ElementsAre(Login("per")));
    EXPECT_THAT(told[1].oncalls, ElementsAre(Login("olga")));
    EXPECT_EQ((told[1].reason + told[1].evidence).find("ecret"), std::string::npos);
}

TEST(LadderNotes, AreSilentAboutWhatNobodyHasToDoAnythingFor) {
    LadderNotes notes(kUpstream, kNow, kDay);
    for (const auto move :
         {LadderMove::calmed, LadderMove::withdrawn, LadderMove::relisted, LadderMove::frozen}) {
        notes.add(listed("a/one", Level::l3, {}), std::nullopt, moved(move, "so it is"));
    }
    EXPECT_THAT(std::move(notes).take(), IsEmpty());
}

} // namespace
} // namespace baton::relay
