#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/signature.hpp"
#include "baton/ports/failures.hpp"
#include "baton/ports/views.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
using ::testing::SizeIs;

/// Clusters, flaky jobs, and what is known around a failing cell.
class FailuresContract : public ViewsContract {
protected:
    static domain::Report red(const std::vector<std::string>& tests) {
        auto said = an_end(Conclusion::failure);
        for (const auto& test : tests) {
            said.detail.failed_tests.push_back({.name = test, .message = "boom at 0x12"});
        }
        return said;
    }

    /// Pull request `number` fails these tests at a/one.
    void fails(int number, const std::vector<std::string>& tests, TimePoint when) {
        pull(number, at(number));
        report(sent_one("a/one", when), red(tests), when);
    }

    static domain::ClusterId cluster_of(const std::string& test) {
        return domain::signature_of(upstream(), test, "boom at 0x99").cluster;
    }

    static ports::Pairings among(const std::vector<std::string>& names = {"a/one"}) {
        ports::Pairings all;
        for (const auto& name : names) {
            all.push_back({.upstream = upstream(), .downstream = repo(name)});
        }
        return all;
    }

    static ports::ClusterQuery recent(const std::vector<std::string>& names = {"a/one"}) {
        return {.among = among(names), .window = {.from = day(0), .until = day(30)}, .before = {}};
    }

    /// One text for each cluster.
    std::vector<std::string> told(const ports::ClusterQuery& query) {
        std::vector<std::string> all;
        for (const auto& row : must(views().clusters(query)).rows) {
            std::string where;
            for (const auto& one : row.downstreams) {
                where += fmt::format(" {} x{}", one.repo.text(), one.failures);
            }
            all.push_back(fmt::format("{} tests={} prs={}{}", row.test, row.tests, row.pulls, where)
            );
        }
        return all;
    }

    std::vector<ports::CommitCell> cells_of(const std::string& head) {
        return must(views().commit_cells(
            {.upstream = upstream(),
             .head = HeadSha(head),
             .event_type = "pull_request",
             .among = among({"a/one", "b/two"})}
        ));
    }
};

} // namespace

TEST_P(FailuresContract, TakeFailuresWithOneSignatureTogetherLastSeenFirst) {
    fails(1, {"t::add[1]", "t::mul"}, at(100));
    fails(2, {"t::add[2]"}, at(200));
    EXPECT_THAT(
        told(recent()),
        ElementsAre("t::add[2] tests=2 prs=2 a/one x2", "t::mul tests=1 prs=1 a/one x1")
    );
    const auto page = must(views().clusters(recent()));
    EXPECT_EQ(page.rows[0].id, cluster_of("t::add[7]"));
    EXPECT_EQ(page.rows[0].signature, "t::add[<n>]: boom at <hex>");
    EXPECT_EQ(page.rows[0].message, "boom at 0x12");
    EXPECT_EQ(page.rows[0].first_seen, at(100));
    EXPECT_EQ(page.rows[0].last_seen, at(200));
    EXPECT_THAT(page.rows[0].newest_pulls, ElementsAre(PrNumber{2}, PrNumber{1}));
    EXPECT_FALSE(page.rows[0].on_trunk);
    EXPECT_FALSE(page.next.has_value());
}

TEST_P(FailuresContract, PageThroughClustersOfSeveralDownstreamsEachOnce) {
    plant("d1", {"a/one", "b/two"}, at(1));
    report(sent_one("a/one", at(10)), red({"x::a", "x::b", "x::c"}), at(100));
    report(sent_one("b/two", at(10)), red({"x::b", "x::d"}), at(200));
    auto query = recent({"a/one", "b/two"});
    query.limit = 2;
    std::vector<std::string> seen;
    for (int pages = 0; pages < 9; ++pages) {
        const auto page = must(views().clusters(query));
        for (const auto& row : page.rows) {
            seen.push_back(row.test);
        }
        if (!page.next) {
            break;
        }
        query.before = page.next;
    }
    EXPECT_THAT(seen, testing::UnorderedElementsAre("x::a", "x::b", "x::c", "x::d"));
    EXPECT_EQ(seen.size(), 4U);
}

TEST_P(FailuresContract, TellNothingOfWhoIsNotAskedAbout) {
    plant("d1", {"a/one", "b/two"}, at(1));
    report(sent_one("a/one", at(10)), red({"x::a"}), at(100));
    report(sent_one("b/two", at(10)), red({"x::a", "x::b"}), at(200));
    EXPECT_THAT(told(recent()), ElementsAre("x::a tests=1 prs=1 a/one x1"));
    EXPECT_EQ(must(views().clusters(recent())).rows[0].last_seen, at(100));
    const ports::OneClusterQuery one{
        .id = cluster_of("x::b"), .among = among(), .window = recent().window
    };
    EXPECT_EQ(refused(views().cluster(one)), Errc::not_found);
    EXPECT_THAT(must(views().cluster_days(one)), IsEmpty());
    const ports::OccurrenceQuery all{.among = among(), .cluster = one.id, .test = {}};
    EXPECT_THAT(must(views().occurrences(all)), IsEmpty());
}

