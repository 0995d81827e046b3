// Three real relays on one PostgreSQL, under load, with everything done to them that happens to
// processes and databases. Afterwards every delivery that got a 2xx has every due dispatch at
// GitHub exactly once, except where nobody can know how an attempt ended; those are counted.
//
//     BATON_KILLS=300 tests/support/postgres_server.py build/release/bin/e2e_replicas

#include "baton/sim/github_types.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/sql/connection.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <future>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "e2e/replicas/replicas_fixture.hpp"
#include "e2e/replicas/spread_load.hpp"
#include "e2e/stage.hpp"
#include "load_client.hpp"
#include "support/raw_socket.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

/// Ends every session with the stage's database, as a restart of the server would.
void cut_all_sessions(const Stage& stage) {
    auto db = store::postgres::connect(stage.store_place());
    ASSERT_TRUE(db) << db.error().detail;
    db->script(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()",
        "cut"
    );
    EXPECT_TRUE(db->ok());
}

bench::LoadReport send_copies(const sim::Webhook& webhook, std::uint16_t port, std::size_t count) {
    return bench::run_load({
        .port = port,
        .connections = 30,
        .bodies = {bench::signed_body(port, webhook.event, Stage::kSecret, webhook.body)},
        .delivery_prefix = webhook.id.text(),
        .one_delivery = true,
        .requests = count,
    });
}

TEST_F(Replicas, AnyOfThemMayDieAtAnyTimeAndNothingIsLost) {
    const auto kills = times("BATON_KILLS", 30);
    SpreadLoad load(stage_, house_);
    for (std::size_t i = 0; i < kills; ++i) {
        let_pass(drawn(50ms, 350ms));
        const auto which = chance_.draw().below(kReplicas);
        house_.pull_the_plug(which);
        ASSERT_TRUE(house_.start(which)) << house_.log(which);
    }
    const auto accepted = load.stop().accepted;
    EXPECT_GT(accepted.size(), kills);
    settle(fmt::format("{} kills", kills), accepted);
}

TEST_F(Replicas, GoOnWithinFiveSecondsWhenTheOneThatTookADeliveryDies) {
    for (std::size_t which = 0; which < kReplicas; ++which) {
        const auto webhook = stage_.opened_pull();
        ASSERT_EQ(Stage::post(webhook, house_.port(which)), 202);
        house_.pull_the_plug(which);
        const auto took = until_sent(webhook.id);
        std::cout << fmt::format("replica {}: sent {} ms after it died\n", which, took.count());
        EXPECT_LE(took, 5s);
        ASSERT_TRUE(house_.start(which)) << house_.log(which);
    }
}

TEST_F(Replicas, SendWithinFiveSecondsWhatOneTookThatIsAskedToStop) {
    for (std::size_t which = 0; which < kReplicas; ++which) {
        const auto webhook = stage_.opened_pull();
        ASSERT_EQ(Stage::post(webhook, house_.port(which)), 202);
        house_.process(which).send_signal(SIGTERM);
        const auto took = until_sent(webhook.id);
        std::cout << fmt::format("replica {}: sent {} ms after SIGTERM\n", which, took.count());
        EXPECT_LE(took, 5s);
        const auto ended = house_.process(which).wait(11s);
        ASSERT_TRUE(ended) << house_.log(which);
        EXPECT_EQ(ended->exit_code, 0) << house_.log(which);
        ASSERT_TRUE(house_.start(which)) << house_.log(which);
    }
}

TEST_F(Replicas, GiveOneEffectToManyCopiesOfOneDelivery) {
    const auto copies = times("BATON_COPIES", 6'000) / kReplicas;
    const auto webhook = stage_.opened_pull();
    std::vector<std::future<bench::LoadReport>> senders;
    for (std::size_t which = 0; which < kReplicas; ++which) {
        senders.push_back(
            std::async(std::launch::async, send_copies, webhook, house_.port(which), copies)
        );
    }
    std::map<int, std::size_t> answers;
    for (auto& sender : senders) {
        const auto report = sender.get();
        EXPECT_EQ(report.broken, 0U);
        for (const auto& [status, count] : report.statuses) {
            answers[status] += count;
        }
    }
    const std::map<int, std::size_t> once{{200, copies * kReplicas - 1}, {202, 1}};
    EXPECT_EQ(answers, once);
    settle(fmt::format("{} copies", copies * kReplicas), {webhook.id});
    EXPECT_EQ(stage_.received_in_all(), kDownstreams);
    EXPECT_EQ(stage_.counts().deliveries, 1U);
}

TEST_F(Replicas, AreBackByThemselvesWhenTheDatabaseEndsEverySession) {
    SpreadLoad load(stage_, house_);
    const auto cuts = times("BATON_CUTS", 8);
    for (std::size_t i = 0; i < cuts; ++i) {
        let_pass(drawn(200ms, 600ms));
        cut_all_sessions(stage_);
    }
    let_pass(1s);
    const auto accepted = load.stop().accepted;
    EXPECT_GT(accepted.size(), 20U);
    settle(fmt::format("{} cuts", cuts), accepted);
}

TEST_F(Replicas, DoNotWaitForOneThatStandsStill) {
    SpreadLoad load(stage_, house_);
    let_pass(300ms);
    house_.process(0).send_signal(SIGSTOP);
    const auto webhook = stage_.opened_pull();
    EXPECT_TRUE(eventually([&] { return Stage::post(webhook, house_.port(1)) / 100 == 2; }, 10s));
    const auto took = until_sent(webhook.id);
    std::cout << fmt::format("sent {} ms after one stood still\n", took.count());
    EXPECT_LE(took, 10s);
    house_.process(0).send_signal(SIGCONT);
    settle("one stood still", load.stop().accepted);
}

TEST_F(Replicas, TellOpenPagesWhatAnotherTookIn) {
    std::vector<RawSocket> streams;
    for (std::size_t i = 0; i < kReplicas; ++i) {
        streams.push_back(RawSocket::connected_to(house_.port(i)));
        streams[i].send("GET /api/v1/stream HTTP/1.1\r\nHost: baton\r\n\r\n");
        EXPECT_THAT(streams[i].receive_until("\r\n\r\n"), testing::HasSubstr(" 200 "));
    }
    for (std::size_t i = 0; i < kReplicas; ++i) {
        const auto webhook = stage_.opened_pull();
        ASSERT_EQ(Stage::post(webhook, house_.port(i)), 202);
        const auto event = fmt::format("\"number\":{},", std::int64_t(*webhook.pr));
        for (auto& stream : streams) {
            EXPECT_THAT(stream.receive_until(event), testing::EndsWith(event));
        }
    }
}

TEST_F(Replicas, ShowWhatAnotherTookIn) {
    const auto webhook = stage_.opened_pull();
    ASSERT_EQ(Stage::post(webhook, house_.port(0)), 202);
    until_sent(webhook.id);
    std::string page;
    EXPECT_EQ(Stage::get("/api/v1/deliveries/" + webhook.id.text(), house_.port(2), &page), 200);
    EXPECT_THAT(page, testing::HasSubstr("four/a"));
}

} // namespace
} // namespace baton::test
