// `baton levels status | explain | evaluate | what-if | lint` on a store without a relay: what they
// print, and what they say about input that cannot be used.

#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/sql_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contract/store_fixture.hpp"
#include "e2e/cli_store.hpp"
#include "e2e/cli_support.hpp"
#include "support/run_awaitable.hpp"

namespace baton::test {

namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// The verdict of an evaluation that lowered somebody, as it is kept.
constexpr const char* kVerdict =
    R"({"as_of":"2027-01-16T00:00:00.000Z","standing":{"listed":"L3","effective":"L2",)"
    R"("state":"temporary","since":"2027-01-16T00:00:00.000Z","as_of":"2027-01-16T00:00:00.000Z",)"
    R"("violated":1,"clean":0,"ready":-1,"temporaries":["2027-01-16T00:00:00.000Z"],)"
    R"("raised_at":null,"lowered_at":"2027-01-16T00:00:00.000Z","proposal":null},"violated":true,)"
    R"("insufficient":false,"ready_for":null,"earliest":null,"forecast":"","demotion":[)"
    R"({"id":"once.pass","figure":"pass_adj","unit":"share","window":7,"comparison":">=",)"
    R"("target":0.7,"least":40,"bound":"upper","text":"most jobs pass","value":0.25,"n":40,)"
    R"("lower":0.155,"upper":0.376,"met":"missed","advice":"51 more good ones in a row"}],)"
    R"("next":[],"transitions":[]})";

/// A downstream that was judged once, and lowered.
class LadderCommand : public ::testing::Test {
protected:
    LadderCommand()
        : store_(place_.open(at(0))) {
        EXPECT_TRUE(run_awaitable(store_->record_allowlist({
            .upstream = upstream(),
            .source = "file:list.yml",
            .mark = "1",
            .text = "L3:\n  npu:\n    org/bad: {oncalls: [alice]}\n",
            .in_force_at = at(0),
        })));
        const auto as_of = *parse_rfc3339("2027-01-16T00:00:00Z");
        domain::LadderStanding standing{
            .listed = domain::Level::l3,
            .effective = domain::Level::l2,
            .state = domain::LadderState::temporary,
            .since = as_of,
            .as_of = as_of,
        };
        ports::LadderOutcome outcome{
            .downstream = repo("org/bad"),
            .standing = standing,
            .evaluation =
                ports::KeptEvaluation{
                    .upstream = upstream(),
                    .downstream = repo("org/bad"),
                    .as_of = as_of,
                    .profile = "baton/1",
                    .verdict = kVerdict,
                    .digest = "d1",
                },
            .transitions = {},
        };
        outcome.transitions.push_back({
            .upstream = upstream(),
            .downstream = repo("org/bad"),
            .at = as_of,
            .as_of = as_of,
            .transition =
                {.move = domain::LadderMove::demoted,
                 .from_state = domain::LadderState::ok,
                 .to_state = domain::LadderState::temporary,
                 .from = domain::Level::l3,
                 .to = domain::Level::l2,
                 .rules = {"once.pass"},
                 .reason = "pass_adj is low \x1b[2J"},
            .profile = "baton/1",
            .figures = R"({"criteria":[]})",
            .digest = "d1",
            .actor = "baton",
        });
        domain::LadderDay day{.day = as_of - 24h, .level = domain::Level::l3, .events = 40};
        day.digest = "d1";
        const auto now = std::chrono::floor<Millis>(std::chrono::system_clock::now());
        auto lately = day; // for commands that look back from today
        lately.day = domain::day_of(now, 24h) - 24h;
        ports::LadderCommit commit{
            .upstream = upstream(),
            .as_of = as_of,
            .days = {{.downstream = repo("org/bad"), .days = {lately, day}}},
            .outcomes = {std::move(outcome)},
            .notifications = {},
            .now = as_of,
        };
        EXPECT_TRUE(run_awaitable(store_->levels().commit(std::move(commit))));
    }

    Finished run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "levels");
        arguments.insert(arguments.end(), {"--store", place_.text()});
        return baton(std::move(arguments));
    }

    TemporaryFolder folder_;
    StorePlace place_;
    std::unique_ptr<store::SqlStore> store_;
};

TEST_F(LadderCommand, StatusShowsBothLevels) {
    const auto shown = json_in(run({"status", "--json"}));
    const auto& rows = shown.at("levels").as_array();
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].at("downstream").as_string(), "org/bad");
    EXPECT_EQ(rows[0].at("listed").as_string(), "L3");
    EXPECT_EQ(rows[0].at("effective").as_string(), "L2");
    EXPECT_EQ(rows[0].at("violated").as_bool(), true);
    EXPECT_THAT(run({"status"}).out, HasSubstr("L3, L2 for now"));
    EXPECT_EQ(run({"status", "--upstream", "nobody"}).exit_code, 2);
}

TEST_F(LadderCommand, StatusHasNothingToSayBeforeTheFirstMidnight) {
    const StorePlace empty;
    empty.open(at(0));
    const auto shown = baton({"levels", "status", "--store", empty.text()});
    EXPECT_EQ(shown.exit_code, 1);
    EXPECT_THAT(shown.err, HasSubstr("nobody was judged yet"));
}

