#include "baton/async/task_group.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/net/client.hpp"
#include "baton/net/http.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_future.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/raw_socket.hpp"
#include "unit/net/client_fixture.hpp"
#include "unit/net/server_fixture.hpp"

namespace baton::net::test {
namespace {

namespace asio = boost::asio;

std::string ok(std::string_view body, std::string_view more = "") {
    return fmt::format(
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{}\r\n{}", body.size(), more, body
    );
}

/// Plays a server by hand on a thread of its own.
template <class Play> std::future<void> played(Play play) {
    return std::async(std::launch::async, std::move(play));
}

TEST(Client, SendsTheRequestUnderThePathOfTheBaseUrl) {
    const RawListener listener;
    RawSocket::Reply seen;
    auto server = played([&] {
        auto socket = listener.accept();
        seen = socket.receive_message();
        socket.send("HTTP/1.1 201 Created\r\nContent-Length: 2\r\nX-Note: yes\r\n\r\nhi");
    });
    Caller caller(listener.port(), "/api/v3/");
    ClientRequest request;
    request.method = "POST";
    request.target = "/repos/o/r?x=1";
    request.headers = {{"Accept", "a/b"}, {"host", "evil"}, {"Content-Length", "999"}};
    request.body = "{}";
    const auto reply = caller.send(std::move(request));
    server.get();
    ASSERT_TRUE(reply) << reply.error().detail;
    EXPECT_EQ(reply->status, 201);
    EXPECT_EQ(reply->headers.find("x-note"), "yes");
    EXPECT_EQ(reply->body, "hi");
    EXPECT_EQ(
        seen.head,
        fmt::format(
            "POST /api/v3/repos/o/r?x=1 HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUser-Agent: baton/{}\r\n"
            "Accept: a/b\r\nContent-Length: 2\r\n\r\n",
            listener.port(),
            BATON_VERSION
        )
    );
    EXPECT_EQ(seen.body, "{}");
}

TEST(Client, ReadsRepliesHoweverTheyAreFramed) {
    struct Case {
        const char* name;
        const char* method;
        const char* reply;
        int status;
        const char* body;
    };

    constexpr Case kCases[] = {
        {"by length", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc", 200, "abc"},
        {"in chunks",
         "GET",
         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
         200,
         "abc"},
        {"in chunks, of which there are none",
         "GET",
         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
         200,
         ""},
        {"by the end of the connection", "GET", "HTTP/1.1 200 OK\r\n\r\nabc", 200, "abc"},
        {"HTTP/1.0", "GET", "HTTP/1.0 404 Not Found\r\nContent-Length: 1\r\n\r\nx", 404, "x"},
        {"without a body", "POST", "HTTP/1.1 204 No Content\r\n\r\n", 204, ""},
        {"not modified", "GET", "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n", 304, ""},
        {"to HEAD", "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n", 200, ""},
        {"after an interim one",
         "POST",
         "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 "
         "OK\r\nContent-Length: 2\r\n\r\nok",
         200,
         "ok"},
    };
    for (const auto& c : kCases) {
        SCOPED_TRACE(c.name);
        const RawListener listener;
        auto server = played([&] {
            auto socket = listener.accept();
            socket.receive_message();
            for (const char* at = c.reply; *at != '\0'; ++at) {
                socket.send({at, 1});
            }
        });
        Caller caller(listener.port());
        ClientRequest request;
        request.method = c.method;
        request.target = "/";
        const auto reply = caller.send(std::move(request));
        server.get();
        ASSERT_TRUE(reply) << reply.error().detail;
        EXPECT_EQ(reply->status, c.status);
        EXPECT_EQ(reply->body, c.body);
    }
}

TEST(Client, UsesOneConnectionForManyRequests) {
    const RawListener listener;
    auto server = played([&] {
        auto socket = listener.accept(); // the only one: a second would wait in vain
        for (int i = 0; i < 5; ++i) {
            socket.receive_message();
            socket.send(ok(std::to_string(i)));
        }
    });
    Caller caller(listener.port());
    for (int i = 0; i < 5; ++i) {
        const auto reply = caller.get("/");
        ASSERT_TRUE(reply) << reply.error().detail;
        EXPECT_EQ(reply->body, std::to_string(i));
    }
    server.get();
}

/// Whether the client comes back on a new connection after `first` was done with the old one.
void expect_fresh_connection(
    const ClientOptions& options, const std::function<void(RawSocket&)>& first
) {
    const RawListener listener;
    Signal ready;
    auto server = played([&] {
        auto old = listener.accept();
        old.receive_message();
        first(old);
        ready.raise();
        auto fresh = listener.accept();
        EXPECT_TRUE(fresh.receive_message().head.starts_with("GET /2 "));
        fresh.send(ok("two"));
    });
    auto with_url = options;
    with_url.base_url = fmt::format("http://127.0.0.1:{}", listener.port());
    Caller caller(with_url);
    const auto one = caller.get("/1");
    ASSERT_TRUE(one) << one.error().detail;
    ASSERT_TRUE(ready.wait());
    const auto two = caller.get("/2");
    ASSERT_TRUE(two) << two.error().detail;
    EXPECT_EQ(two->body, "two");
    server.get();
}

TEST(Client, DoesNotLoseARequestToAConnectionThatIsNoLongerGood) {
    expect_fresh_connection({}, [](RawSocket& socket) { // the server closed it while it was idle
        socket.send(ok("one"));
        socket.close();
    });
    expect_fresh_connection({}, [](RawSocket& socket) { // or only its own side of it
        socket.send(ok("one"));
        socket.end_sending();
    });
    expect_fresh_connection({}, [](RawSocket& socket) { // it said that it would close
        socket.send(ok("one", "Connection: close\r\n"));
    });
    expect_fresh_connection({}, [](RawSocket& socket) { // it said more than it was asked
        socket.send(ok("one") + ok("unasked"));
    });
    expect_fresh_connection({.base_url = "", .idle_age = 0ms}, [](RawSocket& socket) { // too old
        socket.send(ok("one"));
    });
    expect_fresh_connection({.base_url = "", .idle_max = 0}, [](RawSocket& socket) { // not kept
        socket.send(ok("one"));
    });
}

TEST(Client, SaysThatNothingWasSentWhenNobodyListens) {
    std::optional<RawListener> listener(std::in_place);
    Caller caller(listener->port());
    listener.reset();
    const auto reply = caller.get("/");
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, Errc::unavailable);
    EXPECT_FALSE(reply.error().maybe_sent);
    EXPECT_NE(reply.error().detail.find("refused"), std::string::npos) << reply.error().detail;
}

TEST(Client, SaysThatNothingWasSentWhenTheNameIsUnknown) {
    Caller caller(ClientOptions{.base_url = "https://no-such-host.invalid"});
    const auto reply = caller.get("/");
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, Errc::unavailable);
    EXPECT_FALSE(reply.error().maybe_sent);
}

TEST(Client, SaysThatNothingWasSentWhenTimeRanOutBeforeTheHandshake) {
    const RawListener listener; // accepts in the kernel and never speaks TLS
    Caller caller(ClientOptions{.base_url = fmt::format("https://127.0.0.1:{}", listener.port())});
    const auto reply = caller.get("/", 30ms);
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, Errc::timed_out);
    EXPECT_FALSE(reply.error().maybe_sent);
}

