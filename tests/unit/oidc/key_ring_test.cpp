#include "baton/base/result.hpp"
#include "baton/oidc/key_ring.hpp"
#include "baton/ports/journal.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/manual_clock.hpp"
#include "support/memory_journal.hpp"
#include "unit/oidc/issuer_stage.hpp"

namespace baton::oidc {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::SizeIs;

const Error kAway{.code = Errc::unavailable, .detail = "connection refused"};

class KeyRingTest : public testing::Test {
protected:
    void start() {
        loop.tasks().spawn(ring.run());
        loop.settle();
    }

    /// The clock goes there in steps, as time does.
    void pass(seconds time) {
        for (auto left = time; left > seconds(0); left -= seconds(5)) {
            clock.advance(seconds(5));
            loop.settle();
        }
    }

    auto find(const std::string& id) { return loop.run(ring.find(id)); }

    test::ManualClock clock;
    test::MemoryJournal journal;
    ScriptedKeys source{{rsa_key().public_jwk("a")}};
    KeyRing ring{kIssuer, {.source = source, .clock = clock, .journal = journal}};
    Loop loop; // goes first: its tasks use the rest
};

TEST_F(KeyRingTest, HasTheKeysSoonAfterTheStart) {
    EXPECT_TRUE(ring.trouble());
    start();
    EXPECT_FALSE(ring.trouble());
    EXPECT_TRUE(find("a"));
    EXPECT_EQ(source.fetches(), 1);
}

TEST_F(KeyRingTest, LetsAnEarlyCallerWaitForTheStart) {
    const auto answer = loop.begin(ring.find("a"));
    EXPECT_FALSE(*answer);
    start();
    ASSERT_TRUE(*answer);
    EXPECT_TRUE((*answer)->has_value());
    EXPECT_EQ(source.fetches(), 1);
}

TEST_F(KeyRingTest, HoldsNoEarlyCallerAgainstAKeyThatIsUnknownLater) {
    const auto early = loop.begin(ring.find("a"));
    start();
    EXPECT_TRUE(*early);
    source.publish({rsa_key().public_jwk("a"), other_rsa_key().public_jwk("b")});
    EXPECT_TRUE(find("b")) << "the early caller waited for the first keys, and asked for no other";
}

TEST_F(KeyRingTest, RefreshesEveryFiveMinutesInTheBackground) {
    start();
    pass(minutes(5) - seconds(5));
    EXPECT_EQ(source.fetches(), 1);
    pass(seconds(5));
    EXPECT_EQ(source.fetches(), 2);
    pass(minutes(60));
    EXPECT_EQ(source.fetches(), 14);
}

TEST_F(KeyRingTest, NoticesARotationWithTheFirstTokenThatShowsIt) {
    start();
    source.publish({rsa_key().public_jwk("a"), other_rsa_key().public_jwk("b")});
    EXPECT_TRUE(find("b"));
    EXPECT_EQ(source.fetches(), 2);
    EXPECT_TRUE(find("a")) << "the old one is still published";
    source.publish({other_rsa_key().public_jwk("b")});
    pass(minutes(5));
    EXPECT_FALSE(find("a")) << "a key that is withdrawn is forgotten with the next fetch";
}

TEST_F(KeyRingTest, FetchesOnceAMinuteInAFloodOfUnknownKeys) {
    start();
    for (int i = 0; i < 1'000; ++i) {
        const auto key = find(fmt::format("made-up-{}", i));
        ASSERT_FALSE(key);
        EXPECT_EQ(key.error().code, Errc::unauthenticated);
        EXPECT_THAT(key.error().detail, HasSubstr("does not publish"));
    }
    EXPECT_EQ(source.fetches(), 2) << "the one at the start, and one";
    pass(seconds(55));
    EXPECT_EQ(find("made-up").error().code, Errc::unavailable) << "nobody looked since it came";
    EXPECT_EQ(source.fetches(), 2);
    pass(seconds(5));
    EXPECT_FALSE(find("made-up"));
    EXPECT_FALSE(find("made-up"));
    EXPECT_EQ(source.fetches(), 3);
    EXPECT_TRUE(find("a")) << "known keys are served all the while";
}

TEST_F(KeyRingTest, BlamesNoTokenForAKeyThatNobodyLookedForSinceItWasIssued) {
    start();
    EXPECT_EQ(ring.asks_again_in(), std::nullopt);
    EXPECT_EQ(find("made-up").error().code, Errc::unauthenticated) << "it was looked for";
    const auto looked = clock.now();
    pass(seconds(20));
    const auto fresh = find("b");
    ASSERT_FALSE(fresh);
    EXPECT_EQ(fresh.error().code, Errc::unavailable);
    EXPECT_THAT(fresh.error().detail, HasSubstr("asked for again in 40s"));
    EXPECT_EQ(ring.asks_again_in(), seconds(40));
    const auto old = loop.run(ring.find("b", looked - seconds(5)));
    EXPECT_EQ(old.error().code, Errc::unauthenticated) << "the keys are newer than this token";
    const auto ahead = loop.run(ring.find("b", clock.now() + minutes(9)));
    EXPECT_EQ(ahead.error().code, Errc::unavailable);
    source.publish({rsa_key().public_jwk("b")});
    pass(seconds(40));
    EXPECT_TRUE(find("b")) << "it tried again then";
}

TEST_F(KeyRingTest, AsksAgainAfterTheClockWasSetBack) {
    start();
    EXPECT_FALSE(find("b"));
    clock.advance(-std::chrono::hours(24));
    source.publish({rsa_key().public_jwk("b")});
    EXPECT_TRUE(find("b"));
}

/// Throws once, as anything may.
class SurprisingJournal final : public ports::Journal {
public:
    explicit SurprisingJournal(ports::Journal& behind)
        : behind_(behind) {}

