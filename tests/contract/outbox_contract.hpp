#pragma once

#include "contract/results_fixture.hpp"

namespace baton::test {

class StoreOutbox : public ResultsContract {
protected:
    /// A report that leaves one letter to each sink.
    void tell(domain::Report said, TimePoint now, const std::vector<std::string>& sinks = {"hud"}) {
        auto commit = a_commit(dispatch_, std::move(said), now);
        for (const auto& sink : sinks) {
            commit.letters.push_back(
                {.sink = sink,
                 .body = commit.report.key.job + " " + std::string(name_of(commit.report.status))}
            );
        }
        must(store().record_report(std::move(commit)));
    }

    std::vector<ports::TakenLetter> take(TimePoint now, const std::string& sink = "hud") {
        return must(store().take_letters(
            {.sink = sink,
             .holder = InstanceId("relay-1"),
             .now = now,
             .until = now + std::chrono::seconds{30}}
        ));
    }

    static std::vector<std::string> bodies(const std::vector<ports::TakenLetter>& letters) {
        std::vector<std::string> found;
        for (const auto& letter : letters) {
            found.push_back(letter.body);
        }
        return found;
    }

    static ports::LetterEnd end_of(const ports::TakenLetter& letter, TimePoint now) {
        return {.id = letter.id, .fence = letter.fence, .detail = "no answer", .now = now};
    }

    void done(const ports::TakenLetter& letter, TimePoint now) {
        auto end = end_of(letter, now);
        end.done = true;
        must(store().end_letter(end));
    }

    ports::ResultCounts counts() { return must(store().result_counts()); }

    domain::Dispatch dispatch_{a_sent_dispatch("d1")};
};

using Texts = std::vector<std::string>;

TEST_P(StoreOutbox, HandsOutALetterUntilItIsDone) {
    tell(a_start(), at(20));
    const auto taken = take(at(21));
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken[0].body, "test in_progress");
    EXPECT_EQ(taken[0].sink, "hud");
    EXPECT_EQ(taken[0].job, jobs_of("d1").at(0));
    EXPECT_EQ(taken[0].delivery, DeliveryId("d1"));
    EXPECT_EQ(taken[0].created_at, at(20));
    EXPECT_EQ(taken[0].attempts, 1);
    EXPECT_TRUE(take(at(22)).empty()) << "it is leased";
    EXPECT_EQ(counts().outbox_waiting, 1U);
    EXPECT_EQ(counts().outbox_oldest, at(20));
    done(taken[0], at(23));
    EXPECT_TRUE(take(at(500)).empty());
    EXPECT_EQ(counts().outbox_waiting, 0U);
    EXPECT_FALSE(counts().outbox_oldest.has_value());
}

TEST_P(StoreOutbox, KeepsTheOrderOfALaneAndLetsNoneWaitForAnother) {
    tell(a_start("101", "a"), at(20));
    tell(an_end(domain::Conclusion::success, "101", "a"), at(21));
    tell(a_start("101", "b"), at(22));
    const auto first = take(at(30));
    EXPECT_EQ(bodies(first), (Texts{"a in_progress", "b in_progress"}));
    EXPECT_NE(first[0].lane, first[1].lane);
    auto again = end_of(first[0], at(31));
    again.again_at = at(60);
    must(store().end_letter(again));
    done(first[1], at(31));
    EXPECT_TRUE(take(at(59)).empty()) << "the end waits for the start";
    const auto second = take(at(60));
    EXPECT_EQ(bodies(second), Texts{"a in_progress"});
    EXPECT_EQ(second[0].attempts, 2);
    done(second[0], at(61));
    EXPECT_EQ(bodies(take(at(61))), Texts{"a completed"});
}

TEST_P(StoreOutbox, KeepsSinksApart) {
    tell(a_start(), at(20), {"hud", "mail"});
    ASSERT_EQ(take(at(21), "hud").size(), 1U);
    EXPECT_EQ(take(at(21), "mail").size(), 1U);
    EXPECT_TRUE(take(at(21), "none").empty());
}

