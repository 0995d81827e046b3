#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/retention.hpp"
#include "baton/ports/store.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"

namespace baton::test {

/// What is forgotten of results after a hundred days, on the five hundredth.
class StoreForgetting : public ResultsContract {
protected:
    using Verb = ports::Store::Awaitable<ports::PruneStep> (ports::Store::*)(ports::PruneQuery);

    static TimePoint on_day(int number) { return at(0) + std::chrono::days{number}; }

    static ports::PruneQuery a_prune(std::int64_t after = 0, std::size_t limit = 50) {
        return {
            .now = on_day(500), .keep_for = std::chrono::days{100}, .after = after, .limit = limit
        };
    }

    std::size_t walk(Verb verb, std::size_t limit = 50) {
        std::size_t removed = 0;
        std::optional<std::int64_t> after = 0;
        for (int steps = 0; after && steps < 100; ++steps) {
            const auto step = must((store().*verb)(a_prune(*after, limit)));
            removed += step.removed;
            after = step.next;
        }
        EXPECT_FALSE(after.has_value()) << "the walk ends";
        return removed;
    }

    std::size_t prune_jobs(std::size_t limit = 50) {
        return walk(&ports::Store::prune_results, limit);
    }

    std::size_t prune_dispatches(std::size_t limit = 50) {
        return walk(&ports::Store::prune_dispatches, limit);
    }

    /// A dispatch for a commit of its own that was sent then.
    domain::Dispatch sent_for(const std::string& head, int number, TimePoint now) {
        const auto id = "of " + head;
        auto delivery = a_delivery(id, now);
        delivery.head = HeadSha(head);
        delivery.pr = PrNumber{number};
        must(store().insert_delivery(delivery));
        auto dispatch = a_dispatch(id, "a/one");
        dispatch.head = HeadSha(head);
        dispatch.pr = PrNumber{number};
        must(store().commit_plan(a_plan(id, {dispatch}, now)));
        return sent_one("a/one", now);
    }

    /// The same with a result.
    domain::Dispatch tested(const std::string& head, int number, TimePoint now) {
        auto dispatch = sent_for(head, number, now);
        report(dispatch, an_end(domain::Conclusion::failure), now);
        return dispatch;
    }

    void pull_is(const std::string& delivery, const std::string& head, int number, int closed_on) {
        must(store().insert_delivery(a_delivery(delivery, on_day(1))));
        auto commit = a_plan(delivery, {}, on_day(1));
        auto& pull = commit.plan.pull_request.emplace(a_pull_request(head));
        pull.number = PrNumber{number};
        pull.open = closed_on == 0;
        if (closed_on != 0) {
            pull.closed_at = on_day(closed_on);
        }
        must(store().commit_plan(std::move(commit)));
    }

