#include "baton/base/time.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/told_attempt.hpp"
#include "baton/quality/ci_metrics.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace baton::quality {

namespace {

using namespace std::chrono_literals;
using domain::Conclusion;
using domain::ToldAttempt;
using testing::HasSubstr;

const Day kAsOf = *parse_day("2026-10-12");

/// One downstream and what was sent to it; ago is counted from `as_of` back.
struct Stage {
    CiFacts facts{
        .downstream = *RepoName::parse("acme/backend"),
        .evidence = {},
        .required_jobs = {},
        .cut = {},
        .own_nightlies = {},
        .as_of = kAsOf,
        .released = {},
        .level = 3,
    };

    domain::LadderEvent&
    event(Millis ago, const std::string& type, std::optional<Conclusion> end, bool tests = true) {
        auto& all = facts.evidence.events;
        const TimePoint sent = kAsOf - ago;
        domain::LadderEvent event{
            .id = DispatchId{static_cast<std::int64_t>(all.size()) + 1},
            .downstream = facts.downstream,
            .event_type = type,
            .pr = {},
            .head = HeadSha(fmt::format("{:040x}", all.size())),
            .level = domain::Level::l3,
            .sent_at = sent,
            .silent_at = {},
            .overtaken_at = {},
            .jobs = {},
        };
        if (end) {
            event.jobs.push_back(
                {.workflow = "ci",
                 .name = "test",
                 .attempts =
                     {{.job = JobId{1},
                       .conclusion = end,
                       .started_at = sent + 1min,
                       .ended_at = sent + 1h,
                       .queue = {},
                       .tests_told = tests,
                       .triage = {}}}}
            );
        } else {
            event.silent_at = sent + 2h;
        }
        all.push_back(std::move(event));
        return all.back();
    }

    /// A good push every six hours of so many days.
    void every_six_hours(int days) {
        for (int i = 1; i <= 4 * days; ++i) {
            event(6h * i, "push", Conclusion::success);
        }
    }

    /// Nothing is answered from so long ago on, for so long.
    void silence(Millis ago, Millis length) {
        for (auto& event : facts.evidence.events) {
            const auto age = TimePoint(kAsOf) - event.sent_at;
            if (age <= ago && age > ago - length) {
                event.jobs.clear();
                event.silent_at = event.sent_at + 2h;
            }
        }
    }
};

struct OutageCase {
    const char* name;
    std::vector<std::pair<Millis, Millis>> silences; // how long ago, for how long
    const char* outages;
    const char* hours;
    MetricVerdict verdict;
};

// A silence from event k to event k+n ends one hour after the next good one, six hours later.
const OutageCase kOutages[] = {
    {"none", {}, "0", "0", MetricVerdict::met},
    {"two bad events in a row are none", {{240h, 12h}}, "0", "0", MetricVerdict::met},
    {"three are one", {{240h, 18h}}, "1", "19", MetricVerdict::met},
    {"two that take more than a twentieth of the month",
     {{600h, 18h}, {400h, 18h}, {200h, 12h}},
     "2",
     "19",
     MetricVerdict::unmet},
    {"four are too many",
     {{600h, 18h}, {400h, 18h}, {300h, 18h}, {200h, 18h}},
     "4",
     "19",
     MetricVerdict::unmet},
    {"one that took longer than three days", {{300h, 72h}}, "1", "73", MetricVerdict::unmet},
    {"one that lasts and is not too long yet", {{24h, 24h}}, "1", "24", MetricVerdict::pending},
    {"one that lasts too long", {{78h, 78h}}, "1", "78", MetricVerdict::unmet},
};

} // namespace

TEST(Outages, AreSeriesOfBadEventsUntilTheNextGoodOne) {
    for (const auto& c : kOutages) {
        SCOPED_TRACE(c.name);
        Stage stage;
        stage.every_six_hours(31);
        for (const auto& [ago, length] : c.silences) {
            stage.silence(ago, length);
        }
        const auto metric = outages(stage.facts);
        ASSERT_TRUE(metric.figures.contains("outages")) << metric.reason;
        EXPECT_EQ(to_text(metric.figures.at("outages")), c.outages);
        EXPECT_EQ(to_text(metric.figures.at("max_recovery_h")), c.hours);
        EXPECT_EQ(metric.verdict, c.verdict) << metric.reason;
        EXPECT_EQ(metric.den, 30 * 24 * 60);
    }
}

