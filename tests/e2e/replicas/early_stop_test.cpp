// SIGTERM, or a failure, between the opening of the store and the first webhook, while the database
// has fallen silent.

#include "baton/store/postgres/engine.hpp"
#include "baton/store/sql/connection.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <memory>
#include <string>

#include "e2e/stage.hpp"
#include "support/fault_proxy.hpp"
#include "support/postgres_place.hpp"
#include "support/process.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr auto kEnd = 10s + 1s; // what SIGTERM promises, and a moment for who looks

constexpr store::sql::Query kWaiting{
    "waiting", "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
};
constexpr store::sql::Query kSessions{
    "sessions", "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
};

class StopAtStart : public testing::Test {
protected:
    StopAtStart() {
        auto text = slurp(stage_.config_file());
        const auto url = stage_.store_place();
        text.replace(text.find(url), url.size(), stage_.database()->url_at(wire_.port()));
        stage_.folder().write("baton.yml", text);
    }

    void start() {
        relay_ = std::make_unique<Process>(Process::Plan{
            .command = {baton_binary(), "serve", "--config", stage_.config_file()},
            .environment = {},
            .stderr_file = stage_.folder().file("stderr"),
        });
    }

    std::int64_t number_of(const store::sql::Query& query) {
        auto rows = watching_->rows(query);
        return rows.next() ? rows.integer(0) : -1;
    }

    Stage stage_{{.allowlist = "L1: [one/a]\n"}};
    FaultProxy wire_{{.socket = PostgresPlace::socket()}};
    Result<store::sql::Connection> watching_{store::postgres::connect(stage_.store_place())};
    std::unique_ptr<Process> relay_;
};

TEST_F(StopAtStart, IsObeyedInTimeWhenTheDatabaseFallsSilentDuringTheFirstWrite) {
    auto other = store::postgres::connect(stage_.store_place());
    ASSERT_TRUE(other) << other.error().detail;
    other->begin(store::sql::Scope::write); // the writers' turn is somebody else's
    start();
    ASSERT_TRUE(eventually([&] { return number_of(kWaiting) == 1; }, 10s)) << stage_.log();
    wire_.set(FaultProxy::Way::held);
    relay_->send_signal(SIGTERM);
    const auto ended = relay_->wait(kEnd);
    ASSERT_TRUE(ended) << "it is still there: " << stage_.log();
    EXPECT_EQ(ended->exit_code, 0) << stage_.log();
}

TEST_F(StopAtStart, IsNotNeededByOneThatCannotStartForItsDatabaseFellSilent) {
    wire_.set(FaultProxy::Way::slow); // so that its last session is met while it is made
    start();
    constexpr std::int64_t kAll = 7;
    ASSERT_TRUE(eventually([&] { return number_of(kSessions) == 1 + kAll; }, 20s)) << stage_.log();
    wire_.set(FaultProxy::Way::held);
    const auto ended = relay_->wait(5s + kEnd); // until it gives up, and then as after SIGTERM
    ASSERT_TRUE(ended) << "it is still there: " << stage_.log();
    EXPECT_EQ(ended->exit_code, 2) << stage_.log();
    EXPECT_THAT(stage_.log(), HasSubstr("this replica cannot show the others that it lives"));
}

} // namespace
} // namespace baton::test
