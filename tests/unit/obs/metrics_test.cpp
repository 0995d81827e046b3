#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/obs/metrics.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "unit/obs/entries.hpp"

namespace baton::obs {

namespace {

using test::kNoon;
using testing::HasSubstr;
using testing::Not;

ports::DeliveryPlanned planned(std::string event) {
    return {
        .delivery = DeliveryId("d-1"),
        .event = std::move(event),
        .created = 3,
        .superseded = 0,
        .cancelled = 0,
        .waited = Millis{4}
    };
}

/// Metrics that have heard one of everything.
void feed(Metrics& metrics) {
    metrics.note(test::accepted_webhook());
    metrics.note(test::recorded_callback());
    metrics.note(test::refused_webhook());
    metrics.note(planned("push"));
    metrics.note(test::sent_dispatch());
    metrics.note(test::lost_answer());
    metrics.note(ports::AllowlistInForce{
        .upstream = test::repo("up/stream"), .source = "file:a.yml", .downstreams = 12
    });
    metrics.note(ports::AllowlistRefused{
        .upstream = test::repo("up/stream"), .source = "file:a.yml", .detail = "3:1: not a map"
    });
    metrics.note(ports::Trouble{.healed = true, .where = "store", .detail = "locked"});
    metrics.note(ports::LifeTurn{.what = "started", .detail = ""});
    metrics.note(ports::PostingAttempted{.name = "crcr/gate", .fate = domain::PostingFate::done});
    metrics.note(ports::RerunEnded{.state = domain::RerunState::asked});
    metrics.note(ports::GateMoved{.suspended = true});
    metrics.note(ports::LadderMoved{.move = "demoted"});
    metrics.note(ports::Pruned{.bodies = 1});
}

TEST(Metrics, CountWhatTheJournalTells) {
    Metrics metrics;
    feed(metrics);
    const auto text = metrics.render();
    for (const auto* line : {
             R"(baton_webhooks_total{outcome="accepted",reason=""} 1)",
             R"(baton_webhooks_total{outcome="refused",reason="bad_signature"} 1)",
             R"(baton_webhook_seconds_count 2)",
             R"(baton_deliveries_planned_total{event="push"} 1)",
             R"(baton_dispatches_planned_total 3)",
             R"(baton_dispatch_attempts_total{outcome="accepted"} 1)",
             R"(baton_dispatch_attempts_total{outcome="unknown"} 1)",
             R"(baton_dispatch_attempt_seconds_count 2)",
             R"(baton_dispatch_unknown_outcomes_total 1)",
             R"(baton_dispatches_total{state="sent"} 1)",
             R"(baton_dispatch_age_seconds_count 1)",
             R"(baton_allowlist_downstreams{upstream="up/stream"} 12)",
             R"(baton_allowlist_refusals_total{upstream="up/stream"} 1)",
             R"(baton_allowlist_refused{upstream="up/stream"} 1)",
             R"(baton_troubles_total{severity="warning",where="store"} 1)",
         }) {
        EXPECT_THAT(text, HasSubstr(std::string(line) + "\n"));
    }
}

TEST(Metrics, NameTheBuild) {
    EXPECT_THAT(
        Metrics().render(), HasSubstr("baton_build_info{version=\"" BATON_VERSION "\"} 1\n")
    );
}

TEST(Metrics, KnownSeriesStandAtZeroFromTheStart) {
    const auto text = Metrics().render();
    EXPECT_THAT(text, HasSubstr("baton_dispatch_attempts_total{outcome=\"unauthenticated\"} 0\n"));
    EXPECT_THAT(text, HasSubstr("baton_dispatches_total{state=\"dead\"} 0\n"));
    EXPECT_THAT(text, HasSubstr("baton_oldest_pending_age_seconds 0\n"));
}

TEST(Metrics, AnAttemptThatWillBeRepeatedIsNoDispatchYet) {
    Metrics metrics;
    metrics.note(test::lost_answer());
    EXPECT_THAT(metrics.render(), Not(HasSubstr("baton_dispatches_total{state=\"pending\"}")));
}

TEST(Metrics, AnAllowlistThatIsGoodAgainEndsTheAlarm) {
    Metrics metrics;
    feed(metrics);
    metrics.note(ports::AllowlistInForce{
        .upstream = test::repo("up/stream"), .source = "file:a.yml", .downstreams = 13
    });
    EXPECT_THAT(metrics.render(), HasSubstr("baton_allowlist_refused{upstream=\"up/stream\"} 0\n"));
}

TEST(Metrics, ShowWhatTheStoreHolds) {
    Metrics metrics;
    const ports::Counts counts{
        .deliveries = 100,
        .to_plan = 2,
        .dispatches = {{domain::DispatchState::pending, 7}, {domain::DispatchState::sent, 90}},
        .unknown_outcomes = 1,
        .oldest_pending = kNoon - Millis{1500},
    };
    metrics.observe(counts, kNoon);
    const auto text = metrics.render();
    EXPECT_THAT(text, HasSubstr("baton_store_deliveries 100\n"));
    EXPECT_THAT(text, HasSubstr("baton_deliveries_to_plan 2\n"));
    EXPECT_THAT(text, HasSubstr("baton_store_dispatches{state=\"pending\"} 7\n"));
    EXPECT_THAT(text, HasSubstr("baton_store_dispatches{state=\"dead\"} 0\n"));
    EXPECT_THAT(text, HasSubstr("baton_store_unknown_outcomes 1\n"));
    EXPECT_THAT(text, HasSubstr("baton_oldest_pending_age_seconds 1.5\n"));

    metrics.observe(ports::Counts{}, kNoon); // what is gone must not stand there for ever
    EXPECT_THAT(metrics.render(), HasSubstr("baton_store_dispatches{state=\"pending\"} 0\n"));
    EXPECT_THAT(metrics.render(), HasSubstr("baton_oldest_pending_age_seconds 0\n"));
}

TEST(Metrics, TellOfResultsThatDidNotComeAndOfLetters) {
    Metrics metrics;
    metrics.note(ports::SilenceNoted{
        .dispatch = DispatchId{1}, .downstream = test::repo("org/b"), .superseded = false
    });
    metrics.note(ports::JobTimedOut{.job = JobId{1}, .downstream = test::repo("org/b")});
    metrics.note(
        ports::ScheduleTurned{.event = "nightly", .outcome = ports::ScheduleTurned::Outcome::missed}
    );
    metrics.note(
        ports::LetterAttempted{.sink = "pytorch-hud", .fate = domain::LetterFate::delivered}
    );
    const ports::ResultCounts counts{
        .in_progress = 3,
        .completed = {{domain::Conclusion::failure, 4}},
        .by_relay = 2,
        .silent = 5,
        .outbox_waiting = 6,
        .outbox_oldest = kNoon - Millis{2500},
        .dead_letters = 7,
    };
    metrics.observe(counts, kNoon);
    const auto text = metrics.render();
    for (const auto* line :
         {"baton_silent_dispatches_total{superseded=\"false\"} 1\n",
          "baton_timed_out_jobs_total 1\n",
          "baton_schedules_total{event=\"nightly\",outcome=\"missed\"} 1\n",
          "baton_letters_total{outcome=\"delivered\",sink=\"pytorch-hud\"} 1\n",
          "baton_store_jobs{state=\"in_progress\"} 3\n",
          "baton_store_jobs{state=\"failure\"} 4\n",
          "baton_store_jobs_by_relay 2\n",
          "baton_store_silent_dispatches 5\n",
          "baton_letters_waiting 6\n",
          "baton_oldest_letter_age_seconds 2.5\n",
          "baton_dead_letters 7\n"}) {
        EXPECT_THAT(text, HasSubstr(line));
    }
    EXPECT_THAT(text, Not(HasSubstr("org/b"))) << "no label names a downstream";
}

TEST(Metrics, OfAStoreThatDoesNotAnswerAreUnknownAndNotOld) {
    Metrics metrics;
    metrics.observe(ports::Counts{.deliveries = 100, .to_plan = 2}, kNoon);
    metrics.observe(ports::ResultCounts{.silent = 5, .dead_letters = 7}, kNoon);
    metrics.forget_store();
    const auto text = metrics.render();
    for (const auto* name :
         {"baton_store_deliveries",
          "baton_deliveries_to_plan",
          "baton_store_unknown_outcomes",
          "baton_oldest_pending_age_seconds",
          "baton_store_dispatches{state=\"pending\"}",
          "baton_store_jobs{state=\"in_progress\"}",
          "baton_store_jobs{state=\"failure\"}",
          "baton_store_jobs_by_relay",
          "baton_store_silent_dispatches",
          "baton_letters_waiting",
          "baton_oldest_letter_age_seconds",
          "baton_dead_letters"}) {
        EXPECT_THAT(text, HasSubstr(std::string(name) + " Nan\n"));
    }
    metrics.observe(ports::Counts{.deliveries = 101}, kNoon);
    EXPECT_THAT(metrics.render(), HasSubstr("baton_store_deliveries 101\n"));
}

TEST(Metrics, ShowTheLeastThatAnyAccountHasLeftAndNameNone) {
    Metrics metrics;
    metrics.observe({
        {.account = "rich", .limit = 5000, .remaining = 4000, .in_flight = 2},
        {.account = "poor", .limit = 5000, .remaining = 50, .held_until = kNoon, .in_flight = 1},
        {.account = "silent"},
    });
    const auto text = metrics.render();
    EXPECT_THAT(text, HasSubstr("baton_github_quota_headroom_ratio 0.01\n"));
    EXPECT_THAT(text, HasSubstr("baton_github_accounts_held 1\n"));
    EXPECT_THAT(text, HasSubstr("baton_github_requests_in_flight 3\n"));
    EXPECT_THAT(text, Not(HasSubstr("poor")));
}

TEST(Metrics, TellWhatTheDeliveryLogSays) {
    Metrics metrics;
    metrics.note(ports::HookLogWalked{.tries = 100, .asked = 7, .astray = 9, .given_up = 1});
    metrics.note(ports::DayCompleted{.day = {.sent = 10, .in_ledger = 7, .ignored = 1}});
    const auto text = metrics.render();
    EXPECT_THAT(text, HasSubstr("baton_redeliveries_asked_total 7\n"));
    EXPECT_THAT(text, HasSubstr("baton_webhooks_astray 9\n"));
    EXPECT_THAT(text, HasSubstr("baton_webhooks_given_up 1\n"));
    EXPECT_THAT(text, HasSubstr("baton_day_missing 2\n"));
}

TEST(Metrics, CountWhatWasPruned) {
    Metrics metrics;
    EXPECT_THAT(metrics.render(), HasSubstr("baton_pruned_bodies_total 0\n"));
    metrics.note(ports::Pruned{.bodies = 12});
    metrics.note(ports::Pruned{.bodies = 3, .jobs = 7, .dispatches = 2});
    const auto text = metrics.render();
    EXPECT_THAT(text, HasSubstr("baton_pruned_bodies_total 15\n"));
    EXPECT_THAT(text, HasSubstr("baton_pruned_jobs_total 7\n"));
    EXPECT_THAT(text, HasSubstr("baton_pruned_dispatches_total 2\n"));
}

TEST(Metrics, AClockThatWasSetBackGivesNoNegativeAge) {
    Metrics metrics;
    ports::Counts counts;
    counts.oldest_pending = kNoon + Millis{5000};
    metrics.observe(counts, kNoon);
    EXPECT_THAT(metrics.render(), HasSubstr("baton_oldest_pending_age_seconds 0\n"));
}

TEST(Metrics, EventsNobodyKnowsAreOneSeries) {
    Metrics metrics;
    metrics.note(planned("pull_request"));
    for (int i = 0; i < 1000; ++i) {
        metrics.note(planned("made_up_" + std::to_string(i)));
    }
    const auto text = metrics.render();
    EXPECT_THAT(text, HasSubstr("baton_deliveries_planned_total{event=\"pull_request\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("baton_deliveries_planned_total{event=\"other\"} 1000\n"));
    EXPECT_THAT(text, Not(HasSubstr("made_up")));
}

TEST(Metrics, ALabelNeverGrowsWithoutEnd) {
    Metrics metrics;
    auto entry = test::refused_webhook();
    for (std::size_t i = 0; i < limits::kMetricWordsMax + 5; ++i) {
        entry.reason = "reason_" + std::to_string(i);
        metrics.note(entry);
    }
    EXPECT_THAT(
        metrics.render(),
        HasSubstr("baton_webhooks_total{outcome=\"refused\",reason=\"other\"} 5\n")
    );
}

TEST(Metrics, CountFromManyThreads) {
    Metrics metrics;
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&metrics] {
                for (int i = 0; i < 250; ++i) {
                    metrics.note(test::accepted_webhook());
                    metrics.observe(ports::Counts{}, kNoon);
                }
                static_cast<void>(metrics.render());
            });
        }
    }
    EXPECT_THAT(
        metrics.render(), HasSubstr("baton_webhooks_total{outcome=\"accepted\",reason=\"\"} 1000\n")
    );
}

std::set<std::string> names_in(const std::string& text, const std::regex& pattern) {
    std::set<std::string> names;
    for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
        names.insert((*it)[1]);
    }
    return names;
}

TEST(Metrics, TheManualNamesEachOneAndNoOther) {
    Metrics metrics;
    feed(metrics);
    const std::ifstream file(BATON_SOURCE_DIR "/docs/operations/metrics.md");
    ASSERT_TRUE(file) << "docs/operations/metrics.md is missing";
    std::ostringstream manual;
    manual << file.rdbuf();
    const auto printed = names_in(metrics.render(), std::regex("# TYPE (baton_[a-z_]+)"));
    const auto described = names_in(manual.str(), std::regex("\\n\\| `(baton_[a-z_]+)"));
    EXPECT_FALSE(printed.empty());
    EXPECT_EQ(printed, described);
}

} // namespace

} // namespace baton::obs