TEST(Outages, TakeFivePercentOfTheTimeAtMost) {
    Stage stage;
    stage.every_six_hours(31);
    stage.silence(240h, 30h); // until 31 hours later: 4.3 % of 30 days
    EXPECT_EQ(outages(stage.facts).verdict, MetricVerdict::met);
    stage.silence(480h, 18h); // 50 hours of 720
    const auto metric = outages(stage.facts);
    EXPECT_EQ(metric.verdict, MetricVerdict::unmet);
    EXPECT_EQ(metric.num, 50 * 60);
    EXPECT_THAT(metric.reason, HasSubstr("more than 5 %"));
}

TEST(Outages, AreNotWhenTheRelayItselfWasUnwell) {
    Stage stage;
    stage.every_six_hours(31);
    stage.silence(300h, 100h);
    stage.facts.cut = {{.from = kAsOf - 300h, .until = kAsOf - 200h}};
    const auto metric = outages(stage.facts);
    EXPECT_EQ(to_text(metric.figures.at("outages")), "0");
    EXPECT_EQ(metric.verdict, MetricVerdict::met);
}

TEST(Outages, CountARedTestAsAnAnswerAndDeadMachinesAsNone) {
    Stage stage;
    for (int i = 1; i <= 31; ++i) {
        stage.event(24h * i, "nightly", Conclusion::failure, true);
    }
    EXPECT_EQ(outages(stage.facts).verdict, MetricVerdict::met);
    for (auto& event : stage.facts.evidence.events) {
        event.jobs[0].attempts[0].tests_told = false;
    }
    EXPECT_EQ(outages(stage.facts).verdict, MetricVerdict::unmet);
}

TEST(Outages, NeedTwentyEventsAndAMonth) {
    Stage few;
    for (int i = 1; i <= 19; ++i) {
        few.event(i == 19 ? 30 * 24h : 12h * i, "push", Conclusion::success);
    }
    EXPECT_EQ(outages(few.facts).verdict, MetricVerdict::insufficient);
    EXPECT_THAT(outages(few.facts).reason, HasSubstr("19 events"));
    Stage young;
    young.every_six_hours(20);
    EXPECT_EQ(outages(young.facts).verdict, MetricVerdict::insufficient);
    EXPECT_THAT(outages(young.facts).reason, HasSubstr("first heard of on 2026-09-22"));
    EXPECT_THAT(outages(Stage{}.facts).reason, HasSubstr("nothing was sent"));
}

TEST(Outages, AreLookedForInTheReleaseCycle) {
    Stage stage;
    EXPECT_EQ(cycle_of(stage.facts).from, kAsOf - std::chrono::days{30});
    stage.facts.released = parse_day("2026-09-02");
    EXPECT_EQ(cycle_of(stage.facts).from, *parse_day("2026-09-02"));
    stage.facts.released = parse_day("2026-01-01");
    EXPECT_EQ(cycle_of(stage.facts).from, kAsOf - std::chrono::days{90});
    stage.facts.released = parse_day("2026-10-10");
    EXPECT_EQ(cycle_of(stage.facts).from, kAsOf - std::chrono::days{30});
}

namespace {

/// So many merged pull requests, so many of them with a verdict before.
Stage merges(int merged, int covered) {
    Stage stage;
    for (int i = 0; i < merged; ++i) {
        auto& event = stage.event(24h + 1h * i, "pull_request", Conclusion::success);
        event.pr = PrNumber{i + 1};
        const auto when = event.sent_at + (i < covered ? 2h : 30min);
        stage.facts.evidence.pulls[*event.pr] = {
            .head = event.head, .merged_at = when, .closed_at = {}
        };
    }
    return stage;
}

} // namespace

struct GateCase {
    const char* name;
    int merged, covered, level;
    MetricVerdict verdict;
};

constexpr GateCase kGates[] = {
    {"all of them", 20, 20, 3, MetricVerdict::met},
    {"nineteen of twenty are enough", 20, 19, 3, MetricVerdict::met},
    {"eighteen are not", 20, 18, 3, MetricVerdict::unmet},
    {"nineteen are too few to tell", 19, 19, 3, MetricVerdict::insufficient},
    {"level 4 gates by itself", 0, 0, 4, MetricVerdict::met},
};

TEST(GateCoverage, IsTheShareOfMergesWithAVerdictBefore) {
    for (const auto& c : kGates) {
        SCOPED_TRACE(c.name);
        auto stage = merges(c.merged, c.covered);
        stage.facts.level = c.level;
        const auto metric = gate_coverage(stage.facts);
        EXPECT_EQ(metric.verdict, c.verdict) << metric.reason;
        EXPECT_EQ(metric.num, c.covered);
        EXPECT_EQ(metric.den, c.merged);
    }
}

struct NightCase {
    const char* name;
    std::vector<int> missing; // days ago
    std::int64_t nights;
    MetricVerdict verdict;
};