TEST_P(FailuresContract, ShowOneClusterByDayAndByOccurrence) {
    fails(1, {"t::add[1]"}, day(1));
    fails(2, {"t::add[2]"}, day(2));
    fails(3, {"t::add[3]"}, day(2) + std::chrono::hours{1});
    const ports::OneClusterQuery one{
        .id = cluster_of("t::add[9]"), .among = among(), .window = recent().window
    };
    EXPECT_EQ(must(views().cluster(one)).tests, 3U);
    const auto days = must(views().cluster_days(one));
    ASSERT_THAT(days, SizeIs(2));
    EXPECT_EQ(days[1].day, day(2));
    EXPECT_EQ(days[1].failures, 2U);
    ports::OccurrenceQuery query{.among = among(), .cluster = one.id, .test = {}, .limit = 2};
    const auto newest = must(views().occurrences(query));
    ASSERT_THAT(newest, SizeIs(2));
    EXPECT_EQ(newest[0].pr, PrNumber{3});
    EXPECT_EQ(newest[0].head, HeadSha("0003"));
    EXPECT_EQ(newest[0].event_type, "pull_request");
    EXPECT_EQ(newest[0].test, "t::add[3]");
    query.before = {.at = newest[1].at, .id = newest[1].id};
    EXPECT_EQ(must(views().occurrences(query)).at(0).pr, PrNumber{1});
}

TEST_P(FailuresContract, KeepTheHistoryOfATestByItsName) {
    fails(1, {"t::add[1]"}, at(100));
    fails(2, {"t::add[1]"}, at(200));
    const auto history = must(views().test_history("t::add[1]", among()));
    ASSERT_THAT(history, SizeIs(1));
    EXPECT_EQ(history[0].failures, 2U);
    EXPECT_EQ(history[0].first_seen, at(100));
    EXPECT_EQ(history[0].last_seen, at(200));
    EXPECT_THAT(history[0].clusters, ElementsAre(cluster_of("t::add[1]")));
    EXPECT_THAT(must(views().test_history("t::add[2]", among())), IsEmpty());
    const ports::OccurrenceQuery named{.among = among(), .cluster = {}, .test = "t::add[1]"};
    EXPECT_THAT(must(views().occurrences(named)), SizeIs(2));
}

TEST_P(FailuresContract, ForgetTheFailedTestsOfARunThatLostItsClaim) {
    const auto dispatch = a_sent_dispatch("d1");
    auto unbound = a_commit(dispatch, red({"x::a"}), at(30));
    unbound.bound = false;
    must(store().record_report(unbound));
    EXPECT_THAT(told(recent()), SizeIs(1));
    report(dispatch, an_end(Conclusion::success, "102"), at(31));
    EXPECT_THAT(told(recent()), IsEmpty());
    EXPECT_THAT(must(views().test_history("x::a", among())), IsEmpty());
}

TEST_P(FailuresContract, LookAtTheFirstHundredFailedTestsOfAJobAndOnlyIfItIsRed) {
    std::vector<std::string> many;
    for (int i = 0; i < 120; ++i) {
        many.push_back(fmt::format("t{}", std::string(static_cast<std::size_t>(i + 1), 'x')));
    }
    auto passes = red({"x::a"});
    passes.conclusion = Conclusion::success;
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, red(many), at(30));
    passes.key.job = "other";
    report(dispatch, passes, at(31));
    auto query = recent();
    query.limit = 200;
    EXPECT_THAT(told(query), SizeIs(100));
}

TEST_P(FailuresContract, ClusterWhatWasToldWhileAJobRan) {
    const auto dispatch = a_sent_dispatch("d1");
    auto runs = a_start();
    runs.detail.failed_tests.push_back({.name = "x::a", .message = "boom"});
    report(dispatch, runs, at(20));
    EXPECT_THAT(told(recent()), IsEmpty());
    report(dispatch, an_end(Conclusion::failure), at(30));
    EXPECT_THAT(told(recent()), SizeIs(1));
}

TEST_P(FailuresContract, RankNothingButTellWhichJobsFlake) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, an_end(Conclusion::failure), at(30));
    again(dispatch, 2, Conclusion::success, at(40));
    report(dispatch, an_end(Conclusion::success, "101", "steady"), at(41));
    const auto flaky = must(views().flaky(among(), recent().window));
    ASSERT_THAT(flaky, SizeIs(1));
    EXPECT_EQ(flaky[0].job, "test");
    EXPECT_EQ(flaky[0].flaky, 1U);
    EXPECT_EQ(flaky[0].passed, 1U);
    const auto examples = must(views().flaky_examples(flaky[0], 3));
    ASSERT_THAT(examples, SizeIs(1));
    EXPECT_EQ(examples[0].pr, PrNumber{7});
    EXPECT_EQ(examples[0].at, at(40));
    EXPECT_THAT(must(views().flaky(among({"b/two"}), recent().window)), IsEmpty());
}

