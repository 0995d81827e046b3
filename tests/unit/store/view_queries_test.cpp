#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/failures.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/levels.hpp"
#include "baton/store/sql/operators.hpp"
#include "baton/store/sql/verbs.hpp"
#include "baton/store/sql/views.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/migrate.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "contract/views_fixture.hpp"
#include "support/temp_folder.hpp"

namespace baton::store::sqlite {

using namespace sql;
using namespace baton::test;

namespace {

/// Thirty pull requests of which each was sent to a/one and has reported.
class ViewQueries : public testing::Test {
protected:
    ViewQueries() {
        db.script("BEGIN", "begin");
        for (int i = 1; i <= 30; ++i) {
            live(i);
        }
        EXPECT_TRUE(db.ok()) << db.failure().text;
    }

    void live(int number) {
        const auto id = fmt::format("d{}", number);
        auto delivery = a_delivery(id, at(number));
        delivery.pr = PrNumber{number};
        verbs::insert_delivery(db, delivery, delivery.body.size(), compress(delivery.body));
        auto dispatch = a_dispatch(id, "a/one");
        dispatch.pr = PrNumber{number};
        dispatch.head = HeadSha(fmt::format("{:04}", number));
        auto plan = a_plan(id, {dispatch}, at(number));
        plan.plan.pull_request = a_pull_request(dispatch.head.text());
        plan.plan.pull_request->number = PrNumber{number};
        EXPECT_TRUE(verbs::commit_plan(db, plan).has_value());
        const auto leased = verbs::lease(db, a_lease("a/one", 1, at(number))).at(0);
        const bool fails = number % 10 == 0;
        const auto state = fails ? domain::DispatchState::dead : domain::DispatchState::sent;
        EXPECT_TRUE(verbs::settle(db, ended(leased.lease, state, at(number))).has_value());
        for (const auto* name : {"one", "two"}) {
            if (!fails) {
                const bool red = number % 3 == 0;
                auto said = an_end(
                    red ? domain::Conclusion::failure : domain::Conclusion::success, "101", name
                );
                const auto when = at(number * 86'400 / 10);
                PackedReport packed;
                packed.benchmarks = {{.suite = "s", .name = "b", .value = 1, .unit = "ms"}};
                if (red) {
                    packed.detail_bytes = 2;
                    packed.detail = compress("{}");
                    packed.failed_tests = packed_tests(
                        upstream(), {{.name = fmt::format("t{}", number), .message = "boom"}}
                    );
                }
                EXPECT_TRUE(verbs::record_report(db, a_commit(leased.dispatch, said, when), packed)
                                .has_value());
                if (number % 5 == 0) {
                    said.key.attempt = 2;
                    said.conclusion = domain::Conclusion::failure;
                    EXPECT_TRUE(verbs::record_report(db, a_commit(leased.dispatch, said, when), {})
                                    .has_value());
                }
            }
        }
    }

    TempFolder folder{TempFolder::fast_parent()};
    std::string path = folder.file("baton.db");
    bool migrated = migrate({.path = path, .now = at(0)}).has_value();
    Connection db{*sqlite::open(path, Access::write)};
};

} // namespace

TEST_F(ViewQueries, NeverWalkThroughHistoryNorDoTheTriggersThatServeThem) {
    const ports::DownstreamQuery query{
        .upstream = upstream(),
        .downstream = repo("a/one"),
        .window = {.from = at(-90'000), .until = at(300'000)}
    };
    EXPECT_EQ(views::downstreams(db, query.window).size(), 1U);
    EXPECT_FALSE(views::days(db, query).empty());
    EXPECT_EQ(views::job_names(db, query).size(), 2U);
    views::times(db, query);
    ports::GridQuery grid{
        .upstream = upstream(),
        .downstream = repo("a/one"),
        .event_type = "pull_request",
        .before = std::nullopt,
        .limit = 5,
    };
    const auto rows = views::grid(db, grid);
    ASSERT_EQ(rows.size(), 5U);
    grid.before = rows.back().cursor;
    EXPECT_EQ(views::grid(db, grid).size(), 5U);
    ports::PullQuery pulls{.upstream = std::nullopt, .limit = 5};
    const auto page = views::pulls(db, pulls);
    ASSERT_EQ(page.size(), 5U);
    EXPECT_EQ(page[1].backends.size(), 1U);
    const auto& last = page.back();
    pulls.before = {
        .updated_at = last.updated_at, .upstream = last.upstream, .number = last.number
    };
    pulls.state = ports::PullState::all;
    EXPECT_EQ(views::pulls(db, pulls).size(), 5U);
    pulls.author = "alice";
    views::pulls(db, pulls);
    EXPECT_EQ(views::heads(db, upstream(), PrNumber{3}).size(), 1U);
    EXPECT_TRUE(views::job(db, rows[0].cells.at(0).newest).has_value());
    EXPECT_EQ(views::news(db, 20, 30).news.size(), 30U);
    EXPECT_EQ(views::all_days(db, query.window).size(), 1U);
    EXPECT_FALSE(views::day_times(db, query).empty());
    const ports::JobQuery job{
        .upstream = upstream(), .downstream = repo("a/one"), .workflow = "ci", .job = "one"
    };
    const ports::ViewWindow days{
        .from = std::chrono::floor<std::chrono::days>(query.window.from),
        .until = query.window.until
    };
    EXPECT_FALSE(views::job_days(db, job, days).empty());
    EXPECT_EQ(
        views::job_history(db, {.about = job, .event_type = "pull_request"}).rows.size(), 27U
    );
    views::nights(
        db, {.upstream = upstream(), .downstream = repo("a/one"), .window = query.window}
    );
    ports::SuiteQuery suites{
        .upstream = upstream(), .downstream = repo("a/one"), .event_type = "pull_request"
    };
    EXPECT_FALSE(views::suite_run(db, suites).head.empty());
    suites.head = "00";
    EXPECT_FALSE(views::suite_run(db, suites).head.empty());
    const ports::BenchmarkQuery measured{
        .upstream = upstream(), .downstream = repo("a/one"), .window = query.window, .suite = "s"
    };
    EXPECT_EQ(views::benchmarks(db, measured).series.size(), 1U);
    EXPECT_TRUE(views::benchmark_series(db, measured, "b").has_value());
    auto every = measured;
    every.suite = "";
    EXPECT_EQ(views::benchmarks(db, every).series.size(), 1U);
    ASSERT_TRUE(db.ok()) << db.failure().text;
    EXPECT_THAT(statements_that_scanned(db), testing::IsEmpty());
}

TEST_F(ViewQueries, OfOperatorsNeverWalkThroughHistory) {
    for (int i = 0; i < 50; ++i) {
        operators::keep_refusals(
            db,
            {{.downstream = repo("a/one"),
              .reason = fmt::format("reason {}", i % 5),
              .status = 403,
              .detail = "no",
              .delivery = "",
              .at = at(i * 3600)}}
        );
    }
    ports::RefusalQuery refusals{.shown = [](const RepoName&) { return true; }};
    EXPECT_EQ(operators::refusals(db, refusals).size(), 50U);
    refusals.downstream = repo("a/one");
    EXPECT_EQ(operators::refusals(db, refusals).size(), 50U);
    refusals.downstream.reset();
    refusals.reason = "reason 1";
    EXPECT_EQ(operators::refusals(db, refusals).size(), 10U);
    EXPECT_EQ(operators::refusal_totals(db, at(90'000)).size(), 5U);
    ports::GivenUpQuery lost;
    lost.limit = 2;
    lost.shown = [](const ports::DeadDispatch&) { return true; };
    EXPECT_EQ(operators::given_up(db, lost).rows.size(), 2U);
    lost.downstream = repo("a/one");
    EXPECT_EQ(operators::given_up(db, lost).rows.size(), 2U);
    ports::LetterViewQuery letters;
    letters.shown = [](const ports::LetterView&) { return true; };
    EXPECT_TRUE(operators::dead_letters(db, letters).rows.empty());
    EXPECT_FALSE(operators::standings(db, {1, 2, 3}).at(1).empty());
    operators::downstream_events(db, repo("a/one"), 5);
    operators::allowlist_versions(db, upstream(), 5);
    EXPECT_TRUE(operators::state(db, {"hud"}, at(1)).last_delivery_at.has_value());
    operators::acts(db, {.before = std::nullopt, .limit = 5});
    ports::NoteQuery notes;
    notes.shown = [](const ports::Note&) { return true; };
    operators::notes(db, notes);
    notes.about = "downstream";
    notes.subject = "a/one";
    operators::notes(db, notes);
    operators::acknowledgements(db, at(1));
    ASSERT_TRUE(db.ok()) << db.failure().text;
    // These two sort: the dispatches of one delivery, and the groups of the hours asked for.
    EXPECT_THAT(
        statements_that_scanned(db),
        testing::IsSubsetOf({"standings_of_delivery", "refusal_totals"})
    );
}

TEST_F(ViewQueries, KeepTheNewestHundredThousandNewsAndTellWhoeverMissedTheOthers) {
    static constexpr Query kMany{
        "many_news",
        "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 102000) "
        "INSERT INTO news (topic) SELECT 'relay' FROM n"
    };
    static constexpr Query kCount{"count_news", "SELECT count(*) FROM news"};
    db.run(kMany);
    {
        auto rows = db.rows(kCount);
        ASSERT_TRUE(rows.next());
        EXPECT_GE(rows.integer(0), 100'000);
        EXPECT_LT(rows.integer(0), 101'000);
    }
    const auto newest = views::news(db, 0, 1).newest;
    EXPECT_TRUE(views::news(db, 0, 1).gap);
    EXPECT_TRUE(views::news(db, newest - 101'500, 1).gap);
    EXPECT_FALSE(views::news(db, newest - 100'000, 1).gap);
    EXPECT_EQ(views::news(db, newest - 1, 9).news.size(), 1U);
    EXPECT_TRUE(db.ok()) << db.failure().text;
}

TEST_F(ViewQueries, AboutLevelsNeverWalkThroughHistory) {
    const ports::ViewWindow window{.from = day(-1), .until = day(40)};
    const auto seen = levels::evidence(db, {.upstream = upstream(), .window = window}).value();
    EXPECT_EQ(seen.events.size(), 27U);
    EXPECT_EQ(seen.pulls.size(), 27U);
    EXPECT_EQ(levels::sending(db, upstream(), window).unsent, 3U);
    ports::LadderCommit commit{.upstream = upstream(), .as_of = day(40), .now = day(40)};
    domain::LadderDay counted;
    counted.day = day(39);
    counted.digest = "d";
    commit.days = {{.downstream = repo("a/one"), .days = {counted}}};
    commit.outcomes = {{
        .downstream = repo("a/one"),
        .standing = {.listed = domain::Level::l3, .effective = domain::Level::l3},
        .evaluation =
            ports::KeptEvaluation{.downstream = repo("a/one"), .as_of = day(40), .verdict = "{}"},
        .transitions = {},
    }};
    levels::commit(db, commit);
    counted.digest = "e";
    commit.days[0].days = {counted};
    levels::commit(db, commit);
    EXPECT_EQ(levels::ladders(db, upstream(), window).size(), 1U);
    EXPECT_EQ(levels::evaluations(db, upstream(), repo("a/one"), 5)->size(), 1U);
    for (const auto& query : {
             ports::TransitionQuery{},
             ports::TransitionQuery{.upstream = upstream()},
             ports::TransitionQuery{.downstream = repo("a/one")},
             ports::TransitionQuery{.upstream = upstream(), .downstream = repo("a/one")},
         }) {
        levels::transitions(db, query);
    }
    ASSERT_TRUE(db.ok()) << db.failure().text;
    EXPECT_THAT(statements_that_scanned(db), testing::IsEmpty());
}

TEST_F(ViewQueries, AboutFailuresNeverWalkThroughHistoryNorDoesTheRoundThatAttributes) {
    const ports::ViewWindow window{.from = day(-1), .until = day(40)};
    const ports::Pairings among{{.upstream = upstream(), .downstream = repo("a/one")}};
    ports::ClusterQuery query{.among = among, .window = window, .before = {}, .limit = 5};
    const auto page = views::clusters(db, query);
    ASSERT_EQ(page.rows.size(), 1U) << "t3, t6, … are one test to a signature";
    EXPECT_EQ(page.rows[0].pulls, 9U);
    EXPECT_EQ(page.rows[0].tests, 9U);
    const ports::OneClusterQuery one{.id = page.rows[0].id, .among = among, .window = window};
    EXPECT_TRUE(views::cluster(db, one).has_value());
    EXPECT_FALSE(views::cluster_days(db, one).empty());
    EXPECT_EQ(
        views::occurrences(db, {.among = among, .cluster = one.id, .test = {}, .limit = 5}).size(),
        5U
    );
    EXPECT_EQ(
        views::occurrences(db, {.among = among, .cluster = {}, .test = "t3", .limit = 5}).size(), 2U
    );
    EXPECT_EQ(views::test_history(db, "t3", among).size(), 1U);
    const auto flaky = views::flaky(db, among, window);
    ASSERT_EQ(flaky.size(), 2U);
    EXPECT_EQ(views::flaky_examples(db, flaky[0], 2).size(), 2U);
    const auto cells = views::commit_cells(
        db,
        {.upstream = upstream(),
         .head = HeadSha("0003"),
         .event_type = "pull_request",
         .among = among}
    );
    ASSERT_EQ(cells.size(), 2U);
    EXPECT_EQ(cells[0].facts->signatures.at(0).other_pulls, 8U);
    verbs::attribute_due(db, day(41));
    ASSERT_TRUE(db.ok()) << db.failure().text;
    EXPECT_THAT(statements_that_scanned(db), testing::IsEmpty());
}

} // namespace baton::store::sqlite