const NightCase kNights[] = {
    {"every night", {}, 30, MetricVerdict::met},
    {"three missing in a row", {5, 6, 7}, 27, MetricVerdict::met},
    {"four are too few nights", {2, 9, 16, 23}, 26, MetricVerdict::unmet},
    {"the last ones count too", {1, 2, 3}, 27, MetricVerdict::met},
};

TEST(Nightlies, AreThereOnNineDaysOfTen) {
    for (const auto& c : kNights) {
        SCOPED_TRACE(c.name);
        Stage stage;
        for (int i = 1; i <= 30; ++i) {
            const bool gone = std::ranges::find(c.missing, i) != c.missing.end();
            stage.event(
                24h * i - 2h, "nightly", gone ? std::nullopt : std::optional(Conclusion::failure)
            );
        }
        const auto metric = nightly_days(stage.facts);
        EXPECT_EQ(metric.num, c.nights);
        EXPECT_EQ(metric.den, 30);
        EXPECT_EQ(metric.verdict, c.verdict) << metric.reason;
    }
}

TEST(Nightlies, CountWhetherTheyWereSentOrToldByThemselves) {
    Stage stage;
    for (int i = 1; i <= 30; ++i) {
        stage.facts.own_nightlies.push_back(kAsOf - 24h * i + 3h);
    }
    EXPECT_EQ(nightly_days(stage.facts).verdict, MetricVerdict::met);
    stage.facts.own_nightlies.resize(20);
    EXPECT_EQ(nightly_days(stage.facts).verdict, MetricVerdict::insufficient);
}

namespace {

ToldAttempt attempt(int number, bool passed, std::vector<std::string> failed = {}) {
    return {
        .commit = fmt::format("c{}", number),
        .workflow = "ci",
        .job = "test",
        .device = "npu",
        .ended_at = kAsOf - 1h * (number + 1),
        .passed = passed,
        .trunk = true,
        .tests = 50,
        .failed = std::move(failed),
    };
}

} // namespace

TEST(ObservedFlakes, FailedWhereAnotherAttemptOnTheCommitPassed) {
    std::vector<ToldAttempt> attempts;
    for (int i = 0; i < 9; ++i) {
        attempts.push_back(attempt(i, true));
    }
    attempts.push_back(attempt(3, false, {"a", "b"}));  // passed on the same commit
    attempts.push_back(attempt(4, false, {"a"}));       // the same test again
    attempts.push_back(attempt(77, false, {"broken"})); // no attempt passed there
    const auto metric = flaky_observed(attempts, kAsOf);
    EXPECT_EQ(metric.verdict, MetricVerdict::measured) << metric.reason;
    EXPECT_EQ(metric.num, 2);
    EXPECT_EQ(metric.den, 50);
    EXPECT_EQ(metric.n, 12);
    std::ranges::reverse(attempts);
    EXPECT_EQ(flaky_observed(attempts, kAsOf).rows, metric.rows);
}

TEST(ObservedFlakes, NeedTenRunsAndJobsThatRanFiveTimes) {
    std::vector<ToldAttempt> attempts;
    for (int i = 0; i < 9; ++i) {
        attempts.push_back(attempt(i, true));
    }
    EXPECT_EQ(flaky_observed(attempts, kAsOf).verdict, MetricVerdict::insufficient);
    attempts.push_back(attempt(9, true));
    EXPECT_EQ(flaky_observed(attempts, kAsOf).verdict, MetricVerdict::measured);
    for (std::size_t i = 0; i < attempts.size(); ++i) {
        attempts[i].job = fmt::format("job {}", i / 4);
    }
    EXPECT_EQ(flaky_observed(attempts, kAsOf).verdict, MetricVerdict::insufficient);
    attempts.front().ended_at = kAsOf - 15 * 24h; // too old to count
    EXPECT_EQ(flaky_observed(attempts, kAsOf).n, 9);
}

TEST(PublicLinks, AnswerNineteenTimesOfTwenty) {
    std::vector<LinkAnswer> answers;
    for (int i = 0; i < 19; ++i) {
        answers.push_back({.url = fmt::format("https://a/{}", i), .open = true});
    }
    EXPECT_EQ(public_links(answers, kAsOf).verdict, MetricVerdict::insufficient);
    answers.push_back({.url = "https://a/closed", .open = false});
    EXPECT_EQ(public_links(answers, kAsOf).verdict, MetricVerdict::met);
    answers.push_back({.url = "https://a/closed2", .open = false});
    EXPECT_EQ(public_links(answers, kAsOf).verdict, MetricVerdict::unmet);
}

} // namespace baton::quality
