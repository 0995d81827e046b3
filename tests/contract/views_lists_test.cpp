#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/views.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/checks_fixture.hpp"
#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "contract/store_kinds.hpp"
#include "contract/views_fixture.hpp"

namespace baton::test {

namespace {

using domain::CellOutcome;
using domain::Conclusion;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Grids, pull requests, news.
class ListsContract : public ViewsContract {};

} // namespace

TEST_P(ListsContract, ShowTheGridNewestCommitFirstAndInPages) {
    for (int i = 1; i <= 3; ++i) {
        pull(i, at(i));
        const auto dispatch = sent_one("a/one", at(10 + i));
        report(dispatch, an_end(i == 2 ? Conclusion::failure : Conclusion::success), at(20 + i));
    }
    EXPECT_THAT(
        rows_of({}),
        ElementsAre(
            "0003: ci/test success x1", "0002: ci/test failure x1", "0001: ci/test success x1"
        )
    );
    ports::GridQuery query{
        .upstream = upstream(),
        .downstream = repo("a/one"),
        .event_type = "pull_request",
        .before = std::nullopt,
        .limit = 2,
    };
    const auto page = must(views().grid(query));
    ASSERT_EQ(page.size(), 2U);
    EXPECT_EQ(page[0].pr, PrNumber{3});
    EXPECT_EQ(page[0].at, at(23));
    query.before = page[1].cursor;
    EXPECT_THAT(rows_of(query), ElementsAre("0001: ci/test success x1"));
    query.event_type = "push";
    EXPECT_THAT(must(views().grid(query)), IsEmpty());
}

TEST_P(ListsContract, ShowOnTheGridOnlyWhatCounts) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, an_end(Conclusion::success, "101"), at(30));
    report(dispatch, an_end(Conclusion::failure, "102"), at(31)); // another run has the claim
    EXPECT_THAT(rows_of({}), ElementsAre("aaaa: ci/test success x1"));
}

TEST_P(ListsContract, ForgetARunThatLostItsClaim) {
    const auto dispatch = a_sent_dispatch("d1");
    auto unbound = a_commit(dispatch, an_end(Conclusion::failure, "101", "lint"), at(30));
    unbound.bound = false;
    must(store().record_report(unbound));
    EXPECT_THAT(rows_of({}), ElementsAre("aaaa: ci/lint failure x1"));
    report(dispatch, an_end(Conclusion::success, "102"), at(31));
    EXPECT_THAT(rows_of({}), ElementsAre("aaaa: ci/test success x1"));
    EXPECT_EQ(view_of("a/one").ended.cells, (domain::Cells{.success = 1}));
}

TEST_P(ListsContract, ListPullRequestsNewestFirstAndInPages) {
    pull(1, at(10));
    pull(2, at(30));
    pull(3, at(20), false);
    pull(4, at(20), true, "Alice");
    EXPECT_THAT(numbers_of({}), ElementsAre(2, 4, 1));
    EXPECT_THAT(numbers_of({.state = ports::PullState::closed}), ElementsAre(3));
    EXPECT_THAT(numbers_of({.state = ports::PullState::all}), ElementsAre(2, 4, 3, 1));
    EXPECT_THAT(numbers_of({.author = "alice"}), ElementsAre(4));
    EXPECT_THAT(numbers_of({.upstream = repo("some/other")}), IsEmpty());
    ports::PullQuery query{.upstream = std::nullopt, .state = ports::PullState::all, .limit = 2};
    EXPECT_THAT(numbers_of(query), ElementsAre(2, 4));
    query.before = {.updated_at = at(20), .upstream = upstream(), .number = PrNumber{4}};
    EXPECT_THAT(numbers_of(query), ElementsAre(3, 1));
}

TEST_P(ListsContract, ShowHowEachDownstreamStandsOnAPullRequest) {
    pull(7, at(1));
    const auto dispatch = sent_one("a/one", at(10));
    report(dispatch, an_end(Conclusion::failure), at(20));
    report(dispatch, a_start("101", "slow"), at(21));
    const auto row = must(views().pulls({})).at(0);
    EXPECT_EQ(row.head, HeadSha("0007"));
    ASSERT_EQ(row.backends.size(), 1U);
    const auto& backend = row.backends[0];
    EXPECT_EQ(backend.downstream, repo("a/one"));
    EXPECT_EQ(backend.level, domain::Level::l2);
    EXPECT_EQ(backend.state, domain::DispatchState::started);
    EXPECT_FALSE(backend.silent);
    EXPECT_THAT(backend.cells, ElementsAre(CellOutcome::failure, CellOutcome::running));
}

