#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace baton::domain {
namespace {

using Effect = Weighed::Effect;

Report starts(std::string run = "1", int attempt = 1) {
    return {.key = {.workflow = "ci", .job = "test", .run_id = std::move(run), .attempt = attempt}};
}

Report ends(Conclusion conclusion, std::string run = "1", int attempt = 1) {
    auto report = starts(std::move(run), attempt);
    report.status = JobStatus::completed;
    report.conclusion = conclusion;
    return report;
}

Job running() {
    return {.key = starts().key};
}

Job ended(Conclusion conclusion, SaidBy said_by = SaidBy::downstream) {
    auto job = running();
    job.status = JobStatus::completed;
    job.conclusion = conclusion;
    job.said_by = said_by;
    return job;
}

TEST(Weigh, AJobMovesForwardOnlyAndItsFirstConclusionStands) {
    struct Case {
        const char* what;
        std::optional<Job> known;
        Report report;
        Effect effect;
        bool start_missed;
        bool replaces;
    };

    const Case cases[] = {
        {"first start", std::nullopt, starts(), Effect::recorded, false, false},
        {"end without start", std::nullopt, ends(Conclusion::success), Effect::recorded, true, false
        },
        {"start again", running(), starts(), Effect::duplicate, false, false},
        {"end", running(), ends(Conclusion::failure), Effect::recorded, false, false},
        {"start after end", ended(Conclusion::success), starts(), Effect::stale, false, false},
        {"the same end",
         ended(Conclusion::success),
         ends(Conclusion::success),
         Effect::duplicate,
         false,
         false},
        {"another end",
         ended(Conclusion::success),
         ends(Conclusion::failure),
         Effect::contradiction,
         false,
         false},
        {"a genuine end after ours",
         ended(Conclusion::timed_out, SaidBy::relay),
         ends(Conclusion::success),
         Effect::recorded,
         false,
         true},
        {"a genuine time-out after ours",
         ended(Conclusion::timed_out, SaidBy::relay),
         ends(Conclusion::timed_out),
         Effect::recorded,
         false,
         true},
        {"a start after our end",
         ended(Conclusion::timed_out, SaidBy::relay),
         starts(),
         Effect::stale,
         false,
         false},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.what);
        const auto weighed = weigh(
            {.job = c.known, .claimed_by = "1", .claim_bound = true, .superseded = false},
            c.report,
            false
        );
        EXPECT_EQ(weighed.effect, c.effect);
        EXPECT_EQ(weighed.start_missed, c.start_missed);
        EXPECT_EQ(weighed.replaces, c.replaces);
        EXPECT_TRUE(weighed.counts);
        EXPECT_TRUE(weighed.proceed);
    }
}

TEST(Weigh, TheFirstRunOfAWorkflowHasTheClaimAndOthersAreToldToStop) {
    struct Case {
        const char* what;
        std::string claimed_by;
        bool superseded;
        Report report;
        bool counts;
        bool proceed;
        std::string reason;
    };

    const std::string other = "another run of this workflow has the dispatch";
    const Case cases[] = {
        {"nobody has it", "", false, starts("7"), true, true, ""},
        {"it is ours", "7", false, starts("7"), true, true, ""},
        {"a later attempt of our run", "7", false, starts("7", 3), true, true, ""},
        {"another run has it", "7", false, starts("8"), false, false, other},
        {"another run has it and ended",
         "7",
         false,
         ends(Conclusion::success, "8"),
         false,
         false,
         other},
        {"the commit is old", "", true, starts("7"), true, false, "superseded"},
        {"a re-run of an old commit", "7", true, starts("7", 2), true, true, ""},
        {"another run of an old commit", "7", true, starts("8"), false, false, other},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.what);
        const auto weighed = weigh(
            {.job = std::nullopt,
             .claimed_by = c.claimed_by,
             .claim_bound = true,
             .superseded = c.superseded},
            c.report,
            true
        );
        EXPECT_EQ(weighed.counts, c.counts);
        EXPECT_EQ(weighed.proceed, c.proceed);
        EXPECT_EQ(weighed.reason, c.reason);
    }
}

TEST(Weigh, AWordWithTheTokenIsWorthMoreThanAnyWithout) {
    struct Case {
        const char* what;
        Job known;
        bool known_bound;
        Report report;
        bool bound;
        Effect effect;
        bool replaces;
    };

    const auto success = Conclusion::success;
    const auto failure = Conclusion::failure;
    const Case cases[] = {
        {"over a forged end", ended(success), false, ends(failure), true, Effect::recorded, true},
        {"over the same end without it",
         ended(success),
         false,
         ends(success),
         true,
         Effect::recorded,
         true},
        {"over a start without it", running(), false, ends(success), true, Effect::recorded, false},
        {"a forged end over a start",
         running(),
         true,
         ends(success),
         false,
         Effect::contradiction,
         false},
        {"a forged end over an end",
         ended(failure),
         true,
         ends(success),
         false,
         Effect::contradiction,
         false},
        {"the same end without it",
         ended(failure),
         true,
         ends(failure),
         false,
         Effect::duplicate,
         false},
        {"the same start without it", running(), true, starts(), false, Effect::duplicate, false},
        {"a start without it, late", ended(failure), true, starts(), false, Effect::stale, false},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.what);
        auto known = c.known;
        known.bound = c.known_bound;
        const auto weighed = weigh({.job = known, .claimed_by = "1"}, c.report, c.bound);
        EXPECT_EQ(weighed.effect, c.effect);
        EXPECT_EQ(weighed.replaces, c.replaces);
    }
}

