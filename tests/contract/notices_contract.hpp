#pragma once

#include "baton/ports/notices.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "contract/checks_fixture.hpp"

namespace baton::test {

/// The sentences of ports/notices.hpp, for every store.
class StoreNotices : public ChecksContract {
protected:
    ports::Notices& notices() { return dynamic_cast<ports::Notices&>(store()); }

    void receivers_are(std::vector<std::string> sinks, TimePoint now = at(0)) {
        must(notices().name_receivers(std::move(sinks), now));
    }

    bool suspend(TimePoint now, const std::string& reason = "silent") {
        return must(store().suspend_gate(a_gate_suspension(now, reason)));
    }

    bool resume(TimePoint now) {
        return must(store().resume_gate(
            {.upstream = upstream(),
             .downstream = repo("a/one"),
             .reason = "three clean runs",
             .by_hand = false,
             .actor = "baton",
             .now = now}
        ));
    }

    std::vector<ports::TakenLetter> take(TimePoint now, const std::string& sink = "notify:oncall") {
        return must(store().take_letters(
            {.sink = sink,
             .holder = InstanceId("relay-1"),
             .now = now,
             .until = now + std::chrono::seconds{30}}
        ));
    }

    void deliver(const ports::TakenLetter& letter, TimePoint now) {
        must(store().end_letter({.id = letter.id, .fence = letter.fence, .done = true, .now = now})
        );
    }

    static std::string said(const ports::TakenLetter& letter, std::string_view field) {
        const auto body = boost::json::parse(letter.body);
        const auto& value = body.at(field);
        return value.is_string() ? std::string(value.as_string()) : boost::json::serialize(value);
    }
};

TEST_P(StoreNotices, OneIsWrittenWithTheSuspensionAndOneWithItsEnd) {
    receivers_are({"notify:oncall", "notify:desk"});
    must(notices().note_concern(
        {.upstream = upstream(),
         .downstream = repo("A/One"),
         .level = domain::Level::l4,
         .oncalls = {Login("fay"), Login("olga")}}
    ));
    EXPECT_TRUE(suspend(at(10)));
    const auto letters = take(at(10));
    ASSERT_EQ(letters.size(), 1U);
    const auto& first = letters.front();
    EXPECT_EQ(first.job.subject.downstream, repo("a/one")) << "what it is about";
    EXPECT_EQ(first.lane, "a/one gate of up/stream");
    EXPECT_EQ(said(first, "kind"), "suspended");
    EXPECT_EQ(said(first, "upstream"), "Up/Stream");
    EXPECT_EQ(said(first, "level"), "L4");
    EXPECT_EQ(said(first, "oncalls"), R"(["fay","olga"])");
    EXPECT_EQ(said(first, "reason"), "silent");
    EXPECT_EQ(said(first, "evidence"), R"({"runs":["101","102"]})");
    EXPECT_EQ(said(first, "since"), to_rfc3339(at(10)));
    deliver(first, at(11));
    EXPECT_TRUE(resume(at(20)));
    const auto second = take(at(20)).at(0);
    EXPECT_EQ(said(second, "kind"), "returned");
    EXPECT_EQ(said(second, "since"), to_rfc3339(at(10))) << "when the incident began";
    EXPECT_EQ(said(second, "at"), to_rfc3339(at(20)));
    EXPECT_EQ(said(second, "oncalls"), R"(["fay","olga"])");
    const auto others = take(at(20), "notify:desk");
    ASSERT_EQ(others.size(), 1U) << "one after the other";
    EXPECT_EQ(said(others.front(), "kind"), "suspended");
}

TEST_P(StoreNotices, AnIncidentIsToldOnceHoweverOftenItIsLookedAt) {
    receivers_are({"notify:oncall"});
    suspend(at(10));
    EXPECT_FALSE(suspend(at(20))) << "the same again";
    EXPECT_TRUE(suspend(at(30), "red on base")) << "it says more now";
    deliver(take(at(31)).at(0), at(31));
    EXPECT_TRUE(take(at(32)).empty());
    resume(at(40));
    EXPECT_FALSE(resume(at(41)));
    const auto returned = take(at(42)).at(0);
    EXPECT_EQ(said(returned, "since"), to_rfc3339(at(10)));
    deliver(returned, at(42));
    EXPECT_TRUE(take(at(43)).empty());
    suspend(at(50));
    EXPECT_EQ(said(take(at(50)).at(0), "since"), to_rfc3339(at(50))) << "another incident";
}

TEST_P(StoreNotices, WithoutAReceiverNothingWaits) {
    suspend(at(10));
    resume(at(20));
    EXPECT_EQ(must(store().result_counts()).outbox_waiting, 0U);
    receivers_are({"notify:oncall"}, at(30));
    EXPECT_TRUE(take(at(31)).empty()) << "nor is it told afterwards";
}

TEST_P(StoreNotices, WhatWaitsForAReceiverThatIsGoneIsGivenUpAndShown) {
    receivers_are({"notify:oncall", "notify:desk"});
    suspend(at(10));
    resume(at(11));
    EXPECT_EQ(must(notices().name_receivers({"notify:desk"}, at(20))), 2U);
    EXPECT_TRUE(take(at(21)).empty());
    EXPECT_EQ(take(at(21), "notify:desk").size(), 1U);
    const auto dead = must(store().dead_letters(9));
    ASSERT_EQ(dead.size(), 2U);
    EXPECT_EQ(dead[0].sink, "notify:oncall");
    EXPECT_EQ(dead[0].detail, "this receiver is not configured any more");
    EXPECT_EQ(must(notices().name_receivers({"notify:desk"}, at(22))), 0U);
    receivers_are({"notify:desk", "notify:oncall"}, at(23));
    EXPECT_EQ(must(store().revive_letters("notify:oncall", "alice", at(24))), 2U);
    EXPECT_EQ(said(take(at(24)).at(0), "kind"), "suspended") << "the oldest first";
}

TEST_P(StoreNotices, LettersAboutResultsAreNoneOfItsConcern) {
    const auto dispatch = sent_at_level("d1", domain::Level::l2);
    auto commit = a_commit(dispatch, a_start(), at(20));
    commit.letters = {{.sink = "hud", .body = "x"}};
    must(store().record_report(std::move(commit)));
    EXPECT_EQ(must(notices().name_receivers({}, at(21))), 0U);
    EXPECT_EQ(take(at(22), "hud").size(), 1U);
}

TEST_P(StoreNotices, AHandIsNamedAndItsWordsAreHarmless) {
    receivers_are({"notify:oncall"});
    auto by_hand = a_gate_suspension(at(10), "fire\x1b[31m \xff");
    by_hand.by_hand = true;
    by_hand.actor = "eve";
    by_hand.evidence = "";
    must(store().suspend_gate(by_hand));
    const auto letter = take(at(10)).at(0);
    EXPECT_EQ(said(letter, "by"), "eve");
    EXPECT_EQ(said(letter, "by_hand"), "true");
    EXPECT_EQ(said(letter, "evidence"), "null");
    EXPECT_EQ(said(letter, "reason"), R"(fire\x1b[31m \xff)");
    EXPECT_EQ(said(letter, "oncalls"), "[]") << "nobody noted any";
}

} // namespace baton::test
