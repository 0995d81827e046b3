#pragma once

#include "contract/results_fixture.hpp"

namespace baton::test {

class StoreShowing : public ResultsContract {
protected:
    std::vector<domain::Job> latest() {
        return must(store().latest_jobs({.upstream = repo("up/stream"), .number = PrNumber{7}}));
    }

    domain::Dispatch sent_for(const std::string& delivery, const std::string& head, TimePoint now) {
        must(store().insert_delivery(a_delivery(delivery, now)));
        auto dispatch = a_dispatch(delivery, "a/one");
        dispatch.head = HeadSha(head);
        must(store().commit_plan(a_plan(delivery, {dispatch}, now)));
        return sent_one("a/one", now);
    }
};

TEST_P(StoreShowing, HasTheNewestAttemptOfEachJobOfAPullRequest) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, an_end(domain::Conclusion::failure, "101", "b"), at(20));
    report(dispatch, a_start("101", "a"), at(21));
    auto again = a_start("101", "b");
    again.key.attempt = 2;
    const auto newest = report(dispatch, again, at(22)).job;
    const auto jobs = latest();
    ASSERT_EQ(jobs.size(), 2U);
    EXPECT_EQ(jobs[0].key.job, "a");
    EXPECT_EQ(jobs[1], newest);
    EXPECT_TRUE(must(store().latest_jobs({.upstream = upstream(), .number = PrNumber{8}})).empty());
}

TEST_P(StoreShowing, PrefersTheNewestCommitThatHasTheJob) {
    pull_request_is("p1", "aaaa");
    const auto before = sent_for("d1", "aaaa", at(101));
    const auto old_test = report(before, an_end(), at(102)).job;
    const auto old_lint =
        report(before, an_end(domain::Conclusion::success, "101", "lint"), at(103)).job;
    pull_request_is("p2", "bbbb");
    const auto after = sent_for("d2", "bbbb", at(104));
    const auto new_test = report(after, a_start("102"), at(105)).job;
    EXPECT_EQ(latest(), (std::vector{old_lint, new_test}));
    auto rerun = an_end(domain::Conclusion::failure);
    rerun.key.attempt = 2;
    report(before, rerun, at(106));
    EXPECT_EQ(latest(), (std::vector{old_lint, new_test})) << "a late word about an old commit";
    EXPECT_NE(latest().at(1), old_test);
}

TEST_P(StoreShowing, DoesNotShowARunThatDoesNotCount) {
    const auto dispatch = a_sent_dispatch("d1");
    const auto first = report(dispatch, a_start("101"), at(20)).job;
    report(dispatch, an_end(domain::Conclusion::failure, "102"), at(21));
    EXPECT_EQ(latest(), std::vector{first});
}

TEST_P(StoreShowing, AddsUpWhatEndedByHourAndDay) {
    const auto dispatch = a_sent_dispatch("d1"); // at(0) is 08:00 UTC
    report(dispatch, a_start("101", "a"), at(20));
    report(dispatch, an_end(domain::Conclusion::success, "101", "a"), at(50));
    report(dispatch, an_end(domain::Conclusion::success, "101", "b"), at(60));
    report(dispatch, an_end(domain::Conclusion::failure, "101", "c"), at(3600));
    const auto day = day_of(at(0));
    EXPECT_EQ(day.upstream, upstream());
    EXPECT_EQ(day.downstream, repo("a/one"));
    EXPECT_EQ(day.ended.at(domain::Conclusion::success), 2U);
    EXPECT_EQ(day.ended.at(domain::Conclusion::failure), 1U);
    EXPECT_EQ(day.executed, 1U) << "the others have no start";
    EXPECT_EQ(day.execution, std::chrono::seconds{30});
    EXPECT_EQ(day.queued, 1U);
    EXPECT_EQ(day.queue, std::chrono::seconds{10});
    const ports::TallyQuery by_hour{
        .span = ports::Span::hour, .downstream = repo("a/one"), .from = at(0), .until = at(7200)
    };
    const auto hours = must(store().job_tallies(by_hour));
    ASSERT_EQ(hours.size(), 2U);
    EXPECT_EQ(hours[0].from, at(0));
    EXPECT_EQ(hours[0].ended.size(), 1U);
    EXPECT_EQ(hours[1].from, at(3600));
    EXPECT_EQ(hours[1].ended.at(domain::Conclusion::failure), 1U);
    auto outside = by_hour;
    outside.downstream = repo("b/two");
    EXPECT_TRUE(must(store().job_tallies(outside)).empty());
    outside = by_hour;
    outside.until = at(0);
    EXPECT_TRUE(must(store().job_tallies(outside)).empty());
}

TEST_P(StoreShowing, CountsJobsWhetherTheyCountOrNot) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, a_start("101"), at(20));
    report(dispatch, an_end(domain::Conclusion::failure, "102"), at(21));
    const auto counts = must(store().result_counts());
    EXPECT_EQ(counts.in_progress, 1U);
    EXPECT_EQ(counts.completed.at(domain::Conclusion::failure), 1U);
    EXPECT_EQ(counts.completed.at(domain::Conclusion::success), 0U);
    EXPECT_EQ(counts.by_relay, 0U);
}

} // namespace baton::test