    bool is_kept(const domain::Dispatch& dispatch) {
        return !must(store().dispatches_to(dispatch.key.delivery, dispatch.key.downstream)).empty();
    }
};

TEST_P(StoreForgetting, ResultsGoAndWhatCountsThemStays) {
    const auto dispatch = a_sent_dispatch("d1", on_day(3));
    report(dispatch, a_start(), on_day(3));
    auto told = an_end(domain::Conclusion::failure);
    told.detail.failed_tests = {{.name = "test_add", .message = "boom"}};
    const auto job = report(dispatch, told, on_day(3) + std::chrono::minutes{5}).job;
    const auto day = day_of(on_day(3));
    ASSERT_EQ(day.ended.at(domain::Conclusion::failure), 1U);

    EXPECT_EQ(prune_jobs(), 1U);
    EXPECT_EQ(prune_dispatches(), 1U);

    EXPECT_EQ(refused(store().report_detail(job.id)), Errc::not_found);
    EXPECT_TRUE(must(store().latest_jobs({.upstream = upstream(), .number = PrNumber{7}})).empty());
    const auto after = day_of(on_day(3));
    EXPECT_EQ(after.ended, day.ended);
    EXPECT_EQ(after.execution, day.execution);
    EXPECT_EQ(after.executed, day.executed);
    EXPECT_EQ(after.queue, day.queue);
    EXPECT_EQ(must(store().result_counts()).completed.at(domain::Conclusion::failure), 0U)
        << "what is kept";
    EXPECT_EQ(count_of(domain::DispatchState::finished), 0U);
    EXPECT_EQ(must(store().counts()).deliveries, 1U);
    EXPECT_EQ(prune_jobs() + prune_dispatches(), 0U) << "once";
}

TEST_P(StoreForgetting, ADeliveryIsKnownForEverAndSaysThatItsResultsAreGone) {
    const auto dispatch = a_sent_dispatch("d1", on_day(3));
    report(dispatch, an_end(), on_day(3));
    const auto lines = kinds_in(history_of("d1"));
    EXPECT_TRUE(history_of("d1").results_kept);
    prune_jobs();
    prune_dispatches();
    const auto history = history_of("d1");
    EXPECT_TRUE(history.dispatches.empty());
    EXPECT_FALSE(history.results_kept);
    EXPECT_EQ(kinds_in(history), lines) << "the ledger stays";
    EXPECT_FALSE(must(store().insert_delivery(a_delivery("d1", on_day(501))))) << "a duplicate";
    EXPECT_TRUE(must(store().dispatches_to(DeliveryId("d1"), repo("a/one"))).empty());
    EXPECT_EQ(
        refused(store().record_report(a_commit(dispatch, an_end(), on_day(501)))), Errc::not_found
    ) << "a late report finds no dispatch";
    must(store().insert_delivery(a_delivery("d2", on_day(490))));
    EXPECT_TRUE(history_of("d2").results_kept);
}

TEST_P(StoreForgetting, ACommitAtADownstreamGoesAsAWhole) {
    const auto dispatch = a_sent_dispatch("d1", on_day(3));
    report(dispatch, an_end(domain::Conclusion::failure), on_day(3));
    auto again = an_end();
    again.key.attempt = 2;
    report(dispatch, again, on_day(399));
    EXPECT_EQ(prune_jobs(), 2U);

    const auto later = sent_for("bbbb", 8, on_day(3));
    report(later, an_end(domain::Conclusion::failure), on_day(3));
    report(later, again, on_day(401));
    EXPECT_EQ(prune_jobs(), 0U) << "somebody ran it again";
    EXPECT_EQ(prune_dispatches(), 1U);
    EXPECT_TRUE(is_kept(later)) << "it has results";
}

TEST_P(StoreForgetting, WhatMayStillBeLookedAtIsKept) {
    const auto young = tested("bbbb", 8, on_day(400));
    const auto running = sent_for("cccc", 9, on_day(3));
    report(running, a_start(), on_day(3));
    const auto open = tested("dddd", 10, on_day(3));
    pull_is("open", "dddd", 10, 0);
    const auto closed_lately = tested("eeee", 11, on_day(3));
    pull_is("closed lately", "eeee", 11, 400);
    const auto closed = tested("ffff", 12, on_day(3));
    pull_is("closed", "ffff", 12, 399);
    const auto old_head = tested("abab", 10, on_day(3));
    plant("pending", {"a/waits"}, on_day(3));
    EXPECT_EQ(prune_jobs(2), 2U);
    EXPECT_EQ(prune_dispatches(2), 2U);
    for (const auto& kept : {young, running, open, closed_lately}) {
        EXPECT_TRUE(is_kept(kept)) << kept.head.text();
        EXPECT_FALSE(history_of(kept.key.delivery.text()).dispatches.at(0).jobs.empty());
    }
    EXPECT_FALSE(is_kept(closed));
    EXPECT_FALSE(is_kept(old_head)) << "only the head of an open one";
    EXPECT_EQ(history_of("pending").dispatches.size(), 1U);
}

TEST_P(StoreForgetting, AnOpenPullRequestsDispatchWithoutAResultIsKept) {
    const auto open = sent_for("dddd", 10, on_day(3));
    pull_is("open", "dddd", 10, 0);
    EXPECT_EQ(prune_dispatches(), 0U);
    EXPECT_TRUE(is_kept(open));
}

TEST_P(StoreForgetting, DispatchesThatNobodyAnsweredGoAndTheirSilenceIsRemembered) {
    const auto silent = a_sent_dispatch("d1", on_day(3));
    ASSERT_EQ(must(store().sweep(a_sweep(on_day(4)))).silent.size(), 1U);
    const auto late = a_sent_dispatch("d2", on_day(399));
    ASSERT_EQ(must(store().sweep(a_sweep(on_day(401)))).silent.size(), 1U);
    EXPECT_EQ(prune_dispatches(), 1U);
    EXPECT_FALSE(is_kept(silent));
    EXPECT_TRUE(is_kept(late)) << "it fell silent later";
    EXPECT_EQ(day_of(on_day(4)).silent, 1U);
    EXPECT_EQ(must(store().result_counts()).silent, 1U) << "what is kept";
}

TEST_P(StoreForgetting, ALetterThatWaitsKeepsItsResultAndADeadOneDoesNot) {
    const auto dispatch = a_sent_dispatch("d1", on_day(3));
    auto told = a_commit(dispatch, an_end(), on_day(3));
    told.letters = {{.sink = "hud", .body = "x"}};
    must(store().record_report(told));
    EXPECT_EQ(prune_jobs(), 0U);
    const ports::LetterQuery query{
        .sink = "hud", .holder = InstanceId("r"), .now = on_day(4), .until = on_day(5), .limit = 9
    };
    const auto letters = must(store().take_letters(query));
    ASSERT_EQ(letters.size(), 1U);
    must(store().end_letter({.id = letters[0].id, .fence = letters[0].fence, .now = on_day(4)}));
    ASSERT_EQ(must(store().result_counts()).dead_letters, 1U);
    EXPECT_EQ(prune_jobs(), 1U);
    EXPECT_TRUE(must(store().dead_letters(9)).empty());
    EXPECT_EQ(must(store().result_counts()).dead_letters, 0U);
}

TEST_P(StoreForgetting, WhatDoesNotCountGoesToo) {
    const auto dispatch = a_sent_dispatch("d1", on_day(3));
    report(dispatch, an_end(), on_day(3));
    report(dispatch, an_end(domain::Conclusion::failure, "another run"), on_day(3));
    auto nightly = a_self_report(an_end(), on_day(3));
    nightly.commit = domain::CommitCheck::unverified;
    const auto job = must(store().record_report(nightly)).job.id;
    must(store().settle_commit(job, domain::CommitCheck::unknown, on_day(3)));
    EXPECT_EQ(prune_jobs(), 3U);
    EXPECT_EQ(prune_dispatches(), 1U);
}

TEST_P(StoreForgetting, LooksAtSoManyAndStopsWhereEverythingIsNew) {
    for (const auto* head : {"aa01", "aa02", "aa03"}) {
        tested(head, 8, on_day(3));
    }
    for (const auto* head : {"bb01", "bb02", "bb03", "bb04"}) {
        tested(head, 9, on_day(450));
    }
    const auto first = must(store().prune_results(a_prune(0, 2)));
    EXPECT_EQ(first.removed, 2U);
    ASSERT_TRUE(first.next.has_value());
    const auto second = must(store().prune_results(a_prune(*first.next, 2)));
    EXPECT_EQ(second.removed, 1U);
    ASSERT_TRUE(second.next.has_value());
    EXPECT_FALSE(must(store().prune_results(a_prune(*second.next, 2))).next.has_value());
    EXPECT_EQ(must(store().prune_dispatches(a_prune(0, 2))).removed, 2U);
}

TEST_P(StoreForgetting, NumbersAreNeverGivenTwice) {
    const auto first = tested("aaaa", 8, on_day(3));
    const auto job = history_of("of aaaa").dispatches.at(0).jobs.at(0).id;
    prune_jobs();
    prune_dispatches();
    const auto second = tested("bbbb", 8, on_day(450));
    EXPECT_NE(second.id, first.id);
    EXPECT_NE(history_of("of bbbb").dispatches.at(0).jobs.at(0).id, job);
}

} // namespace baton::test
