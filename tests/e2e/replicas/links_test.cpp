// The wires between replicas, their database and GitHub: cut, silent, deaf, slow. A webhook that
// got a 2xx is in the database and goes to everybody once; one that could not be kept is told so.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>

#include "e2e/replicas/replicas_fixture.hpp"
#include "e2e/replicas/spread_load.hpp"
#include "e2e/stage.hpp"
#include "support/fault_proxy.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using Way = FaultProxy::Way;

class ReplicaLinks : public Replicas {
protected:
    ReplicaLinks()
        : Replicas("retry: {first: 100ms, longest: 1s}") {}
};

TEST_F(ReplicaLinks, ADatabaseThatCannotBeReachedIsSaidAndNothingIsLost) {
    SpreadLoad load(stage_, house_);
    let_pass(500ms);
    house_.set_database(Way::cut);
    const auto webhook = stage_.opened_pull();
    for (std::size_t i = 0; i < kReplicas; ++i) {
        EXPECT_EQ(Stage::post(webhook, house_.port(i)), 503);
    }
    let_pass(2s);
    house_.set_database(Way::open);
    expect_back();
    const auto told = load.stop();
    expect_honest(told, {200, 202, 503});
    settle("database cut off, " + line_of(told), told.accepted);
}

TEST_F(ReplicaLinks, OneThatLostItsDatabaseAloneLeavesTheWorkToTheOthers) {
    SpreadLoad load(stage_, house_, 2);
    for (std::size_t i = 0; i < kReplicas; ++i) {
        let_pass(300ms);
        house_.to_database(i).set(Way::cut);
        const auto webhook = stage_.opened_pull();
        EXPECT_EQ(Stage::post(webhook, house_.port((i + 1) % kReplicas)), 202);
        EXPECT_LE(until_sent(webhook.id), 5s);
        house_.to_database(i).set(Way::open);
    }
    expect_back();
    const auto told = load.stop();
    expect_honest(told, {200, 202, 503});
    settle("each cut off alone, " + line_of(told), told.accepted);
}

TEST_F(ReplicaLinks, AnswersOfTheDatabaseThatNeverComeMakeNoFalseWord) {
    SpreadLoad load(stage_, house_, 3);
    for (std::size_t i = 0; i < times("BATON_CUTS", 6); ++i) {
        const auto which = chance_.draw().below(kReplicas);
        let_pass(drawn(100ms, 300ms));
        house_.to_database(which).set(Way::deaf); // commits arrive, and nobody hears of it
        let_pass(drawn(20ms, 220ms));
        house_.to_database(which).reset();
        house_.to_database(which).set(Way::open);
    }
    expect_back();
    const auto told = load.stop();
    expect_honest(told, {200, 202, 503});
    settle("answers lost, " + line_of(told), told.accepted);
}

TEST_F(ReplicaLinks, ADatabaseThatFallsSilentHoldsUpTheOthersForSecondsOnly) {
    SpreadLoad load(stage_, house_, 2);
    let_pass(300ms);
    house_.to_database(0).set(Way::held);
    const auto webhook = stage_.opened_pull();
    EXPECT_TRUE(eventually([&] { return Stage::post(webhook, house_.port(1)) / 100 == 2; }, 10s));
    const auto took = until_sent(webhook.id);
    EXPECT_LE(took, 10s);
    let_pass(std::chrono::seconds(times("BATON_SILENT_SECONDS", 3)));
    house_.to_database(0).set(Way::open);
    expect_back();
    const auto told = load.stop();
    expect_honest(told, {0, 200, 202, 503});
    settle(
        fmt::format("one wire silent, sent after {} ms, {}", took.count(), line_of(told)),
        told.accepted
    );
}

TEST_F(ReplicaLinks, ADatabaseThatSaysNothingIsSaidBeforeGithubHangsUp) {
    house_.set_database(Way::held);
    for (int round = 0; round < 2; ++round) { // before the silence is known, and after
        for (std::size_t i = 0; i < kReplicas; ++i) {
            EXPECT_EQ(Stage::post(stage_.opened_pull(), house_.port(i)), 503) << house_.log(i);
        }
    }
    for (std::size_t i = 0; i < kReplicas; ++i) {
        const auto port = house_.port(i);
        EXPECT_TRUE(eventually([&] { return Stage::get("/readyz", port, nullptr) == 503; }, 20s));
    }
    house_.set_database(Way::open);
    expect_back();
    settle("database silent", {});
}

TEST_F(ReplicaLinks, AWayToGithubThatIsGoneOrSilentDelaysAndLosesNothing) {
    SpreadLoad load(stage_, house_);
    for (const auto way : {Way::cut, Way::deaf, Way::slow}) {
        let_pass(300ms);
        house_.set_github(way);
        let_pass(1s);
        house_.set_github(Way::open);
    }
    const auto told = load.stop();
    expect_honest(told, {200, 202, 503});
    EXPECT_EQ(told.answers.count(503), 0U) << "a webhook needs no GitHub";
    settle("no way to GitHub, " + line_of(told), told.accepted);
}

} // namespace
} // namespace baton::test
