#include "baton/base/result.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "unit/net/server_fixture.hpp"

namespace baton::net::test {
namespace {

namespace asio = boost::asio;

std::vector<Route> gated(Gate& gate) {
    std::vector<Route> routes;
    routes.push_back(route("GET", "/hold", [&gate](Request) -> asio::awaitable<Response> {
        co_await gate.pass();
        co_return text("done");
    }));
    routes.push_back(route("POST", "/a", echo, 100));
    return routes;
}

TEST(ServerStop, LetsRequestsUnderWayEndAndClosesIdleConnectionsAtOnce) {
    Gate gate;
    ServerOptions options;
    options.threads = 1; // each thread begins to stop by itself: what one shows tells of no other
    Running running(gated(gate), options);
    auto idle = running.connect();
    idle.send(post("/a", "x"));
    EXPECT_EQ(idle.receive_message().status(), 200);
    auto held = running.connect();
    held.send(get("/hold") + get("/hold"));
    ASSERT_TRUE(gate.arrived.wait());
    auto reading = running.connect();
    reading.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
    );
    EXPECT_EQ(reading.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");

    auto stopped = std::async(std::launch::async, [&running] { running.server.stop(30s); });
    EXPECT_TRUE(idle.ends_silently());
    EXPECT_EQ(stopped.wait_for(0s), std::future_status::timeout);
    reading.send("abc");
    const auto late = reading.receive_message();
    EXPECT_EQ(late.body, "POST /a?  abc");
    EXPECT_TRUE(late.has("Connection: close\r\n"));
    gate.open();
    const auto reply = held.receive_message();
    EXPECT_EQ(reply.body, "done");
    EXPECT_TRUE(reply.has("Connection: close\r\n"));
    EXPECT_TRUE(held.ends_silently()) << "the second, pipelined request was not begun";
    held.close();
    stopped.get();
    EXPECT_THROW(running.connect(), std::runtime_error);
    EXPECT_TRUE(running.surprises().empty());
}

TEST(ServerStop, CancelsWhatDoesNotEndInTime) {
    Gate never;
    Running running(gated(never));
    auto held = running.connect();
    held.send(get("/hold"));
    ASSERT_TRUE(never.arrived.wait());
    auto half = running.connect();
    half.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
    half.receive_until("\r\n\r\n");
    running.server.stop(20ms);
    EXPECT_TRUE(held.ends_silently());
    EXPECT_TRUE(half.ends_silently());
    EXPECT_TRUE(running.surprises().empty()) << running.surprises()[0];
    running.server.stop(20ms); // idempotent
}

TEST(ServerStop, MayComeBeforeTheStart) {
    Server server({}, {});
    server.stop(1s);
}

TEST(ServerStop, FreesThePort) {
    Gate gate;
    Running first(gated(gate));
    auto socket = first.connect();
    socket.send(post("/a", "x", "Connection: close\r\n")); // leaves a connection in TIME_WAIT
    socket.receive_all();
    ServerOptions options;
    options.port = first.server.port();
    first.server.stop(1s);
    const Running second(gated(gate), options);
    EXPECT_EQ(second.ask(post("/a", "again")).body, "POST /a?  again");
}

TEST(ServerStart, SaysWhoHasThePort) {
    for (const bool shared : {false, true}) {
        SCOPED_TRACE(shared ? "even one that would share it" : "one that does not share it");
        const RawListener other(shared);
        ServerOptions options;
        options.port = other.port();
        Server server(options, {});
        const auto started = server.start();
        ASSERT_FALSE(started);
        EXPECT_EQ(started.error().code, Errc::unavailable);
        EXPECT_EQ(
            started.error().detail,
            fmt::format(
                "cannot listen on 127.0.0.1:{}: the address is in use; stop the other program or "
                "change \"listen\"",
                other.port()
            )
        );
    }
}

TEST(ServerStart, SaysWhatIsWrongWithTheAddress) {
    for (const auto* host : {"192.0.2.1", "no-such-host.invalid"}) {
        ServerOptions options;
        options.host = host;
        Server server(options, {});
        const auto started = server.start();
        ASSERT_FALSE(started);
        EXPECT_NE(started.error().detail.find("cannot listen on "), std::string::npos);
        EXPECT_NE(started.error().detail.find("address"), std::string::npos);
    }
}

TEST(ServerStart, TakesNamesAndBracketsAsHosts) {
    for (const auto* host : {"localhost", "[::1]", "::1", "0.0.0.0"}) {
        ServerOptions options;
        options.host = host;
        Server server(options, {});
        const auto started = server.start();
        EXPECT_TRUE(started) << host << ": " << started.error().detail;
        EXPECT_NE(server.port(), 0);
    }
}

TEST(ServerStart, RefusesTlsFilesThatAreOfNoUse) {
    ServerOptions options;
    options.tls = TlsFiles{.certificate_pem = "not PEM", .key_pem = ""};
    Server server(options, {});
    const auto started = server.start();
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().code, Errc::invalid);
}

} // namespace
} // namespace baton::net::test
