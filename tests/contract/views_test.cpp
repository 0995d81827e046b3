#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "contract/checks_fixture.hpp"
#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "contract/store_kinds.hpp"

namespace baton::test {

namespace {

using domain::CellOutcome;
using domain::Conclusion;
using std::chrono::days;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TimePoint day(int number) {
    return TimePoint(std::chrono::floor<days>(at(0)) + days{number});
}

/// The one store that has views.
class ViewsContract : public ResultsContract {
protected:
    ports::Views& views() { return static_cast<store::SqliteStore&>(store()).views(); }

    ports::DownstreamQuery about(const std::string& downstream, int first = 0, int last = 0) {
        return {
            .upstream = upstream(),
            .downstream = repo(downstream),
            .window = {.from = day(first), .until = day(last + 1)}
        };
    }

    ports::DownstreamView view_of(const std::string& downstream, int first = 0, int last = 0) {
        for (const auto& view :
             must(views().downstreams({.from = day(first), .until = day(last + 1)}))) {
            if (view.downstream == repo(downstream)) {
                return view;
            }
        }
        return {};
    }

    /// Another attempt of the run that the fixture's reports are of.
    void again(const domain::Dispatch& dispatch, int attempt, Conclusion end, TimePoint now) {
        auto said = an_end(end);
        said.key.attempt = attempt;
        report(dispatch, said, now);
    }

    /// Shorthand of the grid: one text per row.
    std::vector<std::string> rows_of(ports::GridQuery query) {
        query.upstream = upstream();
        query.downstream = repo("a/one");
        query.event_type = "pull_request";
        std::vector<std::string> rows;
        for (const auto& row : must(views().grid(query))) {
            auto text = row.head.text() + ":";
            for (const auto& cell : row.cells) {
                text += fmt::format(
                    " {}/{} {} x{}",
                    cell.workflow,
                    cell.job,
                    domain::name_of(cell.outcome),
                    cell.attempts
                );
            }
            rows.push_back(text);
        }
        return rows;
    }

    /// A pull request with one dispatch to a/one for its head, which is named after it.
    void pull(int number, TimePoint updated_at, bool open = true, const std::string& author = "") {
        const auto id = fmt::format("pr-{}-{}", number, to_ms(updated_at));
        auto delivery = a_delivery(id, updated_at);
        delivery.pr = PrNumber{number};
        must(store().insert_delivery(delivery));
        auto dispatch = a_dispatch(id, "a/one");
        dispatch.pr = PrNumber{number};
        dispatch.head = HeadSha(fmt::format("{:04}", number));
        auto plan = a_plan(id, {dispatch}, updated_at);
        plan.plan.pull_request = a_pull_request(dispatch.head.text());
        plan.plan.pull_request->number = PrNumber{number};
        plan.plan.pull_request->updated_at = updated_at;
        plan.plan.pull_request->open = open;
        plan.plan.pull_request->author = Login(author);
        must(store().commit_plan(std::move(plan)));
    }

    std::vector<int> numbers_of(ports::PullQuery query) {
        std::vector<int> numbers;
        for (const auto& row : must(views().pulls(std::move(query)))) {
            numbers.push_back(static_cast<int>(row.number));
        }
        return numbers;
    }

    std::vector<std::string> news_after(std::int64_t id) {
        std::vector<std::string> told;
        for (const auto& one : must(views().news(id, 100)).news) {
            told.push_back(fmt::format(
                "{} {} #{} {}",
                one.topic,
                one.upstream,
                one.pr ? static_cast<std::int64_t>(*one.pr) : 0,
                one.downstream
            ));
        }
        return told;
    }

