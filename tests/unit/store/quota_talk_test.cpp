#include "baton/base/time.hpp"
#include "baton/domain/quota.hpp"
#include "baton/store/postgres/quota_talk.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace baton::store::postgres {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kReset = from_ms(1'800'000'000'000);

domain::QuotaView view(std::string account) {
    return {
        .account = std::move(account),
        .limit = 5000,
        .remaining = 17,
        .reset_at = kReset,
        .held_until = std::nullopt,
        .in_flight = 3,
    };
}

TEST(QuotaTalk, IsHeardAsItWasTold) {
    QuotaTalk here;
    QuotaTalk there;
    auto app = view("");
    app.limit.reset();
    app.held_until = kReset + 1s;
    here.tell({app, view("org")});
    for (const auto& note : here.take()) {
        there.receive(7, note);
    }
    const auto heard = there.heard();
    EXPECT_EQ(heard.replicas, 1U);
    ASSERT_EQ(heard.quotas.size(), 2U);
    EXPECT_EQ(heard.quotas[0].account, "");
    EXPECT_FALSE(heard.quotas[0].limit);
    EXPECT_EQ(heard.quotas[0].held_until, kReset + 1s);
    EXPECT_EQ(heard.quotas[1].account, "org");
    EXPECT_EQ(heard.quotas[1].limit, 5000);
    EXPECT_EQ(heard.quotas[1].remaining, 17);
    EXPECT_EQ(heard.quotas[1].reset_at, kReset);
    EXPECT_EQ(heard.quotas[1].in_flight, 3U);
    EXPECT_TRUE(here.take().empty()) << "each note is sent once";
}

TEST(QuotaTalk, ManyAccountsAreSeveralNotesThatPostgresTakes) {
    QuotaTalk here;
    QuotaTalk there;
    std::vector<domain::QuotaView> many;
    for (int i = 0; i < 1000; ++i) {
        many.push_back(view(fmt::format("account-{}", i)));
    }
    here.tell(many);
    const auto notes = here.take();
    EXPECT_GT(notes.size(), 1U);
    for (const auto& note : notes) {
        EXPECT_LE(note.size(), QuotaTalk::kNoteBytesMax);
        there.receive(1, note);
    }
    EXPECT_EQ(there.heard().quotas.size(), 1000U);
}

TEST(QuotaTalk, WhoHasNothingToSayStillShares) {
    QuotaTalk here;
    QuotaTalk there;
    here.tell({});
    for (const auto& note : here.take()) {
        there.receive(1, note);
    }
    EXPECT_EQ(there.heard().replicas, 1U);
}

TEST(QuotaTalk, WhoFellSilentCountsNoMore) {
    QuotaTalk talk;
    talk.receive(1, "- - - - 1 org\n", QuotaTalk::Clock::now() - QuotaTalk::kFresh - 1s);
    talk.receive(2, "- - - - 2 org\n");
    const auto heard = talk.heard();
    EXPECT_EQ(heard.replicas, 1U);
    ASSERT_EQ(heard.quotas.size(), 1U);
    EXPECT_EQ(heard.quotas[0].in_flight, 2U);
}

TEST(QuotaTalk, LinesThatNobodyCanReadAreLeftOut) {
    QuotaTalk talk;
    for (const auto* note :
         {"", "\n\n", "1 2 3", "x - - - 1 org", "1 2 3 4 5", "99999999999999999999 - - - 1 org"}) {
        talk.receive(1, note);
    }
    EXPECT_TRUE(talk.heard().quotas.empty());
    talk.receive(1, "nonsense\n- - - - -4 org");
    ASSERT_EQ(talk.heard().quotas.size(), 1U);
    EXPECT_EQ(talk.heard().quotas[0].in_flight, 0U);
}

TEST(QuotaTalk, NamesThatNoAccountHasAreLeftOut) {
    QuotaTalk talk;
    talk.receive(1, "- - - - 1 a b\n- - - - 1 \x1b[2J\n- - - - 1 a/b\n- - - - 1  org\n");
    talk.receive(1, "- - - - 1 " + std::string(101, 'a'));
    EXPECT_TRUE(talk.heard().quotas.empty());
}

TEST(QuotaTalk, WhatOneReplicaNamesIsBounded) {
    QuotaTalk talk;
    for (std::size_t i = 0; i < QuotaTalk::kAccountsMax + 10; ++i) {
        talk.receive(1, fmt::format("- - - - 1 account-{}", i));
    }
    talk.receive(1, "- - - - 9 account-0");
    const auto heard = talk.heard();
    ASSERT_EQ(heard.quotas.size(), QuotaTalk::kAccountsMax);
    EXPECT_EQ(heard.quotas[0].in_flight, 9U) << "who is known is heard further";
}

} // namespace
} // namespace baton::store::postgres
