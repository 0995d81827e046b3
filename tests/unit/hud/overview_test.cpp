#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/overview.hpp"
#include "baton/hud/window.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace baton::hud {
namespace {

using domain::Level;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const auto kUpstream = *RepoName::parse("up/stream");
const auto kNow = *parse_rfc3339("2026-11-15T13:30:00Z");

RepoName repo(const std::string& name) {
    return *RepoName::parse("down/" + name);
}

domain::Downstream listed(const std::string& name, Level level) {
    domain::Downstream downstream;
    downstream.repo = repo(name);
    downstream.level = level;
    return downstream;
}

ports::DownstreamView fares(const std::string& name, std::size_t passed, std::size_t failed) {
    ports::DownstreamView view;
    view.upstream = kUpstream;
    view.downstream = repo(name);
    view.ended.cells = {.success = passed, .failure = failed};
    return view;
}

OverviewFacts facts(const std::vector<domain::Downstream>& downstreams) {
    OverviewFacts all;
    all.window = *window_named("7d", kNow);
    all.downstreams.now = kNow;
    domain::Allowlist list;
    for (const auto& downstream : downstreams) {
        list.add(downstream);
    }
    all.downstreams.lists.push_back({
        .upstream = kUpstream,
        .allowlist = std::make_shared<const domain::Allowlist>(std::move(list)),
        .trouble = "",
    });
    return all;
}

std::vector<std::string> names(const Overview& overview) {
    std::vector<std::string> all;
    for (const auto& line : overview.downstreams) {
        all.emplace_back(line.listed.repo.repo());
    }
    return all;
}

std::vector<std::string> attention(const Overview& overview) {
    std::vector<std::string> all;
    for (const auto& one : overview.attention) {
        all.push_back(std::string(name_of(one.severity)) + " " + std::string(one.kind));
    }
    return all;
}

TEST(Windows, AreWholeUtcDaysWithToday) {
    const auto week = window_named("7d", kNow);
    ASSERT_TRUE(week);
    EXPECT_EQ(to_rfc3339(week->days.from), "2026-11-09T00:00:00.000Z");
    EXPECT_EQ(to_rfc3339(week->days.until), "2026-11-16T00:00:00.000Z");
    EXPECT_FALSE(window_named("8d", kNow));
    EXPECT_FALSE(window_named("", kNow));
}

TEST(Overview, ShowsTheHighestLevelFirstThenTheWorstAndThoseWithoutResultsLast) {
    auto all = facts(
        {listed("fine", Level::l2),
         listed("quiet", Level::l2),
         listed("gate", Level::l4),
         listed("poor", Level::l2)}
    );
    all.downstreams.views = {fares("fine", 9, 1), fares("poor", 5, 5), fares("gate", 1, 9)};
    EXPECT_THAT(names(overview_of(all)), ElementsAre("gate", "poor", "fine", "quiet"));
}

TEST(Overview, LeavesOutWhoIsNotForEverybodyToSee) {
    auto closed = listed("secret", Level::l4);
    closed.visibility = domain::Visibility::closed;
    auto all = facts({closed, listed("open", Level::l1)});
    all.downstreams.gate_suspensions = {
        {.upstream = kUpstream, .downstream = repo("secret"), .reason = "silent"}
    };
    const auto overview = overview_of(all);
    EXPECT_THAT(names(overview), ElementsAre("open"));
    EXPECT_THAT(overview.attention, IsEmpty());
}

TEST(Overview, ShowsOneUpstreamAlone) {
    auto all = facts({listed("a", Level::l2)});
    auto other = facts({listed("b", Level::l2)}).downstreams.lists.front();
    other.upstream = *RepoName::parse("other/up");
    all.downstreams.lists.push_back(other);
    EXPECT_EQ(overview_of(all).downstreams.size(), 2U);
    all.upstream = other.upstream;
    const auto alone = overview_of(all);
    EXPECT_THAT(names(alone), ElementsAre("b"));
    EXPECT_EQ(alone.upstreams.size(), 2U) << "one can still be chosen";
}

TEST(Overview, SaysWhoCountsInTheGate) {
    auto all =
        facts({listed("three", Level::l3), listed("four", Level::l4), listed("bad", Level::l4)});
    all.downstreams.gate_suspensions = {
        {.upstream = kUpstream, .downstream = repo("bad"), .since = kNow, .reason = "silent on 3"}
    };
    const auto overview = overview_of(all);
    for (const auto& line : overview.downstreams) {
        const auto expected = line.listed.level < Level::l4     ? GateState::not_counted
                              : line.listed.repo == repo("bad") ? GateState::suspended
                                                                : GateState::counted;
        EXPECT_EQ(line.gate, expected) << line.listed.repo.text();
    }
    ASSERT_THAT(attention(overview), ElementsAre("high gate_suspended"));
    EXPECT_THAT(overview.attention[0].text, HasSubstr("silent on 3"));
    EXPECT_EQ(overview.attention[0].page, "/b/down/bad");
}

TEST(Overview, SaysWhoIsHeldByAnOperatorWhyAndThatItHasNoSay) {
    auto all = facts({listed("four", Level::l4), listed("two", Level::l2)});
    all.downstreams.suspensions = {
        {.downstream = repo("four"),
         .upstream = {},
         .since = kNow,
         .until = {},
         .reason = "racks",
         .actor = "ann"}
    };
    const auto overview = overview_of(all);
    EXPECT_EQ(overview.downstreams[0].gate, GateState::not_counted);
    ASSERT_THAT(attention(overview), ElementsAre("high held"));
    EXPECT_EQ(overview.attention[0].text, "down/four is sent nothing: suspended: racks (by ann)");
    EXPECT_EQ(overview.attention[0].since, kNow);
}

/// What needs a person, and how much: one fact each.
TEST(Overview, AsksForAttentionWhereItIsNeededAndNowhereElse) {
    struct Case {
        std::string what;
        std::function<void(OverviewFacts&)> change;
        std::vector<std::string> expected;
    };

    const std::vector<Case> cases{
        {"all is well", [](OverviewFacts&) {}, {}},
        {"a part is not ready",
         [](OverviewFacts& all) { all.relay.parts = {{"github", "away"}, {"store", ""}}; },
         {"high relay"}},
        {"a list is broken",
         [](OverviewFacts& all) { all.downstreams.lists[0].trouble = "line 3"; },
         {"medium allowlist"}},
        {"dispatches were given up",
         [](OverviewFacts& all) { all.figures.given_up = 2; },
         {"medium dead_dispatches"}},
        {"letters were given up",
         [](OverviewFacts& all) { all.figures.results.dead_letters = 1; },
         {"low dead_letters"}},
        {"checks were given up",
         [](OverviewFacts& all) { all.figures.checks.given_up = 1; },
         {"medium checks_given_up"}},
        {"a level 2 downstream is silent",
         [](OverviewFacts& all) {
             all.downstreams.views = {fares("two", 0, 0)};
             all.downstreams.views[0].silent = 1;
         },
         {"medium silent"}},
        {"it fails for certain",
         [](OverviewFacts& all) { all.downstreams.views = {fares("two", 5, 45)}; },
         {"medium failing"}},
        {"it fails, but there is little data",
         [](OverviewFacts& all) { all.downstreams.views = {fares("two", 1, 18)}; },
         {}},
        {"it fails about half of the time",
         [](OverviewFacts& all) { all.downstreams.views = {fares("two", 24, 26)}; },
         {}},
    };
    for (const auto& [what, change, expected] : cases) {
        auto all = facts({listed("two", Level::l2)});
        change(all);
        EXPECT_EQ(attention(overview_of(all)), expected) << what;
    }
}

TEST(Overview, SaysWhenTheProbeOfTheRelayDoesNotEndAsItWasMadeTo) {
    auto all = facts({listed("probe", Level::l2)});
    all.downstreams.views = {fares("probe", 0, 50)};
    ports::GridRow row;
    row.at = kNow;
    row.cells = {
        {.job = "build", .outcome = domain::CellOutcome::success},
        {.job = "test (xfail)", .outcome = domain::CellOutcome::failure},
    };
    all.probes = {{.upstream = kUpstream, .probe = repo("probe"), .rows = {row}}};
    EXPECT_THAT(overview_of(all).attention, IsEmpty()) << "it is made to fail";
    all.probes[0].rows[0].cells[1].outcome = domain::CellOutcome::success;
    const auto attention = overview_of(all).attention;
    ASSERT_EQ(attention.size(), 1U);
    EXPECT_EQ(attention[0].kind, "probe");
    EXPECT_EQ(attention[0].severity, Severity::high);
    EXPECT_THAT(attention[0].text, HasSubstr("was made to end with failure"));
}

TEST(Overview, TellsOfASilentBlockingDownstreamThatNobodyKnowsWhatItSays) {
    auto all = facts({listed("gatekeeper", Level::l4), listed("onlooker", Level::l3)});
    for (const auto* name : {"gatekeeper", "onlooker"}) {
        auto view = fares(name, 10, 0);
        view.silent = 1;
        view.last_sent_at = kNow;
        all.downstreams.views.push_back(view);
    }
    const auto overview = overview_of(all);
    ASSERT_EQ(overview.attention.size(), 2U);
    EXPECT_THAT(overview.attention[0].text, HasSubstr("what it says is unknown"));
    EXPECT_THAT(overview.attention[0].text, HasSubstr("within 30m or ends within 3h"));
    EXPECT_THAT(overview.attention[1].text, testing::Not(HasSubstr("unknown")));
    EXPECT_TRUE(is_blocking_unknown(overview.downstreams[0]));
    EXPECT_FALSE(is_blocking_unknown(overview.downstreams[1]));
}

TEST(Overview, TellsWhoIsLoweredForNowAndLeadsToWhy) {
    auto one = listed("lowered", Level::l2);
    one.lowered_from = Level::l3;
    const auto attention = overview_of(facts({one})).attention;
    ASSERT_EQ(attention.size(), 1U);
    EXPECT_EQ(attention[0].kind, "lowered");
    EXPECT_EQ(attention[0].text, "down/lowered is at L2 for now, and listed at L3");
    EXPECT_EQ(attention[0].page, "/b/down/lowered/level");
}

TEST(Overview, PutsTheWorstFirst) {
    auto all = facts({listed("four", Level::l4)});
    all.figures.results.dead_letters = 1;
    all.downstreams.lists[0].trouble = "line 3";
    all.relay.parts = {{"github", "away"}};
    EXPECT_THAT(
        attention(overview_of(all)),
        ElementsAre("high relay", "medium allowlist", "low dead_letters")
    );
}

TEST(Overview, TellsOfRefusedReportsByCaller) {
    auto all = facts({});
    all.figures.refused = {
        {.downstream = {}, .reason = "bad token", .count = 3, .last_at = kNow},
        {.downstream = {}, .reason = "no token", .count = 1, .last_at = kNow},
        {.downstream = repo("one"), .reason = "no dispatch", .count = 1, .last_at = kNow},
    };
    std::vector<std::string> told;
    for (const auto& attention : overview_of(std::move(all)).attention) {
        told.push_back(attention.text + " @ " + attention.page);
    }
    EXPECT_THAT(
        told,
        ElementsAre(
            "1 report of down/one refused in the last hour: no dispatch @ "
            "/refused?downstream=down/one",
            "4 reports of unknown callers refused in the last hour: bad token and others @ /refused"
        )
    );
}

TEST(Overview, ShowsWhatSomebodyLooksAfterBehindTheRest) {
    auto all = facts({});
    all.figures.given_up = 1;
    all.figures.results.dead_letters = 1;
    all.acknowledgements = {{.key = "dead_dispatches:dispatches", .actor = "ann"}};
    const auto attention = overview_of(std::move(all)).attention;
    ASSERT_EQ(attention.size(), 2U);
    EXPECT_EQ(attention[0].kind, "dead_letters") << "though it is the lesser one";
    EXPECT_FALSE(attention[0].acknowledged);
    EXPECT_EQ(attention[1].key, "dead_dispatches:dispatches");
    EXPECT_EQ(attention[1].acknowledged->actor, "ann");
}

} // namespace
} // namespace baton::hud
