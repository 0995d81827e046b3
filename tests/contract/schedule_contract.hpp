#pragma once

#include "contract/store_fixture.hpp"

namespace baton::test {

class StoreSchedule : public StoreContract {
protected:
    static ports::ScheduledRun a_run(const std::string& id, TimePoint due) {
        auto delivery = a_delivery(id, due);
        delivery.event = "schedule";
        delivery.pr.reset();
        auto dispatch = a_dispatch(id, "a/one");
        dispatch.event_type = "nightly";
        dispatch.pr.reset();
        return {
            .delivery = std::move(delivery),
            .dispatch = std::move(dispatch),
            .due = due,
            .now = due + std::chrono::seconds{1}
        };
    }

    static ports::MissedRun a_miss(TimePoint due) {
        return {
            .upstream = repo("up/stream"),
            .downstream = repo("A/One"),
            .due = due,
            .reason = "GitHub was away",
            .now = due + std::chrono::seconds{1}
        };
    }
};

TEST_P(StoreSchedule, SendsWhatIsDueThroughTheOrdinaryOutbox) {
    EXPECT_TRUE(must(store().schedule_marks()).empty());
    EXPECT_TRUE(must(store().fire_schedule(a_run("n1", at(10)))));
    EXPECT_TRUE(must(store().deliveries_to_plan(at(99), 9)).empty()) << "it is planned already";
    EXPECT_EQ(must(store().body_of(DeliveryId("n1"))), a_run("n1", at(10)).delivery.body);
    EXPECT_EQ(lease_one("a/one", at(20)).dispatch.event_type, "nightly");
    EXPECT_EQ(kinds_in(history_of("n1")), (std::vector<std::string>{"planned", "scheduled"}));
    const auto marks = must(store().schedule_marks());
    ASSERT_EQ(marks.size(), 1U);
    EXPECT_EQ(marks[0].upstream, upstream());
    EXPECT_EQ(marks[0].downstream, repo("a/one"));
    EXPECT_EQ(marks[0].last_due, at(10));
    EXPECT_EQ(marks[0].last_missed, "");
    EXPECT_EQ(marks[0].missed, 0U);
}

TEST_P(StoreSchedule, SendsNothingTwice) {
    must(store().fire_schedule(a_run("n1", at(10))));
    EXPECT_FALSE(must(store().fire_schedule(a_run("n2", at(10)))));
    EXPECT_FALSE(must(store().fire_schedule(a_run("n3", at(9)))));
    EXPECT_FALSE(must(store().miss_schedule(a_miss(at(10)))));
    EXPECT_EQ(refused(store().delivery_history(DeliveryId("n2"))), Errc::not_found);
    EXPECT_EQ(must(store().schedule_marks()).at(0).last_due, at(10));
}

TEST_P(StoreSchedule, RemembersWhatWasMissed) {
    EXPECT_TRUE(must(store().miss_schedule(a_miss(at(10)))));
    EXPECT_TRUE(must(store().miss_schedule(a_miss(at(20)))));
    auto mark = must(store().schedule_marks()).at(0);
    EXPECT_EQ(mark.last_due, at(20));
    EXPECT_EQ(mark.last_missed, "GitHub was away");
    EXPECT_EQ(mark.missed, 2U);
    EXPECT_TRUE(must(store().fire_schedule(a_run("n1", at(30)))));
    mark = must(store().schedule_marks()).at(0);
    EXPECT_EQ(mark.last_missed, "");
    EXPECT_EQ(mark.missed, 2U);
}

TEST_P(StoreSchedule, HoldsNoExcusedRunAgainstTheSchedule) {
    auto excused = a_miss(at(10));
    excused.excused = true;
    EXPECT_TRUE(must(store().miss_schedule(excused)));
    const auto mark = must(store().schedule_marks()).at(0);
    EXPECT_EQ(mark.last_due, at(10));
    EXPECT_EQ(mark.last_missed, "");
    EXPECT_EQ(mark.missed, 0U);
}

TEST_P(StoreSchedule, MovesNoMarkWhenTheDeliveryIsThereAlready) {
    plant("n1", {});
    EXPECT_EQ(refused(store().fire_schedule(a_run("n1", at(10)))), Errc::conflict);
    EXPECT_TRUE(must(store().schedule_marks()).empty());
}

} // namespace baton::test
