#include "baton/net/http.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/awaitable.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "unit/net/server_fixture.hpp"

namespace baton::net::test {
namespace {

namespace asio = boost::asio;

constexpr std::size_t kPlenty = 1U << 20U;

asio::awaitable<Response> throwing(Request /*request*/) {
    throw std::runtime_error("the handler broke");
    co_return Response{};
}

TEST(Server, AnswersWithTheHeadersEveryAnswerHas) {
    const Running running({route("GET", "/hello", echo)});
    const auto reply = running.ask(get("/hello?a=1"));
    EXPECT_EQ(reply.status(), 200);
    EXPECT_EQ(reply.body, "GET /hello?a=1  ");
    EXPECT_TRUE(reply.has("HTTP/1.1 200 OK\r\n"));
    EXPECT_TRUE(reply.has("Content-Type: text/plain\r\n"));
    EXPECT_TRUE(reply.has("Content-Length: 16\r\n"));
    EXPECT_TRUE(reply.has("X-Content-Type-Options: nosniff\r\n"));
    EXPECT_FALSE(reply.has("Server:"));
}

TEST(Server, TellsUnknownPathsAndMethodsApart) {
    const Running running({route("GET", "/a", echo), route("POST", "/a", echo)});
    const auto lost = running.ask(get("/b"));
    EXPECT_EQ(lost.status(), 404);
    EXPECT_EQ(lost.body, R"({"detail":"Not found"})");
    EXPECT_TRUE(lost.has("Content-Type: application/json\r\n"));

    const auto wrong = running.ask("DELETE /a HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(wrong.status(), 405);
    EXPECT_EQ(wrong.body, R"({"detail":"Method not allowed"})");
    EXPECT_TRUE(wrong.has("Allow: GET, HEAD, POST\r\n"));
}

TEST(Server, HandsOverWhatTheRouteCaptured) {
    const Running running({route("GET", "/r/{}/f/{*}", echo)});
    EXPECT_EQ(running.ask(get("/r/a%20b/f/x/y")).body, "GET /r/a%20b/f/x/y? [a%20b][x/y] ");
}

TEST(Server, TakesTheTargetFormThatProxiesUse) {
    const Running running({route("GET", "/a", echo)});
    EXPECT_EQ(running.ask("GET http://x/a?b HTTP/1.1\r\nHost: x\r\n\r\n").body, "GET /a?b  ");
}

TEST(Server, AnswersHeadLikeGetButWithoutTheBody) {
    const Running running({route("GET", "/a", echo)});
    auto socket = running.connect();
    socket.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto head = socket.receive_until("\r\n\r\n");
    EXPECT_NE(head.find("200 OK"), std::string::npos);
    EXPECT_NE(head.find("Content-Length: 10\r\n"), std::string::npos);
    socket.send("nonsense\r\n\r\n");
    const auto next = socket.receive_message();
    EXPECT_TRUE(next.head.starts_with("HTTP/1.1 400")) << "a body came with HEAD";
    EXPECT_EQ(next.body, R"({"detail":"Malformed request"})") << "only HEAD goes without";
}

TEST(Server, SendsNoBodyWhereTheStatusHasNone) {
    const Running running({route("POST", "/a", [](Request) -> asio::awaitable<Response> {
        co_return text("never seen", 204);
    })});
    auto socket = running.connect();
    socket.send(post("/a", "", "Connection: close\r\n"));
    const auto all = socket.receive_all();
    EXPECT_TRUE(all.starts_with("HTTP/1.1 204 No Content\r\n"));
    EXPECT_TRUE(all.ends_with("\r\n\r\n"));
    EXPECT_EQ(all.find("Content-Length"), std::string::npos);
}

TEST(Server, ReadsBodiesOfEverySizeAndLeavesRoomBehindThem) {
    const Running running({route(
        "POST",
        "/size",
        [](Request request) -> asio::awaitable<Response> {
            const bool room = request.body.capacity() - request.body.size() >= 64;
            const auto x = std::ranges::count(request.body, 'x');
            co_return text(fmt::format("{} {} {}", request.body.size(), x, room));
        },
        kPlenty
    )});
    for (const std::size_t size :
         {0U, 1U, 15U, 100U, 8'000U, 25'000U, 32'768U, 70'000U, 1'048'576U}) {
        const auto reply = running.ask(post("/size", std::string(size, 'x')));
        EXPECT_EQ(reply.body, fmt::format("{} {} true", size, size));
    }
}

TEST(Server, ReadsChunkedBodiesHoweverTheyAreCut) {
    const Running running({route("POST", "/a", echo, 100)});
    auto socket = running.connect();
    const std::string request = "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                                "5;note=1\r\nhello\r\n6\r\n world\r\n0\r\nX-Late: 1\r\n\r\n";
    for (const char c : request) {
        socket.send({&c, 1});
    }
    EXPECT_EQ(socket.receive_message().body, "POST /a?  hello world");
    socket.send(request); // and the connection goes on
    EXPECT_EQ(socket.receive_message().body, "POST /a?  hello world");
}

TEST(Server, SurvivesAnEmptyChunkedBodyThatComesDropByDrop) {
    const Running running({route("POST", "/a", echo, 100)});
    auto socket = running.connect();
    const std::string request =
        "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    for (int round = 0; round < 2; ++round) {
        for (const char c : request) {
            socket.send({&c, 1});
        }
        EXPECT_EQ(socket.receive_message().body, "POST /a?  ");
    }
}

TEST(Server, KeepsTheConnectionAndAnswersPipelinedRequestsInOrder) {
    const Running running({route("POST", "/a", echo, 100), route("GET", "/b", echo)});
    auto socket = running.connect();
    socket.send(post("/a", "one") + get("/b") + "\r\n" + post("/a", "two"));
    EXPECT_EQ(socket.receive_message().body, "POST /a?  one");
    EXPECT_EQ(socket.receive_message().body, "GET /b?  ");
    EXPECT_EQ(socket.receive_message().body, "POST /a?  two");
}

TEST(Server, ClosesWhenTheClientAsksForIt) {
    const Running running({route("GET", "/a", echo)});
    for (const auto* request :
         {"GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "GET /a HTTP/1.0\r\n\r\n"}) {
        auto socket = running.connect();
        socket.send(request);
        EXPECT_TRUE(socket.receive_message().has("Connection: close\r\n"));
        EXPECT_TRUE(socket.ends_silently());
    }
}

TEST(Server, ShowsTheBodyToTheTapWhileItArrives) {
    struct Tap final : BodyTap {
        void chunk(std::span<const char> bytes) override {
            seen.append(bytes.data(), bytes.size());
            ++pieces;
        }

        std::string seen;
        int pieces{0};
    };

    auto tapped = route(
        "POST",
        "/a",
        [](Request request) -> asio::awaitable<Response> {
            const auto& tap = static_cast<const Tap&>(*request.tap);
            co_return text(fmt::format("{} {}", tap.seen == request.body, tap.pieces > 1));
        },
        kPlenty
    );
    tapped.tap = [](const RequestHead& /*head*/) { return std::make_unique<Tap>(); };
    std::vector<Route> routes;
    routes.push_back(std::move(tapped));
    const Running running(std::move(routes));
    EXPECT_EQ(running.ask(post("/a", std::string(200'000, 'y'))).body, "true true");
}

TEST(Server, AnswersEarlyWithoutTheBody) {
    auto strict = route("POST", "/a", echo, kPlenty);
    strict.early = [](const RequestHead& head) -> std::optional<Response> {
        if (head.headers.find("x-signature")) {
            return std::nullopt;
        }
        return text("No signature", 400);
    };
    std::vector<Route> routes;
    routes.push_back(std::move(strict));
    const Running running(std::move(routes));

    auto socket = running.connect();
    socket.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n");
    EXPECT_EQ(socket.receive_message().body, "No signature") << "before a byte of the body came";
    socket.send("123456789" + post("/a", "next", "X-Signature: s\r\n"));
    EXPECT_EQ(socket.receive_message().body, "POST /a?  next") << "a short rest is skipped";

    auto large = running.connect();
    large.send(post("/a", std::string(500'000, 'z')));
    const auto reply = large.receive_message();
    EXPECT_EQ(reply.status(), 400);
    EXPECT_TRUE(reply.has("Connection: close\r\n")) << "a long rest is not worth it";
}

TEST(Server, InvitesTheBodyOfAClientThatWaits) {
    const Running running({route("POST", "/a", echo, 10)});
    auto socket = running.connect();
    const std::string expect = "Expect: 100-continue\r\n";
    socket.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n" + expect + "\r\n");
    EXPECT_EQ(socket.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    socket.send("ok");
    EXPECT_EQ(socket.receive_message().body, "POST /a?  ok");

    socket.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n" + expect + "\r\n");
    EXPECT_EQ(socket.receive_message().status(), 413) << "no invitation when it is not wanted";
    const auto odd = running.ask(post("/a", "", "Expect: miracles\r\n"));
    EXPECT_EQ(odd.status(), 417);
}

TEST(Server, AnswersPlainlyWhenAHandlerThrows) {
    Running running({route("POST", "/a", throwing, 10)});
    auto socket = running.connect();
    socket.send(post("/a", "x"));
    const auto reply = socket.receive_message();
    EXPECT_EQ(reply.status(), 500);
    EXPECT_EQ(reply.body, R"({"detail":"Internal server error"})");
    socket.send(post("/a", "x"));
    EXPECT_EQ(socket.receive_message().status(), 500) << "the connection survives";
    ASSERT_EQ(running.surprises().size(), 2U);
    EXPECT_NE(running.surprises()[0].find("the handler broke"), std::string::npos);
}

TEST(Server, SendsNoHeaderThatBreaksItsLine) {
    Running running({route("GET", "/a", [](Request) -> asio::awaitable<Response> {
        auto response = text("x");
        response.headers.add("X-Note", "a\r\nSet-Cookie: stolen=1");
        co_return response;
    })});
    const auto reply = running.ask(get("/a"));
    EXPECT_EQ(reply.status(), 500);
    EXPECT_FALSE(reply.has("Set-Cookie"));
    EXPECT_EQ(running.surprises().size(), 1U);
}

TEST(Server, ResetsTheConnectionWhenTheResponseSaysSo) {
    const Running running({route("GET", "/a", [](Request) -> asio::awaitable<Response> {
        Response response;
        response.abort = true;
        co_return response;
    })});
    auto socket = running.connect();
    socket.send(get("/a"));
    EXPECT_TRUE(socket.is_reset());
}

TEST(Server, BreaksOffInTheMiddleOfABodyWhenTheResponseSaysSo) {
    const Running running({route("GET", "/a", [](Request) -> asio::awaitable<Response> {
        Response response;
        response.body = "0123456789";
        response.cut_at = 4;
        co_return response;
    })});
    auto socket = running.connect();
    socket.send(get("/a"));
    const auto head = socket.receive_until("\r\n\r\n");
    EXPECT_NE(head.find("Content-Length: 10"), std::string::npos) << head;
    EXPECT_EQ(socket.receive_bytes(4), "0123");
    EXPECT_TRUE(socket.is_reset());
}

} // namespace
} // namespace baton::net::test