    std::int64_t newest_news() { return must(views().news(0, 1)).newest; }
};

} // namespace

TEST_P(ViewsContract, ShowADownstreamWithWhatEndedWhatRunsAndWhatWaits) {
    const auto first = a_sent_dispatch("d1");
    report(first, an_end(Conclusion::success), at(30));
    report(first, a_start("101", "slow"), at(31));
    plant("d2", {"a/one"}, at(40));
    const auto view = view_of("A/One");
    EXPECT_EQ(view.upstream, upstream());
    EXPECT_EQ(view.ended.cells, (domain::Cells{.success = 1}));
    EXPECT_EQ(view.ended.executed, 1U);
    EXPECT_EQ(view.running, 1U);
    EXPECT_EQ(view.pending, 1U);
    EXPECT_EQ(view.last_sent_at, at(10));
    EXPECT_EQ(view.last_result_at, at(30));
}

TEST_P(ViewsContract, ShowNobodyOfWhomNothingIsKnownInTheWindow) {
    report(a_sent_dispatch("d1"), an_end(), at(30));
    EXPECT_EQ(must(views().downstreams({.from = day(0), .until = day(1)})).size(), 1U);
    EXPECT_THAT(must(views().downstreams({.from = day(1), .until = day(2)})), IsEmpty());
    plant("d2", {"a/one"}, at(40));
    EXPECT_EQ(must(views().downstreams({.from = day(1), .until = day(2)})).size(), 1U);
}

TEST_P(ViewsContract, LetWhatWasCancelledChangeNoRate) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, an_end(Conclusion::success), at(30));
    report(dispatch, an_end(Conclusion::failure, "101", "lint"), at(31));
    const auto before = domain::rates_of(view_of("a/one").ended);
    report(dispatch, an_end(Conclusion::cancelled, "101", "docs"), at(32));
    again(dispatch, 2, Conclusion::cancelled, at(33));
    const auto view = view_of("a/one");
    EXPECT_EQ(domain::rates_of(view.ended).final_attempt, before.final_attempt);
    EXPECT_EQ(domain::rates_of(view.ended).first_attempt, before.first_attempt);
    EXPECT_EQ(view.ended.cells.no_signal, 1U);
    EXPECT_EQ(view.ended.executed, 4U);
}

TEST_P(ViewsContract, CountARerunThatPassedOnceAsFlakyOnTheDayOnWhichItEnded) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, an_end(Conclusion::failure), at(30));
    again(dispatch, 2, Conclusion::success, at(86'400));
    EXPECT_EQ(view_of("a/one", 0, 0).ended, domain::Ended{});
    const auto view = view_of("a/one", 0, 1);
    EXPECT_EQ(view.ended.cells, (domain::Cells{.flaky = 1}));
    EXPECT_EQ(domain::rates_of(view.ended).final_attempt, domain::rate_of(1, 1));
    EXPECT_EQ(domain::rates_of(view.ended).first_attempt, domain::rate_of(0, 1));
    EXPECT_EQ(domain::rates_of(view.ended).compat, domain::rate_of(1, 2));
}

TEST_P(ViewsContract, CountNothingOfACellThatRunsAgainUntilItEnds) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, an_end(Conclusion::failure), at(30));
    auto start = a_start();
    start.key.attempt = 2;
    report(dispatch, start, at(40));
    EXPECT_EQ(view_of("a/one").ended, domain::Ended{});
    EXPECT_EQ(view_of("a/one").running, 1U);
    again(dispatch, 2, Conclusion::failure, at(50));
    EXPECT_EQ(view_of("a/one").ended.cells, (domain::Cells{.failure = 1}));
    EXPECT_EQ(view_of("a/one").running, 0U);
}

TEST_P(ViewsContract, LeaveADayWithoutAnythingOut) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, an_end(Conclusion::success), at(30));
    report(dispatch, an_end(Conclusion::failure, "101", "lint"), at(2 * 86'400));
    std::vector<TimePoint> shown;
    for (const auto& one : must(views().days(about("a/one", 0, 6)))) {
        shown.push_back(one.day);
    }
    EXPECT_THAT(shown, ElementsAre(day(0), day(2)));
    EXPECT_THAT(must(views().days(about("a/one", 1, 1))), IsEmpty());
}

TEST_P(ViewsContract, ShowSilenceUntilItIsBroken) {
    const auto dispatch = a_sent_dispatch("d1");
    must(store().sweep(a_sweep(at(8000))));
    EXPECT_EQ(view_of("a/one").silent, 1U);
    EXPECT_EQ(must(views().days(about("a/one"))).at(0).silent, 1U);
    report(dispatch, a_start(), at(8100));
    EXPECT_EQ(view_of("a/one").silent, 0U);
    EXPECT_THAT(must(views().days(about("a/one"))), IsEmpty());
}

TEST_P(ViewsContract, TellTwoWorkflowsWithTheSameJobApart) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, an_end(Conclusion::success), at(30));
    auto other = an_end(Conclusion::failure, "202");
    other.key.workflow = "nightly";
    report(dispatch, other, at(31));
    const auto names = must(views().job_names(about("a/one")));
    ASSERT_EQ(names.size(), 2U);
    EXPECT_EQ(names[0].workflow, "ci");
    EXPECT_EQ(names[0].ended.cells, (domain::Cells{.success = 1}));
    EXPECT_EQ(names[1].workflow, "nightly");
    EXPECT_EQ(names[1].ended.cells, (domain::Cells{.failure = 1}));
    EXPECT_THAT(rows_of({}), ElementsAre("aaaa: ci/test success x1 nightly/test failure x1"));
}

