// Relay-owned nightlies: once each, with the commit of that moment, and never a pile of them.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/schedules.hpp"
#include "baton/sim/faults.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/memory_journal.hpp"
#include "unit/relay/callbacks_fixture.hpp"

namespace baton::relay {
namespace {

class Scheduling : public CallingBack { // it begins on 2027-01-15 at 08:00
protected:
    Scheduling() {
        list_with("0 9 * * *");
        engage();
    }

    void list_with(
        std::string schedule,
        domain::Participation events = {},
        std::optional<domain::Pause> pause = std::nullopt
    ) {
        domain::Allowlist allowlist;
        domain::Downstream entry{.repo = kDownstream, .level = domain::Level::l2, .device = "npu"};
        entry.schedule = std::move(schedule);
        entry.events = events;
        entry.pause = std::move(pause);
        allowlist.add(std::move(entry));
        book.put(kUpstream, std::move(allowlist));
    }

    /// A relay that starts on this store and these lists.
    void engage() {
        schedules = std::make_unique<Schedules>(
            Schedules::Settings{.upstreams = {kUpstream, kSecond}},
            Schedules::Surroundings{
                .store = store,
                .github = github,
                .clock = clock,
                .journal = journal,
                .book = book,
                .on_fired = [this] { ++woken; },
                .leads = [this] { return leads; },
            }
        );
        schedules->begin();
        round();
    }

    void round() { EXPECT_TRUE(wait_for(schedules->round())); }

    void round_after(Millis span) {
        clock.advance(span);
        round();
    }

    /// "fired 01-16T09:00", in order.
    std::vector<std::string> turns() const {
        std::vector<std::string> all;
        for (const auto& turn : journal.all<ports::ScheduleTurned>()) {
            all.push_back(fmt::format(
                "{} {}", ports::name_of(turn.outcome), to_rfc3339(turn.due).substr(5, 11)
            ));
        }
        return all;
    }

    std::vector<ports::Delivery> fired() {
        ports::DeliveryPageQuery query{.event = "nightly"};
        return wait_for(store.list_deliveries(std::move(query))).value();
    }

    ports::ScheduleMark mark() { return wait_for(store.schedule_marks()).value().at(0); }

    test::MemoryJournal journal;
    int woken{0};
    bool leads{true};
    std::unique_ptr<Schedules> schedules;
};

using testing::ElementsAre;

TEST_F(Scheduling, ANightlyIsFiredOnceWithTheCommitOfThatMoment) {
    round_after(59min);
    EXPECT_TRUE(fired().empty());
    ASSERT_TRUE(model.push({.repo = kUpstream, .ref = "refs/heads/main", .by = Login("ann")}));
    const auto head = model.branch(*model.repo(kUpstream), "")->head;
    round_after(2min);
    round();
    const auto deliveries = fired();
    ASSERT_EQ(deliveries.size(), 1U);
    EXPECT_EQ(deliveries[0].head, head);
    EXPECT_EQ(deliveries[0].state, ports::DeliveryState::planned) << "no planner touches it";
    EXPECT_TRUE(deliveries[0].id.text().starts_with("nightly-2027-01-15T09:00Z-"));
    EXPECT_EQ(
        wait_for(store.body_of(deliveries[0].id)).value(),
        fmt::format(
            R"({{"repository":{{"full_name":"up/stream"}},"ref":"HEAD","head_sha":"{}"}})",
            head.text()
        )
    );
    const auto dispatch =
        wait_for(store.dispatches_to(deliveries[0].id, kDownstream)).value().at(0);
    EXPECT_EQ(dispatch.event_type, "nightly");
    EXPECT_EQ(dispatch.device, "npu");
    EXPECT_EQ(dispatch.state, domain::DispatchState::pending);
    EXPECT_EQ(woken, 1);
}

TEST_F(Scheduling, IsTheLeadsAlone) {
    leads = false;
    tasks.spawn(schedules->run());
    sim::run_until_quiet(io, clock, {.until = clock.now() + 2h});
    EXPECT_TRUE(fired().empty());
    leads = true;
    sim::run_until_quiet(io, clock, {.until = clock.now() + 5min});
    EXPECT_EQ(fired().size(), 1U);
    tasks.cancel();
    sim::run_until_quiet(io, clock, {.until = clock.now() + 1h});
}

TEST_F(Scheduling, AScheduleThatIsNewCatchesNothingUp) {
    EXPECT_THAT(turns(), ElementsAre("excused 01-15T08:00"));
    EXPECT_EQ(mark().missed, 0U);
}

TEST_F(Scheduling, AfterADowntimeTheNewestIsCaughtUpAndTheOthersAreMissed) {
    clock.advance(3 * 24h + 5h); // the 18th, 13:00
    engage();
    engage();
    EXPECT_THAT(
        turns(),
        ElementsAre(
            "excused 01-15T08:00",
            "missed 01-15T09:00",
            "missed 01-16T09:00",
            "missed 01-17T09:00",
            "fired 01-18T09:00"
        )
    );
    EXPECT_EQ(mark().missed, 3U);
    EXPECT_EQ(mark().last_missed, "") << "the newest was sent";
    EXPECT_EQ(fired().size(), 1U);
}

TEST_F(Scheduling, WhileGithubIsAwayItIsTriedUntilTheNextIsDue) {
    faults.add({.route = "commit", .fault = sim::Fault::server_error(502)});
    round_after(61min);
    round_after(5min);
    EXPECT_TRUE(fired().empty());
    round_after(24h);
    EXPECT_THAT(turns(), ElementsAre("excused 01-15T08:00", "missed 01-15T09:00"));
    EXPECT_THAT(mark().last_missed, testing::HasSubstr("GitHub could not say what to test"));
    faults.clear();
    round_after(1min);
    EXPECT_EQ(turns().back(), "fired 01-16T09:00") << "late, but before the next";
}

TEST_F(Scheduling, WhatNobodyWantedIsNotMissed) {
    list_with(
        "0 9 * * *", {}, domain::Pause{.until = kNow + 36h, .reason = "moving"}
    ); // until the 16th, 20:00
    round_after(2h);
    EXPECT_EQ(turns().back(), "excused 01-15T09:00");
    round_after(24h);
    ASSERT_TRUE(wait_for(store.suspend(
        {.downstream = kDownstream, .since = clock.now(), .reason = "racks", .actor = "ann"}
    )));
    round_after(24h);
    EXPECT_EQ(turns().back(), "excused 01-17T09:00");
    EXPECT_EQ(journal.all<ports::ScheduleTurned>().back().reason, "suspended: racks");
    EXPECT_EQ(mark().missed, 0U);
    EXPECT_TRUE(fired().empty());
}

TEST_F(Scheduling, AScheduleThatChangedOrCameBackBeginsAnew) {
    round_after(2h);
    list_with("*/30 * * * *");
    round();
    EXPECT_EQ(turns().back(), "excused 01-15T10:00") << "nothing of this morning is missed";
    round_after(30min);
    EXPECT_EQ(turns().back(), "fired 01-15T10:30");
    EXPECT_EQ(journal.all<ports::ScheduleTurned>().back().event, "periodic");
    list_with("*/30 * * * *", {.periodic = false});
    round_after(5h);
    list_with("*/30 * * * *");
    round();
    EXPECT_EQ(turns().back(), "excused 01-15T15:30");
    EXPECT_EQ(mark().missed, 0U);
}

} // namespace
} // namespace baton::relay