    void note(const ports::JournalEntry& entry) override {
        if (!std::exchange(surprised_, true)) {
            throw std::runtime_error("nobody expected this");
        }
        behind_.note(entry);
    }

private:
    ports::Journal& behind_;
    bool surprised_{false};
};

TEST_F(KeyRingTest, GoesOnFetchingAfterASurprise) {
    journal.announce_trouble("nobody expected this");
    SurprisingJournal surprising(journal);
    KeyRing shaken(kIssuer, {.source = source, .clock = clock, .journal = surprising});
    source.fail_with(kAway); // which the ring wants to tell
    const auto waiting = loop.begin(shaken.find("a"));
    loop.tasks().spawn(shaken.run());
    loop.settle();
    ASSERT_TRUE(*waiting) << "nobody is left waiting";
    EXPECT_FALSE((*waiting)->has_value());
    source.publish({rsa_key().public_jwk("a")});
    pass(minutes(2));
    EXPECT_TRUE(loop.run(shaken.find("a")));
    loop.tasks().cancel();
    loop.settle();
}

TEST_F(KeyRingTest, MakesOneFetchForAllWhoWait) {
    source.hold(&clock);
    loop.tasks().spawn(ring.run());
    std::vector<std::shared_ptr<std::optional<Result<crypto::VerificationKey>>>> answers;
    for (int i = 0; i < 50; ++i) {
        answers.push_back(loop.begin(ring.find("a")));
    }
    EXPECT_FALSE(*answers.front());
    pass(seconds(5));
    for (const auto& answer : answers) {
        ASSERT_TRUE(*answer);
        EXPECT_TRUE((*answer)->has_value());
    }
    EXPECT_EQ(source.fetches(), 1);
}

TEST_F(KeyRingTest, LooksOnceMoreWhenTheFetchUnderWayWasTooEarly) {
    source.hold(&clock);
    loop.tasks().spawn(ring.run());
    loop.settle();
    const auto answer = loop.begin(ring.find("b")); // joins the first fetch
    pass(seconds(5));                               // which knows nothing of it
    EXPECT_FALSE(*answer) << "a second one is under way";
    source.publish({other_rsa_key().public_jwk("b")});
    pass(seconds(5));
    ASSERT_TRUE(*answer);
    EXPECT_TRUE((*answer)->has_value());
    EXPECT_EQ(source.fetches(), 2);
    EXPECT_EQ(source.most_at_once(), 1);
}

TEST_F(KeyRingTest, GoesOnVerifyingThroughAnOutage) {
    start();
    source.fail_with(kAway);
    pass(minutes(60));
    EXPECT_TRUE(find("a"));
    EXPECT_FALSE(ring.trouble());
    EXPECT_GT(source.fetches(), 200) << "every 15 seconds";
    const auto unknown = find("b");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, Errc::unavailable) << "it may be a new one: nobody can tell";