TEST_P(ViewsContract, MeasureTheQueueOfFirstAttemptsAndRunsThatTheDownstreamEnded) {
    using namespace std::chrono_literals;
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, a_start(), at(15));
    report(dispatch, an_end(), at(75));
    auto second = a_start();
    second.key.attempt = 2;
    report(dispatch, second, at(100));
    again(dispatch, 2, Conclusion::success, at(110));
    report(dispatch, a_start("101", "stuck"), at(120));
    must(store().sweep(a_sweep(at(30'000))));
    const auto times = must(views().times(about("a/one")));
    EXPECT_THAT(times.queue, ElementsAre(5s));
    EXPECT_THAT(times.run, ElementsAre(60s, 10s));
    EXPECT_THAT(must(views().times(about("a/one", 1, 6))).run, IsEmpty());
}

TEST_P(ViewsContract, ShowTheGridNewestCommitFirstAndInPages) {
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

TEST_P(ViewsContract, ShowOnTheGridOnlyWhatCounts) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, an_end(Conclusion::success, "101"), at(30));
    report(dispatch, an_end(Conclusion::failure, "102"), at(31)); // another run has the claim
    EXPECT_THAT(rows_of({}), ElementsAre("aaaa: ci/test success x1"));
}

TEST_P(ViewsContract, ForgetARunThatLostItsClaim) {
    const auto dispatch = a_sent_dispatch("d1");
    auto unbound = a_commit(dispatch, an_end(Conclusion::failure, "101", "lint"), at(30));
    unbound.bound = false;
    must(store().record_report(unbound));
    EXPECT_THAT(rows_of({}), ElementsAre("aaaa: ci/lint failure x1"));
    report(dispatch, an_end(Conclusion::success, "102"), at(31));
    EXPECT_THAT(rows_of({}), ElementsAre("aaaa: ci/test success x1"));
    EXPECT_EQ(view_of("a/one").ended.cells, (domain::Cells{.success = 1}));
}

TEST_P(ViewsContract, ListPullRequestsNewestFirstAndInPages) {
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

TEST_P(ViewsContract, ShowHowEachDownstreamStandsOnAPullRequest) {
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

TEST_P(ViewsContract, ShowADownstreamThatStayedSilentOnAPullRequest) {
    pull(7, at(1));
    sent_one("a/one", at(10));
    must(store().sweep(a_sweep(at(8000))));
    const auto row = must(views().pulls({})).at(0);
    EXPECT_TRUE(row.backends.at(0).silent);
    EXPECT_THAT(row.backends.at(0).cells, IsEmpty());
}

TEST_P(ViewsContract, ClearTheCellsOfAPullRequestWithItsNextHeadAndKeepTheOldOneInReach) {
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

TEST_P(ViewsContract, FindAJobOrSayThatThereIsNone) {
    const auto job = report(a_sent_dispatch("d1"), an_end(), at(30)).job;
    EXPECT_EQ(must(views().job(job.id)), job);
    EXPECT_EQ(refused(views().job(JobId{4711})), Errc::not_found);
}

TEST_P(ViewsContract, ListWhatWasGivenUpNewestFirst) {
    for (const auto* id : {"d1", "d2"}) {
        plant(id, {"a/one"}, at(1));
        const auto leased = lease_one("a/one", at(2));
        const auto state =
            id == std::string("d1") ? domain::DispatchState::dead : domain::DispatchState::failed;
        must(store().settle(ended(leased.lease, state, at(3))));
    }
    const auto dead = must(views().dead_dispatches(10));
    ASSERT_EQ(dead.size(), 2U);
    EXPECT_EQ(dead[0].delivery, "d2");
    EXPECT_EQ(dead[0].state, domain::DispatchState::failed);
    EXPECT_EQ(dead[0].reason, "because");
    EXPECT_EQ(dead[1].delivery, "d1");
    EXPECT_EQ(dead[1].attempts, 1U);
    EXPECT_EQ(must(views().dead_dispatches(1)).size(), 1U);
}

TEST_P(ViewsContract, TellOfEveryChangeOnceAndInOrder) {
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

TEST_P(ViewsContract, TellOfAnIdThatThisStoreNeverGaveThatThereIsAGap) {
    EXPECT_FALSE(must(views().news(0, 1)).gap);
    EXPECT_TRUE(must(views().news(1, 1)).gap);
    plant("d1", {"a/one"});
    EXPECT_FALSE(must(views().news(1, 1)).gap);
    EXPECT_TRUE(must(views().news(2, 1)).gap);
}

INSTANTIATE_TEST_SUITE_P(
    Every, ViewsContract, testing::Values(StoreKind{"sqlite", open_sqlite_store}), kind_name
);

} // namespace baton::test