TEST_P(StoreOutbox, TakesNoMoreThanItIsAskedFor) {
    for (const auto* job : {"a", "b", "c"}) {
        tell(a_start("101", job), at(20));
    }
    ports::LetterQuery query{
        .sink = "hud", .holder = InstanceId("r"), .now = at(21), .until = at(51), .limit = 2
    };
    EXPECT_EQ(bodies(must(store().take_letters(query))), (Texts{"a in_progress", "b in_progress"}));
    EXPECT_EQ(bodies(must(store().take_letters(query))), Texts{"c in_progress"});
}

TEST_P(StoreOutbox, ListensToTheHolderOfALeaseOnly) {
    tell(a_start(), at(20));
    const auto first = take(at(21)).at(0);
    const auto second = take(at(51)).at(0); // the lease ran out
    EXPECT_EQ(second.attempts, 2);
    EXPECT_EQ(refused(store().end_letter(end_of(first, at(52)))), Errc::conflict);
    done(second, at(52));
    EXPECT_EQ(refused(store().end_letter(end_of(second, at(53)))), Errc::conflict);
}

TEST_P(StoreOutbox, HandsOutAtOnceWhatADeadRelayHeld) {
    tell(a_start(), at(20));
    const auto held = take(at(21)).at(0);
    must(store().adopt(InstanceId("relay-2"), at(22)));
    EXPECT_EQ(refused(store().end_letter(end_of(held, at(22)))), Errc::conflict);
    EXPECT_EQ(take(at(22)).size(), 1U);
}

TEST_P(StoreOutbox, ShowsDeadLettersAndRevivesThemByHand) {
    tell(a_start("101", "a"), at(20));
    tell(an_end(domain::Conclusion::success, "101", "a"), at(21));
    tell(a_start("101", "b"), at(22), {"mail"});
    must(store().end_letter(end_of(take(at(30)).at(0), at(31))));
    must(store().end_letter(end_of(take(at(32), "mail").at(0), at(33))));
    auto dead = must(store().dead_letters(9));
    ASSERT_EQ(dead.size(), 2U);
    EXPECT_EQ(dead[0].sink, "mail") << "newest first";
    EXPECT_EQ(dead[1].died_at, at(31));
    EXPECT_EQ(dead[1].created_at, at(20));
    EXPECT_EQ(dead[1].attempts, 1);
    EXPECT_EQ(dead[1].detail, "no answer");
    EXPECT_EQ(counts().dead_letters, 2U);
    EXPECT_EQ(must(store().dead_letters(1)).size(), 1U);

    const auto next = take(at(34));
    EXPECT_EQ(bodies(next), Texts{"a completed"}) << "a dead letter does not block its lane";
    EXPECT_EQ(must(store().revive_letters("hud", "alice", at(35))), 1U);
    EXPECT_TRUE(take(at(35)).empty()) << "but one that lives again goes after what is under way";
    done(next[0], at(36));
    EXPECT_EQ(bodies(take(at(36))), Texts{"a in_progress"});
    EXPECT_EQ(must(store().revive_letters("", "alice", at(37))), 1U);
    EXPECT_EQ(must(store().revive_letters("", "alice", at(38))), 0U);
    EXPECT_EQ(counts().dead_letters, 0U);
}

TEST_P(StoreOutbox, RevivesALaneInItsOrder) {
    tell(a_start("101", "a"), at(20));
    tell(an_end(domain::Conclusion::success, "101", "a"), at(21));
    for (const auto second : {30, 31}) {
        must(store().end_letter(end_of(take(at(second)).at(0), at(second))));
    }
    EXPECT_EQ(must(store().revive_letters("", "alice", at(40))), 2U);
    const auto first = take(at(40));
    EXPECT_EQ(bodies(first), Texts{"a in_progress"});
    done(first[0], at(41));
    EXPECT_EQ(bodies(take(at(41))), Texts{"a completed"});
}

} // namespace baton::test