TEST(Client, SaysThatTheRequestMayHaveArrivedWhenTheConnectionBreaksAfterIt) {
    struct Case {
        const char* name;
        const char* part;
        bool reset;
    };

    constexpr Case kCases[] = {
        {"reset before a reply", "", true},
        {"closed before a reply", "", false},
        {"closed within the header", "HTTP/1.1 200 OK\r\nContent-", false},
        {"closed within the body", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab", false},
        {"closed within a chunk",
         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
         false},
        {"reset within a body without length", "HTTP/1.1 200 OK\r\n\r\nab", true},
    };
    for (const auto& c : kCases) {
        SCOPED_TRACE(c.name);
        const RawListener listener;
        auto server = played([&] {
            auto socket = listener.accept();
            socket.receive_message();
            socket.send(c.part);
            if (c.reset) {
                socket.reset();
            }
        });
        Caller caller(listener.port());
        const auto reply = caller.post("/", "{}");
        server.get();
        ASSERT_FALSE(reply);
        EXPECT_EQ(reply.error().code, Errc::unavailable) << reply.error().detail;
        EXPECT_TRUE(reply.error().maybe_sent);
    }
}

TEST(Client, WaitsForAReplyOnlySoLong) {
    const RawListener listener;
    Signal done;
    auto server = played([&] {
        auto socket = listener.accept();
        socket.receive_message();
        socket.send("HTTP/1.1 200 OK\r\n");
        EXPECT_TRUE(done.wait());
        EXPECT_TRUE(socket.ends_silently()) << "the connection is not used again";
    });
    Caller caller(listener.port());
    const auto reply = caller.get("/", 50ms);
    done.raise();
    server.get();
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, Errc::timed_out);
    EXPECT_TRUE(reply.error().maybe_sent);
}

TEST(Client, EndsWhenItIsCancelled) {
    const RawListener listener;
    Caller caller(listener.port());
    std::optional<Reply> reply;
    const auto call = [](Client* client, std::optional<Reply>* place) -> asio::awaitable<void> {
        ClientRequest request;
        request.target = "/";
        *place = co_await client->send(std::move(request), 30s);
    };
    async::TaskGroup group(caller.io().get_executor(), [](const std::string&) {});
    group.spawn(call(&caller.client(), &reply));
    auto server = played([&] {
        auto socket = listener.accept();
        socket.receive_message();
        asio::post(caller.io(), [&group] { group.cancel(); });
        socket.receive_all();
    });
    caller.io().run();
    server.get();
    ASSERT_TRUE(reply.has_value());
    ASSERT_FALSE(*reply);
    EXPECT_EQ(reply->error().code, Errc::cancelled);
    EXPECT_TRUE(reply->error().maybe_sent);
}

