// A team is told by mail: a real relay, a real mail server on the loopback.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "e2e/cli_support.hpp"
#include "e2e/stage.hpp"
#include "support/smtp_receiver.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(RelayMail, ATeamIsToldAndAMailThatWasTakenBeforeTheRelayDiedIsKnownByItsNumber) {
    const SmtpReceiver receiver;
    Stage stage({
        .allowlist = "L4: [{acme/vendor: {device: npu, oncalls: [olga]}}]\n",
        .callbacks = true,
        .more_config = fmt::format(
            "notify: [{{name: team, mail: {{to: [team@example.org], from: baton@example.org, "
            "server: \"{}\"}}}}]\n",
            receiver.url()
        ),
    });
    ASSERT_TRUE(stage.start({"--kill-at", "store.end_letter.before"})) << stage.log();
    const auto suspended = baton(
        {"gate",
         "suspend",
         "acme/vendor",
         "--upstream",
         "up/stream",
         "--reason",
         "fire",
         "--config",
         stage.config_file()}
    );
    EXPECT_EQ(suspended.exit_code, 0) << suspended.err;
    ASSERT_TRUE(eventually([&] { return !stage.relay().runs(); }, 30s)) << stage.log();
    EXPECT_EQ(receiver.taken().size(), 1U);
    ASSERT_TRUE(stage.start()) << stage.log();
    ASSERT_TRUE(eventually([&] { return receiver.taken().size() == 2; }, 30s)) << stage.log();
    const auto mails = receiver.taken();
    EXPECT_THAT(mails[0].message, HasSubstr("Subject: [Baton] suspended: acme/vendor\r\n"));
    EXPECT_EQ(mails[0].message, mails[1].message) << "whoever has it sees that it is the same";
}

} // namespace
} // namespace baton::test