TEST(Weigh, AClaimMadeWithoutTheTokenGivesWayToOneWithIt) {
    const auto taken = weigh({.claimed_by = "7", .claim_bound = false}, starts("8"), true);
    EXPECT_TRUE(taken.takes_over);
    EXPECT_TRUE(taken.counts);
    EXPECT_TRUE(taken.proceed);
    EXPECT_FALSE(weigh({.claimed_by = "7", .claim_bound = false}, starts("8"), false).counts);
    EXPECT_FALSE(weigh({.claimed_by = "7", .claim_bound = true}, starts("8"), true).counts);
}

TEST(StateByJobs, OnlyATokenProvesThatWhatIsThoughtAwayArrived) {
    auto with_token = running();
    with_token.bound = true;
    for (const auto state : {DispatchState::pending, DispatchState::failed, DispatchState::dead}) {
        EXPECT_EQ(state_by_jobs(state, heard_from({running()})), std::nullopt) << name_of(state);
        EXPECT_EQ(state_by_jobs(state, heard_from({with_token})), DispatchState::started)
            << name_of(state);
    }
}

TEST(StateByJobs, FollowsTheJobsThatCount) {
    auto stranger = running();
    stranger.counts = false;

    struct Case {
        const char* what;
        DispatchState state;
        std::vector<Job> jobs;
        std::optional<DispatchState> expected;
    };

    const Case cases[] = {
        {"no job", DispatchState::sent, {}, std::nullopt},
        {"one runs", DispatchState::sent, {running()}, DispatchState::started},
        {"one runs, one ended",
         DispatchState::started,
         {running(), ended(Conclusion::failure)},
         DispatchState::started},
        {"all ended", DispatchState::started, {ended(Conclusion::failure)}, DispatchState::finished
        },
        {"run again", DispatchState::finished, {running()}, DispatchState::started},
        {"only a run without the claim", DispatchState::sent, {stranger}, std::nullopt},
        {"superseded", DispatchState::superseded, {running()}, std::nullopt},
        {"cancelled", DispatchState::cancelled, {ended(Conclusion::success)}, std::nullopt},
    };
    for (const auto& c : cases) {
        EXPECT_EQ(state_by_jobs(c.state, heard_from(c.jobs)), c.expected) << c.what;
    }
}

TEST(JobTimes, AreByOurClockAndNeverNegative) {
    const auto noon = from_ms(1'800'000'000'000);
    auto job = ended(Conclusion::success);
    EXPECT_EQ(execution_of(job), std::nullopt);
    job.dispatched_at = noon;
    job.started_at = noon + std::chrono::minutes{2};
    job.completed_at = noon + std::chrono::minutes{12};
    EXPECT_EQ(execution_of(job), std::chrono::minutes{10});
    EXPECT_EQ(end_to_end_of(job), std::chrono::minutes{12});
    job.completed_at = noon - std::chrono::minutes{1};
    EXPECT_EQ(execution_of(job), Millis{0});
}

TEST(JobTimes, ThatDifferFromTheirsByMoreThanAMinuteAreMarked) {
    const auto noon = from_ms(1'800'000'000'000);
    auto job = ended(Conclusion::success);
    job.started_at = noon;
    job.completed_at = noon + std::chrono::hours{1};
    EXPECT_FALSE(is_skewed(job));
    job.their_start = noon - std::chrono::seconds{60};
    EXPECT_FALSE(is_skewed(job));
    job.their_start = noon - std::chrono::seconds{61};
    EXPECT_TRUE(is_skewed(job));
    job.their_start.reset();
    job.their_end = noon;
    EXPECT_TRUE(is_skewed(job));
    job.said_by = SaidBy::relay; // our own end is not theirs
    EXPECT_FALSE(is_skewed(job));
}

TEST(Report, NamesGoThereAndBack) {
    for (const auto conclusion : kConclusions) {
        EXPECT_EQ(conclusion_named(name_of(conclusion)), conclusion);
    }
    EXPECT_EQ(conclusion_named("stale"), std::nullopt);
    EXPECT_EQ(job_status_named("in_progress"), JobStatus::in_progress);
    EXPECT_EQ(job_status_named("completed"), JobStatus::completed);
    EXPECT_EQ(job_status_named("queued"), std::nullopt);
}

} // namespace
} // namespace baton::domain
