// Results go and figures stay: what pages show of a time whose results are past retention.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/signature.hpp"
#include "baton/ports/failures.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/retention.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/sql_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "contract/store_kinds.hpp"
#include "contract/views_fixture.hpp"

namespace baton::test {

namespace {

using domain::Conclusion;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class PrunedContract : public ViewsContract {
protected:
    static domain::Report red() {
        auto said = an_end(Conclusion::failure);
        said.detail.failed_tests = {{.name = "t::add", .message = "boom"}};
        said.detail.benchmarks = {{.suite = "models", .name = "resnet", .value = 3, .unit = "ms"}};
        return said;
    }

    /// Pull request `number`, closed, fails at a/one.
    void fails(int number, TimePoint when) {
        pull(number, when, false);
        report(sent_one("a/one", when), red(), when);
    }

    static domain::ClusterId the_cluster() {
        return domain::signature_of(upstream(), "t::add", "boom").cluster;
    }

    static ports::Pairings a_one() {
        return {{.upstream = upstream(), .downstream = repo("a/one")}};
    }

    ports::OneClusterQuery one_cluster() {
        return {
            .id = the_cluster(), .among = a_one(), .window = {.from = day(0), .until = day(600)}
        };
    }

    std::size_t prune() {
        const ports::PruneQuery query{.now = day(500), .keep_for = std::chrono::days{100}};
        const auto jobs = must(store().prune_results(query)).removed;
        return jobs + must(store().prune_dispatches(query)).removed;
    }
};

} // namespace

TEST_P(PrunedContract, EveryFigureIsAsItWas) {
    fails(1, day(1));
    fails(2, day(2));
    const auto flaky = a_sent_dispatch("d1", day(2));
    report(flaky, an_end(Conclusion::failure), day(2) + std::chrono::minutes{1});
    again(flaky, 2, Conclusion::success, day(2) + std::chrono::minutes{2});
    report(a_sent_dispatch("d2", day(3)), a_start("7", "never heard of again"), day(3));
    auto sweep = a_sweep(day(4));
    sweep.sinks.clear(); // a letter would wait
    must(store().sweep(std::move(sweep)));
    const auto before = view_of("a/one", 0, 10);
    ASSERT_EQ(before.ended.excused, 1U);
    const auto cluster = must(views().cluster_days(one_cluster()));

    EXPECT_GT(prune(), 5U);
    const auto after = view_of("a/one", 0, 10);
    EXPECT_EQ(after.ended, before.ended);
    EXPECT_EQ(must(views().cluster_days(one_cluster())).size(), cluster.size());
    EXPECT_EQ(must(views().cluster(one_cluster())).tests, 1U);
    EXPECT_THAT(rows_of({}), IsEmpty());
    const ports::OccurrenceQuery occurrences{
        .among = a_one(), .cluster = the_cluster(), .test = {}, .limit = 9
    };
    EXPECT_THAT(must(views().occurrences(occurrences)), IsEmpty());
}

TEST_P(PrunedContract, WhatComesLaterIsAddedToWhatIsRemembered) {
    fails(1, day(1));
    prune();
    fails(2, day(450));
    const auto days = must(views().cluster_days(one_cluster()));
    ASSERT_THAT(days, SizeIs(2));
    EXPECT_EQ(days[0].day, day(1));
    EXPECT_EQ(days[1].day, day(450));
    EXPECT_THAT(rows_of({}), ElementsAre("0002: ci/test failure x1"));
}

TEST_P(PrunedContract, TheNewestFailureOfAPrunedClusterCanBeTakenBack) {
    fails(1, day(1));
    prune();
    pull(2, day(450), false);
    const auto dispatch = sent_one("a/one", day(450));
    auto unbound = a_commit(dispatch, red(), day(450));
    unbound.bound = false;
    must(store().record_report(unbound));
    report(dispatch, an_end(Conclusion::success, "the real run"), day(450));
    EXPECT_THAT(must(views().cluster_days(one_cluster())), SizeIs(1));
}

TEST_P(PrunedContract, DaysThatCannotBeJudgedAgainAreRefused) {
    fails(1, day(1));
    prune();
    auto& levels = static_cast<store::SqlStore&>(store()).levels();
    const auto old = run_awaitable(
        levels.evidence({.upstream = upstream(), .window = {.from = day(390), .until = day(404)}})
    );
    ASSERT_FALSE(old.has_value());
    EXPECT_EQ(old.error().code, Errc::not_found);
    EXPECT_THAT(old.error().detail, HasSubstr("past retention"));
    must(levels.evidence({.upstream = upstream(), .window = {.from = day(400), .until = day(414)}})
    );
}

TEST_P(PrunedContract, HowMuchRoomEachKindTakesIsMeasuredAndKept) {
    fails(1, day(1));
    auto& operators = static_cast<store::SqlStore&>(store()).operators();
    EXPECT_TRUE(must(operators.state({}, day(2))).sizes.bytes.empty());
    ports::StoreSizes sizes{.bytes = {}, .at = day(2)};
    std::size_t sum = 0;
    for (const auto& [kind, name] : ports::kStoredKinds) {
        const auto bytes = must(store().bytes_of(kind));
        EXPECT_TRUE(bytes > 0 || kind == ports::StoredKind::free) << name;
        sizes.bytes[kind] = bytes;
        sum += bytes;
    }
    must(store().keep_sizes(sizes));
    const auto state = must(operators.state({}, day(3)));
    EXPECT_EQ(state.sizes.bytes, sizes.bytes);
    EXPECT_EQ(state.sizes.at, day(2));
    EXPECT_LE(sum, state.bytes + (64U << 10U)) << "kinds are parts of the whole";
}

INSTANTIATE_TEST_SUITE_P(Every, PrunedContract, testing::ValuesIn(sql_kinds()), kind_name);

} // namespace baton::test