TEST_F(LadderCommand, ExplainShowsEveryCriterionAndTheLastMoves) {
    const auto told = run({"explain", "org/bad"});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_THAT(
        told.out,
        AllOf(
            HasSubstr("org/bad at Up/Stream: L3, L2 for now, temporary since 2027-01-16"),
            HasSubstr("25.0 % (15.5 to 37.6)"),
            HasSubstr(">= 70.0 % in 7 days (upper bound)"),
            HasSubstr("51 more good ones in a row"),
            HasSubstr("pass_adj is low \\x1b[2J")
        )
    );
    const auto json = json_in(run({"explain", "org/bad", "--json"}));
    EXPECT_EQ(json.at("verdict").at("demotion").at(0).at("n").as_int64(), 40);
    EXPECT_EQ(json.at("transitions").at(0).at("move").as_string(), "demoted");
    EXPECT_EQ(run({"explain", "org/nobody"}).exit_code, 1);
    EXPECT_EQ(run({"explain", "nobody"}).exit_code, 2);
}

TEST_F(LadderCommand, EvaluateWritesNothingUnlessAsked) {
    const auto told = json_in(run({"evaluate", "--json"}));
    EXPECT_EQ(told.at("written").as_bool(), false);
    EXPECT_EQ(told.at("levels").as_array().size(), 1U);
    const auto before = run({"evaluate", "--as-of", "2026-01-16", "--write"});
    EXPECT_EQ(before.exit_code, 1);
    EXPECT_THAT(before.err, HasSubstr("was judged as of 2027-01-16 already"));
    EXPECT_EQ(run({"evaluate", "--as-of", "tomorrow"}).exit_code, 2);
    EXPECT_EQ(run({"evaluate", "--as-of", "9999-01-01"}).exit_code, 2);
    const auto unknown = run({"evaluate", "--profile", "baton/2"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("did you mean baton/1?"));
    for (const auto* verb : {"evaluate", "what-if"}) {
        const auto days = run({verb, "--day", "7h"});
        EXPECT_EQ(days.exit_code, 2) << verb;
        EXPECT_THAT(days.err, HasSubstr("say with --day how long its days are"));
    }
}

TEST_F(LadderCommand, ARulingNeedsADispatchAndAReason) {
    const auto missing = run({"rule", "999", "--fault", "not-theirs", "--reason", "our runners"});
    EXPECT_EQ(missing.exit_code, 1);
    EXPECT_THAT(missing.err, HasSubstr("there is no dispatch 999"));
    EXPECT_EQ(run({"rule", "999", "--fault", "not-theirs"}).exit_code, 2);
    EXPECT_EQ(run({"rule", "999", "--fault", "nobody", "--reason", "x"}).exit_code, 2);
}

TEST_F(LadderCommand, WhatIfJudgesKeptDaysAgain) {
    const auto told =
        json_in(run({"what-if", "--profile", "crcr-l3/2026.09", "--days", "3", "--json"}));
    EXPECT_EQ(told.at("profile").as_string(), "crcr-l3/2026.09");
    ASSERT_EQ(told.at("downstreams").as_array().size(), 1U);
    EXPECT_EQ(told.at("downstreams").at(0).at("listed").as_string(), "L3");
    const auto list = folder_.write("other.yml", "L2: [org/bad]\n");
    const auto other = json_in(run({"what-if", "--allowlist", list, "--json"}));
    EXPECT_EQ(other.at("downstreams").at(0).at("listed").as_string(), "L2");
    const auto nobody = folder_.write("nobody.yml", "{}\n");
    EXPECT_EQ(run({"what-if", "--allowlist", nobody}).exit_code, 1);
    EXPECT_EQ(run({"what-if", "--allowlist", folder_.file("no.yml")}).exit_code, 2);
}

TEST(LadderLint, SaysWhatIsWrongWithAProfile) {
    const TemporaryFolder folder;
    const auto good = folder.write(
        "good.yml", "name: mine\nversion: 1\nto_l3: [{id: a, figure: pass_raw, at_least: 90%}]\n"
    );
    const auto bad = folder.write("bad.yml", "name: mine\nversion: 1\nto_l9: []\n");
    const auto passed = baton({"levels", "lint", good});
    EXPECT_EQ(passed.exit_code, 0);
    EXPECT_EQ(passed.out, good + ": good: mine/1, 1 criteria\n");
    const auto failed = baton({"levels", "lint", bad});
    EXPECT_EQ(failed.exit_code, 1);
    EXPECT_THAT(failed.out, HasSubstr(bad + ":3:1: error: unknown key \"to_l9\""));
    EXPECT_EQ(baton({"levels", "lint", folder.file("no.yml")}).exit_code, 2);
    const auto json = json_in(baton({"levels", "lint", good, bad, "--json"}));
    EXPECT_EQ(json.at("ok").as_bool(), false);
    EXPECT_EQ(json.at("files").at(0).at("profile").as_string(), "mine/1");
}

} // namespace

} // namespace baton::test