    source.publish({rsa_key().public_jwk("b")});
    pass(seconds(15));
    EXPECT_TRUE(find("b"));
    const auto troubles = journal.all<ports::Trouble>();
    ASSERT_THAT(troubles, SizeIs(2)) << "one when it went, one when it came back";
    EXPECT_THAT(troubles[0].detail, HasSubstr(kIssuer));
    EXPECT_THAT(troubles[0].detail, HasSubstr("go on verifying"));
    EXPECT_THAT(troubles[1].detail, HasSubstr("again"));
}

TEST_F(KeyRingTest, AnswersUnavailableWhileThereIsNoKeyAtAll) {
    source.fail_with(kAway);
    start();
    for (int i = 0; i < 100; ++i) {
        const auto key = find("a");
        ASSERT_FALSE(key);
        EXPECT_EQ(key.error().code, Errc::unavailable);
        EXPECT_THAT(key.error().detail, HasSubstr("connection refused"));
    }
    EXPECT_EQ(source.fetches(), 2);
    EXPECT_THAT(ring.trouble()->detail, HasSubstr("connection refused"));
    EXPECT_TRUE(journal.all<ports::Trouble>().at(0).healed) << "it can come back by itself";

    source.publish({rsa_key().public_jwk("a")});
    pass(seconds(15));
    EXPECT_TRUE(find("a"));
}

TEST_F(KeyRingTest, CallsAPersonWhenTheIssuersDocumentsAreWrong) {
    journal.announce_trouble("another issuer");
    source.fail_with({.code = Errc::invalid, .detail = "another issuer"});
    start();
    EXPECT_FALSE(journal.all<ports::Trouble>().at(0).healed);
}

TEST_F(KeyRingTest, TellsWhatIsOddAboutTheKeysOnce) {
    source.publish({rsa_key().public_jwk("a"), other_rsa_key().public_jwk("a")});
    start();
    pass(minutes(20));
    const auto troubles = journal.all<ports::Trouble>();
    ASSERT_THAT(troubles, SizeIs(1));
    EXPECT_THAT(troubles[0].detail, HasSubstr("stands twice"));
}

TEST_F(KeyRingTest, LeavesNobodyWaitingWhenItStops) {
    source.hold(&clock);
    loop.tasks().spawn(ring.run());
    const auto answer = loop.begin(ring.find("a"));
    EXPECT_FALSE(*answer);
    loop.tasks().cancel();
    loop.settle();
    clock.set(clock.now()); // the held fetch looks again and finds itself cancelled
    loop.settle();
    ASSERT_TRUE(*answer);
    EXPECT_FALSE((*answer)->has_value());
    EXPECT_EQ((**answer).error().code, Errc::unavailable);
}

TEST_F(KeyRingTest, HoldsNobodyUpWhileTheProcessStops) {
    start();
    source.hold(&clock);
    const auto answer = loop.begin(ring.find("b"));
    EXPECT_FALSE(*answer) << "a fetch is under way";
    ring.let_go();
    loop.settle();
    ASSERT_TRUE(*answer) << "it is not waited for";
    ASSERT_FALSE((*answer)->has_value());
    EXPECT_EQ((**answer).error().code, Errc::unavailable);
    EXPECT_FALSE(find("b")) << "nobody waits any more";
    EXPECT_TRUE(find("a")) << "known keys go on verifying";
}

} // namespace
} // namespace baton::oidc