TEST_P(FailuresContract, GatherWhatIsKnownAroundAFailingCell) {
    must(store().record_report(a_self_report(an_end(Conclusion::success), at(5)))); // trunk
    fails(1, {"x::a"}, at(20));
    fails(2, {"x::a"}, at(30));
    plant("d3", {"a/one", "b/two"}, at(40));
    report(sent_one("a/one", at(41)), red({"x::a", "x::new"}), at(50));
    report(sent_one("b/two", at(41)), red({"x::new"}), at(51));
    const auto cells = cells_of("aaaa");
    ASSERT_THAT(cells, SizeIs(2));
    const auto& cell = cells[0];
    EXPECT_EQ(cell.downstream, repo("a/one"));
    EXPECT_EQ(cell.outcome, CellOutcome::failure);
    ASSERT_TRUE(cell.trunk.has_value());
    EXPECT_EQ(cell.trunk->head, HeadSha("cccc"));
    EXPECT_EQ(cell.trunk->event_type, "nightly");
    EXPECT_EQ(cell.trunk->outcome, CellOutcome::success);
    ASSERT_THAT(cell.tests, SizeIs(2));
    const auto& facts = *cell.facts;
    EXPECT_EQ(facts.on_trunk, CellOutcome::success);
    EXPECT_EQ(facts.recent, 2U);
    EXPECT_EQ(facts.recent_failed, 2U);
    ASSERT_THAT(facts.signatures, SizeIs(2));
    for (const auto& seen : facts.signatures) {
        const bool known = seen.cluster == cluster_of("x::a");
        EXPECT_EQ(seen.other_pulls, known ? 2U : 0U);
        EXPECT_EQ(seen.on_commit.size(), known ? 1U : 2U);
        EXPECT_THAT(seen.on_trunk, IsEmpty());
    }
    EXPECT_FALSE(cells[1].trunk.has_value());
}

TEST_P(FailuresContract, SeeAFailureOnTrunk) {
    auto nightly = a_self_report(red({"x::a"}), at(5));
    must(store().record_report(nightly));
    fails(1, {"x::a"}, at(20));
    const auto cells = cells_of("0001");
    ASSERT_THAT(cells, SizeIs(1));
    EXPECT_THAT(cells[0].facts->signatures.at(0).on_trunk, ElementsAre(repo("a/one")));
    EXPECT_EQ(cells[0].facts->on_trunk, CellOutcome::failure);
    EXPECT_TRUE(must(views().clusters(recent())).rows.at(0).on_trunk);
}

TEST_P(FailuresContract, LeaveOutOfTheAdjustedRateWhatIsNotTheDownstreams) {
    report(a_sent_dispatch("d1"), a_start(), at(20));
    must(store().sweep(a_sweep(at(30'000)))); // it was never heard of again
    const auto ended = view_of("a/one", 0, 1).ended;
    EXPECT_EQ(ended.excused, 1U);
    EXPECT_EQ(domain::rates_of(ended).adjusted, domain::rate_of(0, 0));
    EXPECT_EQ(domain::rates_of(ended).final_attempt, domain::rate_of(0, 1));
}

TEST_P(FailuresContract, ExcuseNobodyWhoFailsAndTellsNothing) {
    report(a_sent_dispatch("d1"), an_end(Conclusion::failure), at(30));
    must(store().sweep(a_sweep(at(60))));
    EXPECT_EQ(view_of("a/one").ended.excused, 0U);
    EXPECT_EQ(domain::rates_of(view_of("a/one").ended).adjusted, domain::rate_of(0, 1));
}

TEST_P(FailuresContract, CountACellAgainWhenItEndsOtherwise) {
    const auto dispatch = a_sent_dispatch("d1");
    report(dispatch, a_start(), at(20));
    must(store().sweep(a_sweep(at(30'000))));
    again(dispatch, 2, Conclusion::success, at(30'010));
    const auto ended = view_of("a/one", 0, 1).ended;
    EXPECT_EQ(ended.excused, 0U);
    EXPECT_EQ(domain::rates_of(ended).adjusted, domain::rate_of(1, 1));
}

TEST_P(FailuresContract, ChangeItsMindWhenEvidenceComesLate) {
    fails(1, {"x::a"}, at(20));
    must(store().sweep(a_sweep(at(30))));
    EXPECT_EQ(view_of("a/one").ended.excused, 0U) << "nobody else knows it";
    plant("d2", {"b/two"}, at(40));
    auto other = red({"x::a"});
    report(sent_one("b/two", at(41)), other, at(50));
    must(store().record_report(a_self_report(red({"x::a"}), at(55))));
    must(store().sweep(a_sweep(at(60))));
    EXPECT_EQ(view_of("a/one").ended.excused, 0U) << "it is not looked at yet";
    must(store().sweep(a_sweep(at(3'700))));
    EXPECT_EQ(view_of("a/one").ended.excused, 1U) << "two owners know it, and trunk: trunk's";
}

INSTANTIATE_TEST_SUITE_P(Every, FailuresContract, testing::ValuesIn(sql_kinds()), kind_name);

} // namespace baton::test
