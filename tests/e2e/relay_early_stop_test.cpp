// SIGTERM while a real `baton serve` has not begun to serve: its database takes connections and
// says nothing, or says hello and nothing more.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <string>

#include "e2e/stage.hpp"
#include "support/played_postgres.hpp"
#include "support/process.hpp"
#include "support/raw_socket.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

class EarlyStop : public testing::TestWithParam<int> {
protected:
    EarlyStop() {
        auto text = slurp(stage_.config_file());
        const auto at = text.find("store: ");
        text.replace(
            at,
            text.find('\n', at) - at,
            fmt::format(
                "store: "
                "\"postgresql://baton@127.0.0.1:{}/baton?sslmode=disable&gssencmode=disable\"",
                database_.port()
            )
        );
        stage_.folder().write("baton.yml", text);
    }

    Process::Plan plan() const {
        return {
            .command = {baton_binary(), "serve", "--config", stage_.config_file()},
            .environment = {},
            .stderr_file = stage_.folder().file("stderr"),
        };
    }

    /// Well, and long before anything that it waits for would have given up.
    void expect_gone_after_signal(Process& relay) const {
        relay.send_signal(GetParam());
        const auto ended = relay.wait(3s);
        ASSERT_TRUE(ended) << "it is still there: " << stage_.log();
        EXPECT_EQ(ended->exit_code, 0) << "signal " << ended->signal << "\n" << stage_.log();
        EXPECT_THAT(stage_.log(), HasSubstr("asked to stop before it served; nothing was taken"));
    }

    Stage stage_{{.allowlist = "L1: [one/a]\n"}};
    RawListener database_;
};

TEST_P(EarlyStop, IsObeyedWhileADatabaseTakesTheConnectionAndSaysNothing) {
    Process relay(plan());
    const auto silent = database_.accept();
    expect_gone_after_signal(relay);
}

TEST_P(EarlyStop, IsObeyedWhileADatabaseSaysHelloAndNothingMore) {
    Process relay(plan());
    auto client = database_.accept();
    say_hello(client, "15.4");
    ASSERT_FALSE(client.receive().empty()) << "what the store holds, above all its schema";
    expect_gone_after_signal(relay);
}

INSTANTIATE_TEST_SUITE_P(
    Signals,
    EarlyStop,
    testing::Values(SIGTERM, SIGINT),
    [](const auto& info) { return info.param == SIGTERM ? "SIGTERM" : "SIGINT"; }
);

} // namespace
} // namespace baton::test
