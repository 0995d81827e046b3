#include "baton/app/demo_account.hpp"
#include "baton/app/demo_people.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/dispatch_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::app::demo {
namespace {

using domain::DispatchState;
using domain::Outcome;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const RepoName kOne = *RepoName::parse("one/plain");
const RepoName kTwo = *RepoName::parse("two/on-label");
const DeliveryId kDelivery("d-1");

/// One webhook, accepted, sent to `one/plain`; each test changes what it is about.
struct Play {
    Play() {
        downstreams.push_back({.repo = kOne});
        downstreams.push_back({.repo = kTwo, .trigger = domain::Trigger::label});
        history.delivery = {.sequence = 1, .id = kDelivery, .state = ports::DeliveryState::planned};
        history.ledger.push_back(
            {.kind = "planned", .detail = R"([{"downstream":"two/on-label","dispatch":false}])"}
        );
        add_row(kOne, DispatchState::sent, {Outcome::accepted});
    }

    ports::DispatchHistory& add_row(
        const RepoName& to, DispatchState state, const std::vector<std::optional<Outcome>>& ends
    ) {
        ports::DispatchHistory row;
        row.dispatch.key = {.delivery = kDelivery, .downstream = to};
        row.dispatch.state = state;
        if (state == DispatchState::sent) {
            row.dispatch.sent_at = from_ms(1);
        }
        for (const auto& outcome : ends) {
            row.attempts.push_back({.outcome = outcome});
        }
        history.dispatches.push_back(std::move(row));
        return history.dispatches.back();
    }

    void receive(const RepoName& repo, int times = 1) {
        for (int i = 0; i < times; ++i) {
            received.add({.repo = repo, .delivery_id = kDelivery.text()});
        }
    }

    Account account(bool in_store = true) {
        Auditor auditor({
            .made = made,
            .delivered = delivered,
            .received = received,
            .downstreams = downstreams,
        });
        if (in_store) {
            auditor.look_at(history);
        }
        return auditor.finish();
    }

    std::vector<Made> made{{.delivery = kDelivery}};
    std::map<DeliveryId, Delivered> delivered{
        {kDelivery, {.attempts = 1, .accepted = true, .taken = 1}}
    };
    sim::DispatchLog received{10};
    std::vector<domain::Downstream> downstreams;
    ports::DeliveryHistory history;
};

TEST(DemoAccount, IsContentWhenWhatWasSentArrivedOnce) {
    Play play;
    play.receive(kOne);
    const auto account = play.account();
    EXPECT_THAT(account.wrong, IsEmpty());
    EXPECT_EQ(account.accepted, 1U);
    EXPECT_EQ(account.received, 1U);
    EXPECT_THAT(
        to_text(account, {.seed = 7}),
        HasSubstr("nothing lost: all 1 accepted have their rows, all 1 sent were received")
    );
}

TEST(DemoAccount, FindsADeliveryThatWasAcceptedAndIsGone) {
    Play play;
    const auto account = play.account(false);
    EXPECT_THAT(account.wrong, ElementsAre("delivery d-1 was accepted and is not in the store"));
    EXPECT_THAT(to_text(account, {}), EndsWith("wrong: 1 finding, above\n"));
}

TEST(DemoAccount, FindsADownstreamWithoutItsRow) {
    Play play;
    play.history.dispatches.clear();
    EXPECT_THAT(play.account().wrong, ElementsAre("delivery d-1 has no row for one/plain"));
}

TEST(DemoAccount, FindsADownstreamThatWasLeftOutWithoutAReason) {
    Play play;
    play.receive(kOne);
    play.history.ledger.clear();
    EXPECT_THAT(
        play.account().wrong,
        ElementsAre("delivery d-1 has neither a row nor a reason for two/on-label")
    );
}

TEST(DemoAccount, FindsADispatchThatIsCalledSentAndNeverArrived) {
    Play play;
    EXPECT_THAT(
        play.account().wrong,
        ElementsAre("delivery d-1 to one/plain is called sent 1 times and was received 0 times")
    );
}

TEST(DemoAccount, FindsARepeatThatNoUnknownOutcomeExplains) {
    Play play;
    play.receive(kOne, 2);
    EXPECT_THAT(play.account().wrong, ElementsAre(HasSubstr("was received 2 times")));
}

TEST(DemoAccount, FindsWhatArrivedWithoutARow) {
    Play play;
    play.receive(kOne);
    play.receive(kTwo);
    EXPECT_THAT(play.account().wrong, ElementsAre("1 dispatches were received without a row"));
}

TEST(DemoAccount, AllowsARepeatAfterAnUnknownOutcome) {
    Play play;
    play.history.dispatches.clear();
    play.add_row(kOne, DispatchState::sent, {Outcome::unknown, std::nullopt, Outcome::accepted});
    play.receive(kOne, 3);
    const auto account = play.account();
    EXPECT_THAT(account.wrong, IsEmpty());
    EXPECT_EQ(account.repeats, 2U);
    EXPECT_EQ(account.unknown_outcomes, 2U);
}

TEST(DemoAccount, SaysWhyADispatchStillWaits) {
    struct Case {
        const char* name;
        std::vector<std::optional<Outcome>> ends;
        std::optional<int> max_concurrent;
        const char* why;
    };

    const Case cases[] = {
        {"a limit of its own", {}, 2, "one/plain: max_concurrent 2"},
        {"not begun", {}, std::nullopt, "one/plain: its turn had not come"},
        {"GitHub's limit", {Outcome::throttled}, std::nullopt, "one/plain: GitHub's rate limit"},
        {"dead", {Outcome::unknown, Outcome::unknown}, 2, "one/plain: no answer, tried 2 times"},
        {"cut short", {std::nullopt}, 2, "one/plain: stopped in the middle of an attempt"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        Play play;
        play.downstreams.front().max_concurrent = c.max_concurrent;
        play.history.dispatches.clear();
        play.add_row(kOne, DispatchState::pending, c.ends);
        const auto account = play.account();
        EXPECT_THAT(account.wrong, IsEmpty());
        EXPECT_THAT(account.waiting, ElementsAre(Counted{c.why, 1}));
    }
}

TEST(DemoAccount, DemandsNoRowOfAWebhookThatIsOnDiskAndNotPlannedYet) {
    Play play;
    play.history.dispatches.clear();
    play.history.ledger.clear();
    play.history.delivery.state = ports::DeliveryState::to_plan;
    const auto account = play.account();
    EXPECT_THAT(account.wrong, IsEmpty());
    EXPECT_EQ(account.to_plan, 1U);
}

TEST(DemoAccount, CountsWebhooksThatCameTwiceOrNeverOrDidNotConcernUs) {
    Play play;
    play.receive(kOne);
    play.made.push_back({.delivery = DeliveryId("d-2"), .expected = Expected::ignored});
    play.made.push_back({.delivery = DeliveryId("d-3")});
    play.delivered[kDelivery] = {.attempts = 2, .accepted = true, .taken = 2};
    play.delivered[DeliveryId("d-2")] = {.attempts = 1, .taken = 1};
    const auto account = play.account();
    EXPECT_THAT(account.wrong, IsEmpty());
    EXPECT_EQ(account.made, 3U);
    EXPECT_EQ(account.sent_twice, 1U);
    EXPECT_EQ(account.duplicates, 1U);
    EXPECT_EQ(account.ignored, 1U);
    EXPECT_EQ(account.not_taken, 1U);
}

} // namespace
} // namespace baton::app::demo
