#pragma once

#include "baton/net/http.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace baton::test {

/// A server on loopback that answers what the test says, one answer after another, the last one for
/// ever, and remembers what it was asked.
class ScriptedServer {
public:
    struct Asked {
        std::string method;
        std::string path;
        std::string query;
        std::string authorization;
        std::string body;
    };

    struct Answer {
        net::Response response;
        bool silent{false}; // nothing is said for a minute
    };

    explicit ScriptedServer(std::deque<Answer> answers)
        : answers_(std::move(answers))
        , server_({.threads = 1}, routes()) {
        EXPECT_TRUE(server_.start());
    }

    ScriptedServer(const ScriptedServer&) = delete;
    ScriptedServer& operator=(const ScriptedServer&) = delete;

    ~ScriptedServer() { server_.stop(std::chrono::milliseconds(0)); }

    std::string url() const { return "http://127.0.0.1:" + std::to_string(server_.port()); }

    std::vector<Asked> asked() {
        const std::scoped_lock lock(mutex_);
        return asked_;
    }

private:
    static constexpr std::size_t kBodyBytesMax = 8U * 1024 * 1024;

    std::vector<net::Route> routes() {
        const auto handler = [this](net::Request request) { return answer(std::move(request)); };
        return {
            {.method = "POST", .path = "/{*}", .handler = handler, .body_bytes_max = kBodyBytesMax},
            {.method = "GET", .path = "/{*}", .handler = handler},
        };
    }

    boost::asio::awaitable<net::Response> answer(net::Request request) {
        const auto next = note(std::move(request));
        if (next.silent) {
            const auto executor = co_await boost::asio::this_coro::executor;
            boost::asio::steady_timer minute(executor, std::chrono::minutes(1));
            co_await minute.async_wait(boost::asio::use_awaitable);
        }
        co_return next.response;
    }

    Answer note(net::Request request) {
        const std::scoped_lock lock(mutex_);
        asked_.push_back({
            .method = std::move(request.head.method),
            .path = std::move(request.head.path),
            .query = std::move(request.head.query),
            .authorization = std::string(request.head.headers.find("Authorization").value_or("")),
            .body = std::move(request.body),
        });
        auto next = answers_.front();
        if (answers_.size() > 1) {
            answers_.pop_front();
        }
        return next;
    }

    std::mutex mutex_;
    std::deque<Answer> answers_;
    std::vector<Asked> asked_;
    net::Server server_;
};

inline ScriptedServer::Answer says(int status, std::string body, net::Headers headers = {}) {
    return {.response = {.status = status, .headers = std::move(headers), .body = std::move(body)}};
}

} // namespace baton::test