TEST(Client, RefusesRepliesThatAreTooLongOrNotHttp) {
    struct Case {
        const char* name;
        std::string reply;
    };

    const std::string much(200, 'x');
    const Case cases[] = {
        {"announced too long", "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n"},
        {"chunked too long", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nc8\r\n" + much},
        {"endless", "HTTP/1.1 200 OK\r\n\r\n" + much},
        {"another protocol", "SSH-2.0-OpenSSH_9.2\r\n"},
        {"no status", "HTTP/1.1 OK\r\n\r\n"},
        {"length and chunks",
         "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n"},
        {"a header without end",
         "HTTP/1.1 200 OK\r\nX: " + std::string(2 * limits::kReplyHeaderBytesMax, 'x')},
        {"a chunk header without end",
         "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;" +
             std::string(2 * limits::kReplyHeaderBytesMax, 'x')},
        {"interim replies without end",
         [] {
             std::string all;
             for (int i = 0; i < 50; ++i) {
                 all += "HTTP/1.1 102 Processing\r\n\r\n";
             }
             return all;
         }()},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const RawListener listener;
        auto server = played([&] {
            auto socket = listener.accept();
            socket.receive_message();
            socket.send(c.reply);
            socket.receive_all(); // the client ends it
        });
        ClientOptions options;
        options.base_url = fmt::format("http://127.0.0.1:{}", listener.port());
        options.reply_bytes_max = 100;
        Caller caller(options);
        const auto reply = caller.get("/");
        server.get();
        ASSERT_FALSE(reply);
        EXPECT_EQ(reply.error().code, Errc::invalid) << reply.error().detail;
        EXPECT_TRUE(reply.error().maybe_sent);
    }
}

TEST(Client, ReadsAnAnswerGivenBeforeTheWholeRequestWasRead) {
    std::vector<Route> routes;
    routes.push_back(route("POST", "/a", echo, 10));
    const Running running(std::move(routes));
    Caller caller(running.server.port());
    const auto reply = caller.post("/a", std::string(20'000'000, 'x'));
    ASSERT_TRUE(reply) << reply.error().detail;
    EXPECT_EQ(reply->status, 413);
}

TEST(Client, RefusesRequestsThatWouldBreakTheirLine) {
    Caller caller(1);
    ClientRequest good;
    good.target = "/";
    const auto refused = [&caller](ClientRequest request) {
        const auto reply = caller.send(std::move(request));
        return !reply && reply.error().code == Errc::invalid && !reply.error().maybe_sent;
    };
    auto request = good;
    request.target = "/a b";
    EXPECT_TRUE(refused(request));
    request.target = "/a\r\nX: y";
    EXPECT_TRUE(refused(request));
    request.target = "a";
    EXPECT_TRUE(refused(request));
    request = good;
    request.method = "GET /x";
    EXPECT_TRUE(refused(request));
    request = good;
    request.headers.add("X", "a\r\nY: b");
    EXPECT_TRUE(refused(request));
}

TEST(Client, IsMadeOnlyForUrlsItMayTalkTo) {
    asio::io_context io;
    for (const auto* url : {"", "api.github.com", "http://example.com", "ftp://127.0.0.1"}) {
        const auto made = Client::make(io.get_executor(), {.base_url = url});
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().code, Errc::invalid);
    }
    const auto made =
        Client::make(io.get_executor(), {.base_url = "https://a.b", .ca_file = "/no/such/file"});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, Errc::invalid);
}

TEST(Client, FindsNamesAndBothKindsOfAddresses) {
    for (const auto& [host, url_host] :
         {std::pair{"localhost", "localhost"}, std::pair{"::1", "[::1]"}}) {
        ServerOptions options;
        options.host = host;
        std::vector<Route> routes;
        routes.push_back(route("GET", "/", echo));
        const Running running(std::move(routes), options);
        Caller caller(
            ClientOptions{.base_url = fmt::format("http://{}:{}", url_host, running.server.port())}
        );
        const auto reply = caller.get("/");
        EXPECT_TRUE(reply) << reply.error().detail;
    }
}

TEST(Client, CarriesAThousandRequestsAtOnce) {
    std::vector<Route> routes;
    routes.push_back(route("POST", "/a", echo, 100));
    const Running running(std::move(routes));
    Caller caller(running.server.port());
    std::vector<std::future<Reply>> replies;
    replies.reserve(1000);
    for (int i = 0; i < 1000; ++i) {
        ClientRequest request;
        request.method = "POST";
        request.target = "/a";
        request.body = std::to_string(i);
        auto call = caller.client().send(std::move(request), 60s);
        replies.push_back(asio::co_spawn(caller.io(), std::move(call), asio::use_future));
    }
    caller.io().run();
    for (int i = 0; i < 1000; ++i) {
        const auto reply = replies[static_cast<std::size_t>(i)].get();
        ASSERT_TRUE(reply) << reply.error().detail;
        EXPECT_EQ(reply->body, fmt::format("POST /a?  {}", i));
    }
}

} // namespace
} // namespace baton::net::test
