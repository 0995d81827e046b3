#include "baton/net/http.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/awaitable.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "unit/net/server_fixture.hpp"

namespace baton::net::test {
namespace {

namespace asio = boost::asio;

/// Gives these pieces, one after the other; then the end.
BodySource pieces(std::vector<std::string> all) {
    struct Told {
        std::vector<std::string> all;
        std::size_t next{0};
    };

    auto told = std::make_shared<Told>(Told{.all = std::move(all)});
    return [told]() -> asio::awaitable<std::optional<std::string>> {
        if (told->next == told->all.size()) {
            co_return std::nullopt;
        }
        co_return told->all[told->next++];
    };
}

Route streaming(std::string first, std::vector<std::string> all) {
    return route(
        "GET",
        "/stream",
        [first = std::move(first), all = std::move(all)](Request) -> asio::awaitable<Response> {
            auto response = text(first);
            response.more = pieces(all);
            co_return response;
        }
    );
}

TEST(ServerStream, SendsABodyPieceByPieceAndSaysWhereItEnds) {
    const Running running({streaming("one ", {"two ", "", "three"})});
    auto socket = running.connect();
    socket.send(get("/stream"));
    const auto all = socket.receive_all();
    EXPECT_NE(all.find("Transfer-Encoding: chunked\r\n"), std::string::npos) << all;
    EXPECT_EQ(all.find("Content-Length"), std::string::npos);
    EXPECT_NE(all.find("Connection: close\r\n"), std::string::npos);
    EXPECT_TRUE(all.ends_with("\r\n\r\n4\r\none \r\n4\r\ntwo \r\n5\r\nthree\r\n0\r\n\r\n")) << all;
}

TEST(ServerStream, EndsWithTheConnectionForAClientThatKnowsNoChunks) {
    const Running running({streaming("one ", {"two"})});
    auto socket = running.connect();
    socket.send("GET /stream HTTP/1.0\r\n\r\n");
    const auto all = socket.receive_all();
    EXPECT_EQ(all.find("Transfer-Encoding"), std::string::npos);
    EXPECT_TRUE(all.ends_with("\r\n\r\none two")) << all;
}

TEST(ServerStream, SendsNothingOfItToHead) {
    const Running running({streaming("one", {"two"})});
    auto socket = running.connect();
    socket.send("HEAD /stream HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(socket.receive_all().ends_with("\r\n\r\n"));
}

TEST(ServerStream, BreaksOffWithoutAnEndWhenTheSourceThrows) {
    Running running({route("GET", "/stream", [](Request) -> asio::awaitable<Response> {
        auto response = text("one");
        response.more = []() -> asio::awaitable<std::optional<std::string>> {
            throw std::runtime_error("the rows ran out");
            co_return std::nullopt;
        };
        co_return response;
    })});
    auto socket = running.connect();
    socket.send(get("/stream"));
    EXPECT_FALSE(socket.receive_all().ends_with("0\r\n\r\n"));
    EXPECT_EQ(
        running.surprises(),
        std::vector<std::string>{"the source of a body threw: the rows ran out"}
    );
}

TEST(ServerStream, DropsAClientThatDoesNotRead) {
    ServerOptions options;
    options.write_wait = 200ms;
    Signal gone;
    const Running running(
        {route(
            "GET",
            "/stream",
            [&gone](Request) -> asio::awaitable<Response> {
                auto response = text("");
                const auto alive = std::shared_ptr<void>(nullptr, [&gone](void*) { gone.raise(); });
                response.more = [alive]() -> asio::awaitable<std::optional<std::string>> {
                    co_return std::string(std::size_t{1} << 20U, 'x');
                };
                co_return response;
            }
        )},
        options
    );
    auto socket = running.connect();
    socket.send(get("/stream"));
    EXPECT_TRUE(gone.wait()) << "it is still served";
}

} // namespace
} // namespace baton::net::test
