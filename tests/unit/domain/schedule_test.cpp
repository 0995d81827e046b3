#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/cron.hpp"
#include "baton/domain/schedule.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::domain {
namespace {

TimePoint at(std::string_view text) {
    return parse_rfc3339(text).value();
}

struct TurnCase {
    const char* name;
    std::string_view mark;
    std::string_view now;
    std::size_t missed;
    std::string_view due; // empty: none
    std::string_view next;
};

/// Of "0 3 * * *".
constexpr TurnCase kTurns[] = {
    {"nothing yet", "2026-11-15T03:00:00Z", "2026-11-16T02:59:59Z", 0, "", "2026-11-16T03:00:00Z"},
    {"due",
     "2026-11-15T03:00:00Z",
     "2026-11-16T03:00:00Z",
     0,
     "2026-11-16T03:00:00Z",
     "2026-11-17T03:00:00Z"},
    {"late, and caught up once",
     "2026-11-15T03:00:00Z",
     "2026-11-16T14:00:00Z",
     0,
     "2026-11-16T03:00:00Z",
     "2026-11-17T03:00:00Z"},
    {"after three days away only the newest is run",
     "2026-11-15T03:00:00Z",
     "2026-11-18T14:00:00Z",
     2,
     "2026-11-18T03:00:00Z",
     "2026-11-19T03:00:00Z"},
    {"a clock that was set back asks for nothing",
     "2026-11-15T03:00:00Z",
     "2026-11-14T03:00:00Z",
     0,
     "",
     "2026-11-16T03:00:00Z"},
};

TEST(Schedule, RunsTheNewestAndMissesTheOthers) {
    const auto nightly = Cron::parse("0 3 * * *").value();
    for (const auto& c : kTurns) {
        SCOPED_TRACE(c.name);
        const auto turn = turn_of(nightly, at(c.mark), at(c.now));
        EXPECT_EQ(turn.missed.size(), c.missed);
        EXPECT_EQ(
            turn.due ? to_rfc3339(*turn.due) : "", c.due.empty() ? "" : to_rfc3339(at(c.due))
        );
        EXPECT_EQ(to_rfc3339(turn.next), to_rfc3339(at(c.next)));
    }
}

TEST(Schedule, TellsABoundedNumberOfMissedRuns) {
    const auto minutely = Cron::parse("* * * * *").value();
    const auto mark = at("2026-11-01T00:00:00Z");
    const auto turn = turn_of(minutely, mark, mark + std::chrono::days{1});
    EXPECT_EQ(turn.missed.size(), kMissedRunsMax);
    EXPECT_EQ(turn.missed_earlier, 24 * 60 - kMissedRunsMax - 1);
    EXPECT_EQ(turn.due, mark + std::chrono::days{1});
}

TEST(Schedule, IsCalledNightlyWhenADayNeverSeesTwo) {
    const auto nightly = Cron::parse("0 3 * * mon-fri").value();
    const auto periodic = Cron::parse("0 */4 * * *").value();
    EXPECT_EQ(event_of(nightly), "nightly");
    EXPECT_EQ(event_of(periodic), "periodic");
    const Downstream nightly_only{.events = {.pull_request = false, .periodic = false}};
    EXPECT_TRUE(takes_part(nightly_only, nightly));
    EXPECT_FALSE(takes_part(nightly_only, periodic));
}

} // namespace
} // namespace baton::domain
