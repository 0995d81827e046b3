// The wire itself: each damage is what it is called, or the stories told with it prove nothing.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>

#include "e2e/stage.hpp"
#include "support/fault_proxy.hpp"
#include "support/raw_socket.hpp"
#include "support/scripted_server.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using Way = FaultProxy::Way;

constexpr const char* kAsk = "GET /it HTTP/1.1\r\nHost: wire\r\n\r\n";

class Wire : public testing::Test {
protected:
    RawSocket connected() { return RawSocket::connected_to(wire_.port()); }

    /// Whether somebody who asks now is answered, and when.
    std::chrono::milliseconds asks(RawSocket& socket) {
        const auto begin = std::chrono::steady_clock::now();
        EXPECT_TRUE(socket.send(kAsk));
        EXPECT_EQ(socket.receive_message().status(), 200);
        return std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now() - begin
        );
    }

    ScriptedServer server_{{says(200, "here")}};
    FaultProxy wire_{{.socket = {}, .port = port_of(server_.url())}};

private:
    static std::uint16_t port_of(const std::string& url) {
        return static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1)));
    }
};

TEST_F(Wire, PassesWhatIsSaidWhenItIsOpen) {
    auto socket = connected();
    asks(socket);
    asks(socket);
    EXPECT_EQ(server_.asked().size(), 2U);
}

TEST_F(Wire, EndsEveryConnectionAndEveryNewOneWhenItIsCut) {
    auto before = connected();
    asks(before);
    wire_.set(Way::cut);
    EXPECT_TRUE(before.is_reset());
    auto during = connected();
    EXPECT_TRUE(during.is_reset());
    wire_.set(Way::open);
    auto after = connected();
    asks(after);
}

TEST_F(Wire, EndsConnectionsOnceWhenItIsReset) {
    auto before = connected();
    asks(before);
    wire_.reset();
    EXPECT_TRUE(before.is_reset());
    auto after = connected();
    asks(after);
}

TEST_F(Wire, LetsNothingThroughWhenItIsHeldAndAllOfItAfterwards) {
    auto socket = connected();
    asks(socket);
    wire_.set(Way::held);
    EXPECT_TRUE(socket.send(kAsk));
    EXPECT_FALSE(socket.hears_within(200ms));
    EXPECT_EQ(server_.asked().size(), 1U);
    wire_.set(Way::open);
    EXPECT_EQ(socket.receive_message().status(), 200);
}

TEST_F(Wire, LetsQuestionsButNoAnswersThroughWhenItIsDeaf) {
    auto socket = connected();
    asks(socket);
    wire_.set(Way::deaf);
    EXPECT_TRUE(socket.send(kAsk));
    EXPECT_TRUE(eventually([&] { return server_.asked().size() == 2; }, 10s));
    EXPECT_FALSE(socket.hears_within(200ms));
}

TEST_F(Wire, IsLateBothWaysWhenItIsSlow) {
    auto socket = connected();
    asks(socket);
    wire_.set(Way::slow);
    EXPECT_GE(asks(socket), 2 * FaultProxy::kLate);
}

} // namespace
} // namespace baton::test
