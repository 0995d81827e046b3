#pragma once

#include "baton/net/http.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/raw_socket.hpp"

namespace baton::net::test {

using baton::test::RawListener;
using baton::test::RawSocket;
using namespace std::chrono_literals;

/// A counter that a test thread can wait for, ten seconds at most.
class Signal {
public:
    void raise() { raised_.release(); }

    bool wait() { return raised_.try_acquire_for(10s); }

private:
    std::counting_semaphore<> raised_{0};
};

/// Holds handlers until the test lets them go.
class Gate {
public:
    boost::asio::awaitable<void> pass() {
        const auto executor = co_await boost::asio::this_coro::executor;
        auto timer = std::make_shared<boost::asio::steady_timer>(
            executor, boost::asio::steady_timer::time_point::max()
        );
        if (hold(timer)) {
            arrived.raise();
            static_cast<void>(
                co_await timer->async_wait(boost::asio::as_tuple(boost::asio::use_awaitable))
            );
        }
    }

    void open() {
        const std::lock_guard guard(mutex_);
        open_ = true;
        for (const auto& held : held_) {
            if (const auto timer = held.lock()) {
                boost::asio::post(timer->get_executor(), [timer] { timer->cancel(); });
            }
        }
    }

    Signal arrived;

private:
    bool hold(const std::shared_ptr<boost::asio::steady_timer>& timer) {
        const std::lock_guard guard(mutex_);
        held_.emplace_back(timer);
        return !open_;
    }

    std::mutex mutex_;
    bool open_{false};
    std::vector<std::weak_ptr<boost::asio::steady_timer>> held_; // they die with their server
};

inline Response text(std::string body, int status = 200) {
    Response response;
    response.status = status;
    response.content_type = "text/plain";
    response.body = std::move(body);
    return response;
}

/// Answers with what it got: "METHOD path?query [captures] body".
inline boost::asio::awaitable<Response> echo(Request request) {
    std::string captures;
    for (const auto& capture : request.captures) {
        captures += "[" + capture + "]";
    }
    co_return text(fmt::format(
        "{} {}?{} {} {}",
        request.head.method,
        request.head.path,
        request.head.query,
        captures,
        request.body
    ));
}

inline Route
route(std::string method, std::string path, Handler handler, std::size_t body_max = 0) {
    Route made;
    made.method = std::move(method);
    made.path = std::move(path);
    made.handler = std::move(handler);
    made.body_bytes_max = body_max;
    return made;
}

/// A started server on a free port, and what it was surprised about.
class Running {
public:
    explicit Running(std::vector<Route> routes, ServerOptions options = {})
        : server(with_notes(std::move(options)), std::move(routes)) {
        const auto started = server.start();
        EXPECT_TRUE(started) << started.error().detail;
    }

    RawSocket connect() const { return RawSocket::connected_to(server.port()); }

    /// One request on a connection of its own.
    RawSocket::Reply ask(std::string_view bytes) const {
        auto socket = connect();
        socket.send(bytes);
        return socket.receive_message();
    }

    std::vector<std::string> surprises() {
        const std::lock_guard guard(mutex_);
        return surprises_;
    }

private:
    ServerOptions with_notes(ServerOptions options) {
        options.on_surprise = [this](std::string what) {
            const std::lock_guard guard(mutex_);
            surprises_.push_back(std::move(what));
        };
        return options;
    }

    std::mutex mutex_;
    std::vector<std::string> surprises_;

public:
    Server server; // last: it stops before the notes go
};

inline std::string get(std::string_view path, std::string_view more = "") {
    return fmt::format("GET {} HTTP/1.1\r\nHost: x\r\n{}\r\n", path, more);
}

inline std::string post(std::string_view path, std::string_view body, std::string_view more = "") {
    return fmt::format(
        "POST {} HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n{}\r\n{}",
        path,
        body.size(),
        more,
        body
    );
}

} // namespace baton::net::test
