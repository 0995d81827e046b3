// How soon those on call answer: golden cases of working time, what is a question and what an
// answer.

#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/oncall.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "unit/domain/ladder_story.hpp"

namespace baton::domain {

namespace {

using namespace ladder_story;

const RepoName kAcme = *RepoName::parse("acme/x");

TEST(WorkingTime, LiesOnMondayToFriday) {
    struct Row {
        const char* what;
        Millis from; // after Monday, 00:00
        Millis until;
        Millis expected;
    };

    const std::vector<Row> rows{
        {"within a day", 9h, 17h, 8h},
        {"over a night", 17h, 33h, 16h},
        {"a whole week", 0h, 168h, 120h},
        {"Friday evening to Monday morning", 4 * 24h + 18h, 7 * 24h + 10h, 16h},
        {"on a Saturday", 5 * 24h + 2h, 5 * 24h + 20h, 0h},
        {"backwards", 17h, 9h, 0h},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.what);
        EXPECT_EQ(working_time(kMonday + row.from, kMonday + row.until, 24h), row.expected);
    }
    EXPECT_EQ(working_time(kMonday, kMonday + 7s, 1s), 5s) << "days may be short";
}

TEST(OncallAnswers, AreWaitedForFromTheFirstRedCheckOn) {
    struct Row {
        const char* what;
        std::vector<Millis> answers; // after it was asked
        std::optional<Millis> gone;  // the same
        Millis known;                // the same
        std::optional<Millis> expected;
    };

    const std::vector<Row> rows{
        {"answered after two hours", {2h}, {}, 48h, 2h},
        {"the first answer counts", {2h, 5h}, {}, 48h, 2h},
        {"what was said before is no answer", {-1h}, {}, 12h, {}},
        {"it may still be answered", {}, {}, 23h, {}},
        {"nobody answered for a working day", {}, {}, 24h, kNeverAnswered},
        {"a newer head came first", {}, 3h, 48h, {}},
        {"a newer head came before the answer", {5h}, 3h, 48h, {}},
        {"answered, then a newer head came", {2h}, 3h, 48h, 2h},
        {"a newer head came after a day without an answer", {}, 30h, 48h, kNeverAnswered},
        {"answered after a day, and after a newer head", {40h}, 30h, 48h, 40h},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.what);
        std::vector<TimePoint> answers;
        for (const auto after : row.answers) {
            answers.push_back(kMonday + after);
        }
        const Question question{
            .asked = kMonday,
            .gone_at = row.gone ? std::optional(kMonday + *row.gone) : std::nullopt,
            .until = kMonday + row.known,
        };
        EXPECT_EQ(wait_for_answer(question, answers, 24h), row.expected);
    }
}

TEST(OncallAnswers, AreTakenInDaysOf24Hours) {
    const Question question{.asked = kMonday, .gone_at = {}, .until = kMonday + 100s};
    EXPECT_EQ(wait_for_answer(question, {kMonday + 7s}, 1s), Millis{5 * 24h});
}

/// The wait of the only event that was sent; nobody else said anything.
std::vector<Millis> waits(LadderEvidence told, Millis answered = 10h) {
    for (auto& event : told.events) {
        event.shown = true;
    }
    told.answers.push_back({.downstream = kAcme, .pr = PrNumber{1}, .at = kMonday + answered});
    told.until = kMonday + 14 * kDay;
    std::vector<Millis> all;
    for (const auto& day : days_of(told, judge_outcomes(told), kAcme, {}, kDay)) {
        all.insert(all.end(), day.oncall.begin(), day.oncall.end());
    }
    return all;
}

TEST(OncallAnswers, AreAskedForByWhatIsRedOnAPullRequestAndTheirs) {
    // an attempt ends 90 minutes after the one before
    EXPECT_EQ(waits(evidence({{.letters = "-", .pr = 1}})), (std::vector<Millis>{8h + 30min}));
    EXPECT_EQ(waits(evidence({{.letters = "--", .pr = 1}})), (std::vector<Millis>{8h + 30min}))
        << "from the first that failed on";
    EXPECT_EQ(waits(evidence({{.letters = "-", .pr = 2}})), (std::vector<Millis>{kNeverAnswered}))
        << "the answer was on another pull request";
    EXPECT_TRUE(waits(evidence({{.letters = "+", .pr = 1}})).empty());
    EXPECT_TRUE(waits(evidence({{.letters = "-+", .pr = 1}})).empty()) << "it passed in the end";
    EXPECT_TRUE(waits(evidence({{.letters = "-"}})).empty()) << "on trunk nobody waits for a word";
    EXPECT_TRUE(waits(evidence({{.letters = "", .pr = 1}})).empty()) << "there is no result";
}

TEST(OncallAnswers, AreNotAskedForByWhatUpstreamBroke) {
    const auto told = evidence({
        {.by = "b/b", .letters = "-", .pr = 1},
        {.by = "c/c", .letters = "-", .pr = 1},
        {.letters = "-", .pr = 1},
    });
    EXPECT_TRUE(waits(told).empty());
}

TEST(OncallAnswers, AreNotAskedForWhereNoCheckStands) {
    auto told = evidence({{.letters = "-", .pr = 1}});
    told.until = kMonday + 14 * kDay;
    const auto days = days_of(told, judge_outcomes(told), kAcme, {}, kDay);
    ASSERT_EQ(days.size(), 1U);
    EXPECT_TRUE(days[0].oncall.empty());
}

TEST(OncallAnswers, HaveAMedian) {
    auto one = day(0, 20, 0);
    one.oncall = {1h, 3h, kNeverAnswered};
    const LadderWindow window{.from = kMonday, .until = kMonday + kDay};
    const auto measured =
        measure(Figure::oncall_p50, history({one}), window, Quantiles::nearest_rank);
    EXPECT_EQ(measured.n, 3U);
    EXPECT_EQ(measured.value, static_cast<double>(Millis{3h}.count()));
    EXPECT_FALSE(
        measure(Figure::oncall_p50, history({day(0, 20, 0)}), window, Quantiles::nearest_rank).value
    ) << "nobody was asked";
}

} // namespace

} // namespace baton::domain