TEST_P(ListsContract, ShowADownstreamThatStayedSilentOnAPullRequest) {
    pull(7, at(1));
    sent_one("a/one", at(10));
    must(store().sweep(a_sweep(at(8000))));
    const auto row = must(views().pulls({})).at(0);
    EXPECT_TRUE(row.backends.at(0).silent);
    EXPECT_THAT(row.backends.at(0).cells, IsEmpty());
}

TEST_P(ListsContract, ClearTheCellsOfAPullRequestWithItsNextHeadAndKeepTheOldOneInReach) {
    pull_request_is("h1", "aaaa");
    report(a_sent_dispatch("d1"), an_end(), at(30));
    EXPECT_EQ(must(views().pulls({})).at(0).backends.size(), 1U);
    must(store().insert_delivery(a_delivery("h2", at(50))));
    auto plan = a_plan("h2", {}, at(50));
    plan.plan.pull_request = a_pull_request("bbbb", 1);
    plan.plan.pull_request->updated_at = at(50);
    must(store().commit_plan(std::move(plan)));
    EXPECT_THAT(must(views().pulls({})).at(0).backends, IsEmpty());
    std::vector<std::string> heads;
    for (const auto& one : must(views().heads(upstream(), PrNumber{7}))) {
        heads.push_back(one.head.text());
    }
    EXPECT_THAT(heads, ElementsAre("bbbb", "aaaa"));
    EXPECT_THAT(rows_of({}), ElementsAre("aaaa: ci/test success x1"));
    EXPECT_THAT(must(views().heads(upstream(), PrNumber{8})), IsEmpty());
}

TEST_P(ListsContract, FindAJobOrSayThatThereIsNone) {
    const auto job = report(a_sent_dispatch("d1"), an_end(), at(30)).job;
    EXPECT_EQ(must(views().job(job.id)), job);
    EXPECT_EQ(refused(views().job(JobId{4711})), Errc::not_found);
}

TEST_P(ListsContract, TellOfEveryChangeOnceAndInOrder) {
    EXPECT_EQ(newest_news(), 0);
    const auto dispatch = a_sent_dispatch("d1");
    EXPECT_THAT(
        news_after(0), ElementsAre("pull Up/Stream #7 a/one", "pull Up/Stream #7 a/one")
    ); // planned, sent
    auto seen = newest_news();
    report(dispatch, a_start(), at(20)); // the job and its dispatch
    EXPECT_EQ(news_after(seen).size(), 2U);
    seen = newest_news();
    must(store().record_report(a_self_report(an_end(), at(30))));
    EXPECT_THAT(news_after(seen), ElementsAre("downstream Up/Stream #0 a/one"));
    seen = newest_news();
    must(store().suspend_gate(a_gate_suspension(at(40), "silent")));
    must(store().record_allowlist({.upstream = upstream(), .text = "t", .in_force_at = at(41)}));
    EXPECT_THAT(
        news_after(seen), ElementsAre("downstream Up/Stream #0 a/one", "relay Up/Stream #0 ")
    );
    EXPECT_THAT(news_after(newest_news()), IsEmpty());
    const auto page = must(views().news(1, 2));
    ASSERT_EQ(page.news.size(), 2U);
    EXPECT_EQ(page.news[0].id, 2);
    EXPECT_EQ(page.news[1].id, 3);
    EXPECT_EQ(page.newest, newest_news());
    EXPECT_FALSE(page.gap);
}

TEST_P(ListsContract, TellOfAnIdThatThisStoreNeverGaveThatThereIsAGap) {
    EXPECT_FALSE(must(views().news(0, 1)).gap);
    EXPECT_TRUE(must(views().news(1, 1)).gap);
    plant("d1", {"a/one"});
    EXPECT_FALSE(must(views().news(1, 1)).gap);
    EXPECT_TRUE(must(views().news(2, 1)).gap);
}

INSTANTIATE_TEST_SUITE_P(Every, ListsContract, testing::ValuesIn(sql_kinds()), kind_name);

} // namespace baton::test
