#include "baton/app/demo_cast.hpp"
#include "baton/app/demo_text.hpp"
#include "baton/app/demo_view.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace baton::app::demo {
namespace {

using namespace std::chrono_literals;
using domain::DispatchState;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

DownstreamRow row(std::string repo, bool featured = false) {
    return {
        .level = domain::Level::l2,
        .repo = std::move(repo),
        .device = "npu",
        .received = 1234,
        .waiting = 5,
        .failed = 0,
        .note = "no answer: try 4 in 1.9 s",
        .tone = Tone::warning,
        .featured = featured,
    };
}

Snapshot busy() {
    Snapshot snapshot{
        .address = "http://127.0.0.1:4711",
        .upstream = "up/stream",
        .store_path = "/tmp/baton-demo-a1b2c3/baton.db",
        .log_path = "/tmp/baton-demo-a1b2c3/relay.log",
        .seed = 7,
        .uptime = 83s,
        .stage = {},
        .webhooks =
            {.accepted = 1318,
             .duplicate = 9,
             .ignored = {{"ref deleted", 5}, {"not an upstream", 3}}},
        .dispatches =
            {{DispatchState::pending, 38},
             {DispatchState::sent, 1702},
             {DispatchState::superseded, 120},
             {DispatchState::failed, 31}},
        .results = {.recorded = 3210, .duplicate = 45, .refused = 6, .silent = 2, .timed_out = 1},
        .checks =
            {.posted = 412,
             .pulls = 12,
             .green = 7,
             .red = 2,
             .waiting = 3,
             .mergeable = 6,
             .suspended = 1},
        .sent_per_second = 61.7,
        .median_age = 24ms,
        .oldest_age = 9'120ms,
        .repeats = 14,
        .downstreams = {},
        .happenings = {},
    };
    for (int i = 0; i < 24; ++i) {
        snapshot.downstreams.push_back(row(fmt::format("owner-{}/backend", i), i % 3 == 0));
    }
    for (int i = 0; i < 40; ++i) {
        snapshot.happenings.push_back(
            {.at = 80s + i * 50ms, .text = fmt::format("event {}", i), .trouble = i == 3}
        );
    }
    return snapshot;
}

std::string text_of(const Snapshot& snapshot, Size size) {
    std::string out;
    for (const auto& line : view(snapshot, size)) {
        out += plain_text(line) + "\n";
    }
    return out;
}

TEST(DemoView, SaysWhereTheRelayIsAndWhatToTry) {
    const auto text = text_of(busy(), {.columns = 100, .rows = 30});
    EXPECT_THAT(text, StartsWith("Baton demo  http://127.0.0.1:4711"));
    EXPECT_THAT(text, AllOf(HasSubstr("up 1:23"), HasSubstr("seed 7"), HasSubstr("Ctrl-C stops")));
    EXPECT_THAT(text, HasSubstr("http://127.0.0.1:4711/   in a browser"));
    EXPECT_THAT(text, AllOf(HasSubstr("/readyz"), HasSubstr("/metrics")));
    EXPECT_THAT(text, HasSubstr("baton deliveries list --store /tmp/baton-demo-a1b2c3/baton.db"));
    EXPECT_THAT(text, HasSubstr("tail -f /tmp/baton-demo-a1b2c3/relay.log"));
}

TEST(DemoView, TellsWhatDownstreamsReported) {
    const auto text = text_of(busy(), {.columns = 120, .rows = 40});
    EXPECT_THAT(text, HasSubstr("3,210 in · 6 refused · 45 duplicate · 2 silent · 1 timed out\n"));
}

TEST(DemoView, TellsWhatStandsOnPullRequestsOnASmallScreenToo) {
    EXPECT_THAT(
        text_of(busy(), {.columns = 80, .rows = 24}),
        HasSubstr("412 posted · 7 gates green · 2 red · 3 waiting · 6 of 12 mergeable\n")
    );
    EXPECT_THAT(
        text_of(busy(), {.columns = 120, .rows = 40}),
        HasSubstr("6 of 12 mergeable · 1 suspended\n")
    );
}

TEST(DemoView, CountsWebhooksWithTheReasonsOfThoseIgnored) {
    const auto text = text_of(busy(), {.columns = 120, .rows = 40});
    EXPECT_THAT(text, HasSubstr("1,318 accepted"));
    EXPECT_THAT(text, HasSubstr("9 duplicate"));
    EXPECT_THAT(text, HasSubstr("8 ignored (5 ref deleted, 3 not an upstream)"));
    EXPECT_THAT(text, Not(HasSubstr("not taken")));
}

TEST(DemoView, CountsDispatchesByStateAndTheirPace) {
    const auto text = text_of(busy(), {.columns = 120, .rows = 40});
    EXPECT_THAT(
        text, HasSubstr("1,702 sent · 38 waiting · 31 failed · 120 superseded · 1,891 in all")
    );
    EXPECT_THAT(text, Not(HasSubstr("cancelled"))); // there is none
    EXPECT_THAT(text, HasSubstr("62 sent a second · median wait 24 ms · oldest waits 9.1 s"));
    EXPECT_THAT(text, HasSubstr("14 repeats"));
}

TEST(DemoView, ShowsEveryDownstreamWhenThereIsRoom) {
    const auto text = text_of(busy(), {.columns = 120, .rows = 42});
    for (int i = 0; i < 24; ++i) {
        EXPECT_THAT(text, ContainsRegex(fmt::format("L2 owner-{}/backend +npu +1,234 +5 +0", i)));
    }
    EXPECT_THAT(text, Not(HasSubstr("more")));
    EXPECT_THAT(text, HasSubstr("no answer: try 4 in 1.9 s"));
}

TEST(DemoView, KeepsTheFeaturedOnesAndSumsUpTheOthersOnASmallScreen) {
    const auto text = text_of(busy(), {.columns = 80, .rows = 24});
    for (int i = 0; i < 24; i += 3) {
        EXPECT_THAT(text, HasSubstr(fmt::format("owner-{}/backend", i)));
    }
    EXPECT_THAT(text, Not(HasSubstr("owner-2/backend")));
    EXPECT_THAT(text, ContainsRegex("and 16 more +19,744 +80 +0"));
}

TEST(DemoView, KeepsTroubleInSightWhileLesserNewsPass) {
    auto snapshot = busy();
    EXPECT_THAT(text_of(snapshot, {.columns = 80, .rows = 24}), HasSubstr("1:20  ! event 3\n"));
    EXPECT_THAT(text_of(snapshot, {.columns = 80, .rows = 24}), HasSubstr("1:21    event 39\n"));
    snapshot.uptime = 120s;
    EXPECT_THAT(text_of(snapshot, {.columns = 80, .rows = 24}), Not(HasSubstr("event 3\n")));
}

TEST(DemoView, LeavesAFigureOutRatherThanCutItInTwo) {
    const auto text = text_of(busy(), {.columns = 60, .rows = 24});
    EXPECT_THAT(text, HasSubstr("1,702 sent · 38 waiting · 31 failed\n"));
    EXPECT_THAT(text, HasSubstr("1,318 accepted · 9 duplicate · 8 ignored\n"));
}

TEST(DemoView, SaysWhatGoesOnInsteadOfHowToStop) {
    auto snapshot = busy();
    snapshot.stage = "stopping: the relay drains";
    const auto text = text_of(snapshot, {.columns = 100, .rows = 30});
    EXPECT_THAT(text, AllOf(HasSubstr("the relay drains"), Not(HasSubstr("Ctrl-C"))));
}

TEST(DemoView, ColoursNeverSpeakAlone) {
    auto snapshot = busy();
    snapshot.downstreams.front().failed = 2;
    for (const auto& line : view(snapshot, {.columns = 120, .rows = 40})) {
        for (const auto& span : line) {
            const bool coloured = span.tone == Tone::warning || span.tone == Tone::bad;
            EXPECT_TRUE(!coloured || span.text.find_first_not_of(' ') != std::string::npos);
        }
    }
}

TEST(DemoView, CutsNoWordOrNumberInTwoOnEightyColumns) {
    auto snapshot = busy();
    for (auto& downstream : snapshot.downstreams) {
        downstream.received = 1'234'567;
        downstream.note = "no answer to the last attempt: try 41 in 299.9 s";
    }
    snapshot.happenings.back().text =
        "yuki labelled #4711 ciflow/crcr/npu, and five downstreams that waited for it get it now";
    const auto whole = text_of(snapshot, {.columns = 1000, .rows = 24});
    for (const auto& line : view(snapshot, {.columns = 80, .rows = 24})) {
        const auto text = plain_text(line);
        const auto mark = text.find("…");
        if (mark != std::string::npos) {
            EXPECT_TRUE(
                text[mark - 1] == ' ' || whole.find(text.substr(0, mark) + " ") != std::string::npos
            ) << text;
        }
    }
    EXPECT_THAT(text_of(snapshot, {.columns = 80, .rows = 24}), HasSubstr("1,234,567"));
}

RC_GTEST_PROP(DemoView, FitsIntoEveryWindow, ()) {
    const Size size{
        .columns = *rc::gen::inRange<std::size_t>(1, 200),
        .rows = *rc::gen::inRange<std::size_t>(1, 80),
    };
    const auto lines = view(busy(), size);
    RC_ASSERT(lines.size() <= size.rows);
    for (const auto& line : lines) {
        RC_ASSERT(width_of(plain_text(line)) <= size.columns);
    }
}

TEST(DemoView, IsEmptyOfFiguresBeforeAnythingHappened) {
    const auto text = text_of({.address = "http://127.0.0.1:1"}, {});
    EXPECT_THAT(text, AllOf(HasSubstr("0 accepted"), HasSubstr("0 sent")));
    EXPECT_THAT(text, Not(HasSubstr("median")));
}

TEST(DemoSummary, IsOneLineWithTheSameFigures) {
    const auto line = summary(busy());
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_THAT(line, StartsWith("1:23  webhooks: 1318 accepted, 9 duplicate, 8 ignored;"));
    EXPECT_THAT(
        line, HasSubstr("1891 due, 1702 sent, 38 waiting, 120 superseded, 0 cancelled, 31 failed")
    );
    EXPECT_THAT(
        line,
        HasSubstr("results: 3210 in, 6 refused, 45 duplicate, 2 silent, 1 timed out; checks: ")
    );
    EXPECT_THAT(
        line,
        HasSubstr(
            "412 posted, 7 gates green, 2 red, 3 waiting; mergeable 6 of 12, 1 suspended; 62/s"
        )
    );
}

TEST(DemoText, CutsByCharactersAndMarksIt) {
    struct Case {
        const char* name;
        std::string text;
        std::size_t columns;
        std::string expected;
    };

    const Case cases[] = {
        {"what fits stays", "abc", 3, "abc"},
        {"what does not is marked", "abcd", 3, "ab…"},
        {"one column holds the mark", "abcd", 1, "…"},
        {"none holds nothing", "abcd", 0, ""},
        {"a character of several bytes is one", "a·b·c", 5, "a·b·c"},
        {"and is never split", "a·b·c", 3, "a·…"},
        {"a word is shown whole or not at all", "try 12 in 3.5 s", 12, "try 12 in …"},
        {"a number too", "wait 12,345", 9, "wait …"},
        {"words that end there stay", "one two six", 8, "one two…"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(cut(c.text, c.columns), c.expected);
        EXPECT_EQ(width_of(padded(c.text, c.columns)), c.columns);
    }
}

TEST(DemoText, WritesNumbersAndTimesAsPeopleDo) {
    EXPECT_EQ(with_commas(0), "0");
    EXPECT_EQ(with_commas(999), "999");
    EXPECT_EQ(with_commas(1000), "1,000");
    EXPECT_EQ(with_commas(1234567), "1,234,567");
    EXPECT_EQ(clock_text(5s), "0:05");
    EXPECT_EQ(clock_text(3723s), "1:02:03");
    EXPECT_EQ(seconds_text(850ms), "0.8 s");
    EXPECT_EQ(short_text(999ms), "999 ms");
    EXPECT_EQ(short_text(3149ms), "3.1 s");
    EXPECT_EQ(short_text(150s), "2 min");
}

TEST(DemoCast, IsTwoDozenAtAllLevels) {
    const auto all = cast();
    EXPECT_EQ(all.size(), 24U);
    EXPECT_EQ(all.front().level, domain::Level::l4);
    EXPECT_EQ(all.back().level, domain::Level::l1);
}

TEST(DemoCast, NamesFitTheirColumn) {
    for (const auto& downstream : cast()) {
        EXPECT_LE(downstream.repo.text().size(), 24U) << downstream.repo.text();
        EXPECT_LE(standing_note(downstream).size(), 28U) << downstream.repo.text();
    }
}

} // namespace
} // namespace baton::app::demo
