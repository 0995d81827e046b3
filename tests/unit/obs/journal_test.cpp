#include "baton/base/limits.hpp"
#include "baton/obs/journal.hpp"
#include "baton/obs/line.hpp"
#include "baton/ports/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/memory_journal.hpp"
#include "unit/obs/entries.hpp"

namespace baton::obs {

namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

std::vector<std::string> lines_of(const std::ostringstream& out) {
    std::vector<std::string> lines;
    std::istringstream in(out.str());
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

TEST(LogJournal, WritesOneLinePerEntryWithTheTimeOfTheClock) {
    test::StandingClock clock;
    std::ostringstream out;
    LogJournal journal(clock, out, {});
    journal.note(test::sent_dispatch());
    clock.at += std::chrono::hours{1};
    journal.note(ports::LifeTurn{.what = "stopping", .detail = "SIGTERM"});
    const auto lines = lines_of(out);
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_THAT(lines[0], StartsWith("2026-11-15T12:00:00.000Z info dispatch.attempted "));
    EXPECT_EQ(lines[1], "2026-11-15T13:00:00.000Z info life what=stopping detail=SIGTERM");
}

TEST(LogJournal, SpeaksJsonWhenAsked) {
    const test::StandingClock clock;
    std::ostringstream out;
    LogJournal journal(clock, out, {.format = LogFormat::json});
    journal.note(ports::LifeTurn{.what = "started", .detail = ""});
    EXPECT_THAT(
        lines_of(out),
        testing::ElementsAre(
            R"({"time":"2026-11-15T12:00:00.000Z","severity":"info","event":"life","what":"started"})"
        )
    );
}

TEST(LogJournal, LeavesOutWhatIsQuieterThanAskedFor) {
    const test::StandingClock clock;
    std::ostringstream out;
    LogJournal story(clock, out, {.from = Loudness::info});
    story.note(test::accepted_webhook());
    EXPECT_THAT(lines_of(out), IsEmpty());
    LogJournal everything(clock, out, {.from = Loudness::debug});
    everything.note(test::accepted_webhook());
    EXPECT_THAT(lines_of(out), SizeIs(1));
}

TEST(LogJournal, AFormatSpecifierInTheTextIsJustText) {
    const test::StandingClock clock;
    std::ostringstream out;
    LogJournal journal(clock, out, {});
    journal.note(ports::LifeTurn{.what = "{} %v %s {0:x}", .detail = ""});
    EXPECT_THAT(out.str(), EndsWith("life what=\"{} %v %s {0:x}\"\n"));
}

TEST(LogJournal, AFloodOfRefusedWebhooksDoesNotDrownTheStory) {
    test::StandingClock clock;
    std::ostringstream out;
    LogJournal journal(clock, out, {});
    for (std::size_t i = 0; i < 10 * limits::kRefusalLinesPerSecond; ++i) {
        journal.note(test::refused_webhook());
    }
    EXPECT_THAT(lines_of(out), SizeIs(limits::kRefusalLinesPerSecond));
    journal.note(test::sent_dispatch()); // the story itself is never cut
    EXPECT_THAT(lines_of(out), SizeIs(limits::kRefusalLinesPerSecond + 1));

    clock.at += std::chrono::seconds{1};
    journal.note(test::refused_webhook());
    journal.note(test::refused_webhook());
    const auto lines = lines_of(out);
    ASSERT_THAT(lines, SizeIs(limits::kRefusalLinesPerSecond + 3));
    EXPECT_THAT(lines[lines.size() - 2], EndsWith(" unlogged=180"));
    EXPECT_THAT(lines.back(), testing::Not(HasSubstr("unlogged")));
}

TEST(LogJournal, TheSameTroubleInTheSamePlaceIsWrittenOnceAMinute) {
    test::StandingClock clock;
    std::ostringstream out;
    LogJournal journal(clock, out, {});
    const auto tell = [&](std::string where, std::string detail) {
        journal.note(
            ports::Trouble{.healed = true, .where = std::move(where), .detail = std::move(detail)}
        );
    };
    for (int second = 0; second < 60; ++second) {
        tell("planner", "the store is away");
        tell("dispatcher", "the store is away");
        clock.at += std::chrono::seconds{1};
    }
    EXPECT_THAT(lines_of(out), SizeIs(2));
    tell("planner", "the store is away");
    EXPECT_THAT(lines_of(out).back(), EndsWith(" unlogged=59"));
    tell("dispatcher", "something else");
    EXPECT_THAT(lines_of(out).back(), EndsWith(" detail=\"something else\" unlogged=59"));
    tell("dispatcher", "the store is away");
    EXPECT_THAT(lines_of(out), SizeIs(5)) << "it came back";
}

TEST(LogJournal, LinesOfSeveralThreadsDoNotMix) {
    const test::StandingClock clock;
    std::ostringstream out;
    LogJournal journal(clock, out, {});
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&journal] {
                for (int i = 0; i < 200; ++i) {
                    journal.note(test::sent_dispatch());
                    journal.note(test::refused_webhook());
                }
            });
        }
    }
    const auto lines = lines_of(out);
    EXPECT_THAT(lines, SizeIs(800 + limits::kRefusalLinesPerSecond));
    for (const auto& line : lines) {
        ASSERT_THAT(line, testing::AnyOf(EndsWith(" age_ms=80"), EndsWith(" took_us=90")));
    }
}

TEST(Journals, TellEachOfThem) {
    test::MemoryJournal first;
    test::MemoryJournal second;
    Journals both({&first, &second});
    both.note(ports::LifeTurn{.what = "started", .detail = ""});
    EXPECT_THAT(first.all<ports::LifeTurn>(), SizeIs(1));
    EXPECT_THAT(second.entries(), SizeIs(1));
}

TEST(MemoryJournal, ATroubleThatNobodyAnnouncedFailsTheTest) {
    test::MemoryJournal journal;
    EXPECT_NONFATAL_FAILURE(
        journal.note(ports::Trouble{.healed = false, .where = "planner", .detail = "no such table"}
        ),
        "trouble that the test did not announce, in planner: no such table"
    );
}

TEST(MemoryJournal, AnnouncedAndHealedTroublesArePartOfTheTest) {
    test::MemoryJournal journal;
    journal.announce_trouble("no such table");
    journal.note(ports::Trouble{.healed = false, .where = "planner", .detail = "no such table"});
    journal.note(ports::Trouble{.healed = true, .where = "store", .detail = "locked for a moment"});
    EXPECT_THAT(journal.all<ports::Trouble>(), SizeIs(2));
}

} // namespace

} // namespace baton::obs
