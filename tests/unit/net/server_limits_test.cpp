#include "baton/base/limits.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/awaitable.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "unit/net/server_fixture.hpp"

namespace baton::net::test {
namespace {

namespace asio = boost::asio;
using namespace std::string_literals;

std::vector<Route> echo_routes(std::size_t body_max) {
    std::vector<Route> routes;
    routes.push_back(route("POST", "/a", echo, body_max));
    routes.push_back(route("GET", "/a", echo));
    return routes;
}

TEST(ServerLimits, RefusesRequestsThatTwoReadersCouldCutDifferently) {
    struct Case {
        const char* name;
        std::string request;
    };

    const std::string head = "POST /a HTTP/1.1\r\nHost: x\r\n";
    const std::string chunks = "\r\n0\r\n\r\n";
    const Case cases[] = {
        {"two equal lengths", head + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx"},
        {"two lengths", head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nx"},
        {"a list of lengths", head + "Content-Length: 1, 1\r\n\r\nx"},
        {"a signed length", head + "Content-Length: +1\r\n\r\nx"},
        {"a hexadecimal length", head + "Content-Length: 0x1\r\n\r\nx"},
        {"an empty length", head + "Content-Length:\r\n\r\nx"},
        {"a length beyond counting", head + "Content-Length: 99999999999999999999999\r\n\r\nx"},
        {"length and chunks", head + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n" + chunks
        },
        {"chunks and length", head + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n" + chunks
        },
        {"chunked twice",
         head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n" + chunks},
        {"chunked twice in one line", head + "Transfer-Encoding: chunked, chunked\r\n" + chunks},
        {"another coding", head + "Transfer-Encoding: gzip, chunked\r\n" + chunks},
        {"chunked not last", head + "Transfer-Encoding: chunked, gzip\r\n" + chunks},
        {"almost chunked", head + "Transfer-Encoding: xchunked\r\n" + chunks},
        {"quoted chunked", head + "Transfer-Encoding: \"chunked\"\r\n" + chunks},
        {"identity", head + "Transfer-Encoding: identity\r\nContent-Length: 1\r\n\r\nx"},
        {"chunks in HTTP/1.0", "POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n" + chunks},
        {"a blank before the colon", head + "Content-Length : 1\r\n\r\nx"},
        {"a line without CR", "POST /a HTTP/1.1\nHost: x\n\n"},
        {"a header line without CR", "POST /a HTTP/1.1\r\nHost: x\nContent-Length: 1\r\n\r\nx"},
        {"a chunk size that is none",
         head + "Transfer-Encoding: chunked\r\n\r\nzz\r\nx\r\n0\r\n\r\n"},
        {"a signed chunk size", head + "Transfer-Encoding: chunked\r\n\r\n+1\r\nx\r\n0\r\n\r\n"},
        {"a chunk longer than it says",
         head + "Transfer-Encoding: chunked\r\n\r\n1\r\nxx\r\n0\r\n\r\n"},
        {"no host", "POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n"},
        {"two hosts", head + "Host: y\r\n\r\n"},
    };
    const Running running(echo_routes(100));
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        auto socket = running.connect();
        socket.send(c.request + get("/a"));
        const auto reply = socket.receive_message();
        EXPECT_EQ(reply.status(), 400);
        EXPECT_TRUE(reply.has("Connection: close\r\n"));
        EXPECT_EQ(socket.receive_all(), "") << "nothing behind it may count as a request";
    }
}

TEST(ServerLimits, RefusesWhatIsNotHttp) {
    const Running running(echo_routes(100));
    const std::string garbage[] = {
        "hello\r\n\r\n",
        "GET /a\r\n\r\n",
        "GET /a HTTP/2.0\r\nHost: x\r\n\r\n",
        "GET a HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n"s,
        "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
        "\x16\x03\x01\x02\x01\x01\xfc\x03\x03",
    };
    for (const auto& bytes : garbage) {
        const auto reply = running.ask(bytes);
        EXPECT_EQ(reply.status(), 400) << bytes;
        EXPECT_EQ(reply.body, R"({"detail":"Malformed request"})");
    }
}

TEST(ServerLimits, BoundsTheHeaderHoweverItIsSent) {
    const Running running(echo_routes(100));
    const auto filler = [](std::size_t bytes) {
        return "X-Filler: " + std::string(bytes, 'x') + "\r\n";
    };
    EXPECT_EQ(running.ask(get("/a", filler(limits::kHeaderBytesMax - 100))).status(), 200);
    EXPECT_EQ(running.ask(get("/a", filler(limits::kHeaderBytesMax))).status(), 431);
    EXPECT_EQ(running.ask("GET /" + std::string(limits::kHeaderBytesMax, 'a')).status(), 431);

    auto socket = running.connect(); // each line for itself is harmless
    socket.send("GET /a HTTP/1.1\r\nHost: x\r\n");
    const auto line = filler(1000);
    std::size_t sent = 0;
    while (sent < 2 * limits::kHeaderBytesMax && socket.send(line)) {
        sent += line.size();
    }
    EXPECT_EQ(socket.receive_message().status(), 431);
}

TEST(ServerLimits, RefusesLongBodiesBeforeReadingThem) {
    const Running running(echo_routes(100));
    EXPECT_EQ(running.ask(post("/a", std::string(100, 'x'))).status(), 200);
    auto socket = running.connect();
    socket.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 101\r\n\r\n");
    const auto reply = socket.receive_message();
    EXPECT_EQ(reply.status(), 413);
    EXPECT_EQ(reply.body, R"({"detail":"Body too large"})");
    EXPECT_EQ(running.ask("GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n").status(), 413);
}

TEST(ServerLimits, RefusesLongChunkedBodiesWhileReadingThem) {
    const Running running(echo_routes(100));
    const std::string head = "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    EXPECT_EQ(running.ask(head + "ffffffffff\r\n").status(), 413) << "announced";
    std::string many;
    for (int i = 0; i < 101; ++i) {
        many += "1\r\nx\r\n";
    }
    EXPECT_EQ(running.ask(head + many).status(), 413) << "sent in crumbs";
    EXPECT_EQ(running.ask(head + "1;" + std::string(40'000, 'e')).status(), 400)
        << "no end of line";
}

TEST(ServerLimits, LetsAClientThatIsStillSendingReadWhyItWasRefused) {
    const Running running(echo_routes(1000));
    auto socket = running.connect();
    EXPECT_TRUE(socket.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 30000000\r\n\r\n"));
    const std::string piece(1'000'000, 'x');
    for (int i = 0; i < 30; ++i) {
        ASSERT_TRUE(socket.send(piece)) << "reset after " << i << " pieces";
    }
    EXPECT_EQ(socket.receive_message().status(), 413);
    EXPECT_TRUE(socket.ends_silently());
}

TEST(ServerLimits, DoesNotReadForEverWhatItRefused) {
    const Running running(echo_routes(1000));
    auto socket = running.connect();
    socket.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 99000000000\r\n\r\n");
    const std::string piece(1'000'000, 'x');
    std::size_t sent = 0;
    while (sent < 20 * limits::kDiscardBytesMax && socket.send(piece)) {
        sent += piece.size();
    }
    EXPECT_LT(sent, 20 * limits::kDiscardBytesMax);
}

TEST(ServerLimits, ClosesSlowClients) {
    struct Case {
        const char* name;
        std::function<void(ServerOptions&)> shorten;
        std::string bytes;
    };

    const Case cases[] = {
        {"who say nothing at all", [](ServerOptions& o) { o.header_wait = 30ms; }, ""},
        {"who stop in the header",
         [](ServerOptions& o) { o.header_wait = 30ms; },
         "GET /a HTTP/1.1\r\n"},
        {"who stop in the body",
         [](ServerOptions& o) { o.body_wait = 30ms; },
         "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc"},
        {"who stop in a chunk",
         [](ServerOptions& o) { o.body_wait = 30ms; },
         "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        ServerOptions options;
        c.shorten(options);
        const Running running(echo_routes(100), options);
        auto socket = running.connect();
        socket.send(c.bytes);
        EXPECT_TRUE(socket.ends_silently());
    }
}

TEST(ServerLimits, ClosesIdleConnectionsAfterTheirTime) {
    ServerOptions options;
    options.idle_wait = 30ms;
    const Running running(echo_routes(100), options);
    auto socket = running.connect();
    socket.send(get("/a"));
    EXPECT_EQ(socket.receive_message().status(), 200);
    EXPECT_TRUE(socket.ends_silently());
}

TEST(ServerLimits, ClosesClientsThatDoNotReadTheirAnswer) {
    constexpr std::size_t kMuch = 64'000'000;
    ServerOptions options;
    options.write_wait = 30ms;
    options.connections_max = 1; // so another client gets in only when the first is out
    std::vector<Route> routes;
    routes.push_back(route("GET", "/big", [](Request) -> asio::awaitable<Response> {
        co_return text(std::string(kMuch, 'x'));
    }));
    routes.push_back(route("GET", "/a", echo));
    const Running running(std::move(routes), options);
    auto lazy = running.connect();
    lazy.send(get("/big"));
    EXPECT_TRUE(lazy.receive_until("\r\n\r\n").starts_with("HTTP/1.1 200"));
    while (running.ask(get("/a")).status() != 200) {
    }
    EXPECT_LT(lazy.receive_all().size(), kMuch);
}

TEST(ServerLimits, CountsOnlyBytesThatReallyCame) {
    Signal read;

    struct Tap final : BodyTap {
        explicit Tap(Signal& signal)
            : read(signal) {}

        void chunk(std::span<const char> /*bytes*/) override { read.raise(); }

        Signal& read;
    };

    auto routes = echo_routes(1000);
    routes[0].tap = [&read](const RequestHead& /*head*/) { return std::make_unique<Tap>(read); };
    ServerOptions options;
    options.unverified_bytes_max = 1000;
    const Running running(std::move(routes), options);
    const auto start = [](std::size_t length) {
        return fmt::format("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n", length);
    };

    auto liar = running.connect();
    liar.send(start(1000) + "x");
    ASSERT_TRUE(read.wait());
    EXPECT_EQ(running.ask(post("/a", std::string(999, 'y'))).status(), 200);
    ASSERT_TRUE(read.wait());

    liar.send(std::string(899, 'x')); // 900 now, in one piece or more
    while (running.ask(post("/a", std::string(101, 'z'))).status() == 200) {
    }
    const auto refused = running.ask(post("/a", std::string(101, 'z')));
    EXPECT_EQ(refused.status(), 503);
    EXPECT_TRUE(refused.has("Retry-After: 5\r\n"));
    EXPECT_EQ(running.ask(post("/a", std::string(100, 'z'))).status(), 200);

    liar.send(std::string(100, 'x'));
    EXPECT_EQ(liar.receive_message().status(), 200);
    EXPECT_EQ(running.ask(post("/a", std::string(1000, 'z'))).status(), 200) << "given back";
}

TEST(ServerLimits, GivesTheShareBackWhenTheHandlerTrustsTheBody) {
    Gate gate;
    std::vector<Route> routes;
    const auto held = [&gate](Request request) -> asio::awaitable<Response> {
        if (request.head.query == "trusted") {
            request.share.release();
        }
        co_await gate.pass();
        co_return text("done");
    };
    routes.push_back(route("POST", "/hold", held, 1000));
    routes.push_back(route("POST", "/a", echo, 1000));
    ServerOptions options;
    options.unverified_bytes_max = 1000;
    const Running running(std::move(routes), options);

    auto trusted = running.connect();
    trusted.send(post("/hold?trusted", std::string(1000, 'x')));
    ASSERT_TRUE(gate.arrived.wait());
    EXPECT_EQ(running.ask(post("/a", std::string(1000, 'y'))).status(), 200);

    auto doubtful = running.connect();
    doubtful.send(post("/hold", std::string(1000, 'x')));
    ASSERT_TRUE(gate.arrived.wait());
    EXPECT_EQ(running.ask(post("/a", "y")).status(), 503);
    gate.open();
    EXPECT_EQ(trusted.receive_message().body, "done");
    EXPECT_EQ(doubtful.receive_message().body, "done");
    EXPECT_EQ(running.ask(post("/a", std::string(1000, 'y'))).status(), 200);
}

TEST(ServerLimits, TakesOnlySoManyConnections) {
    ServerOptions options;
    options.connections_max = 2;
    const Running running(echo_routes(100), options);
    auto first = running.connect();
    auto second = running.connect();
    for (auto* socket : {&first, &second}) {
        socket->send(get("/a"));
        EXPECT_EQ(socket->receive_message().status(), 200);
    }
    EXPECT_TRUE(running.connect().ends_silently());
    first.close();
    while (running.ask(get("/a")).status() != 200) { // the place is free a moment after the close
    }
    second.send(get("/a"));
    EXPECT_EQ(second.receive_message().status(), 200);
}

} // namespace
} // namespace baton::net::test
