#pragma once

#include "baton/net/http.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::sim::testing {

/// An endpoint of a relay that only remembers, and always answers the same.
class Inbox {
public:
    struct Letter {
        net::Headers headers;
        std::string body;
    };

    struct Manner {
        int status{202};
        std::string path{"/github/webhook"};
        std::string answer{"{}"};
    };

    explicit Inbox(int status = 202)
        : Inbox(Manner{.status = status}) {}

    explicit Inbox(Manner manner)
        : manner_(std::move(manner))
        , server_({.threads = 1, .tls = std::nullopt}, routes()) {
        EXPECT_TRUE(server_.start());
    }

    std::string url() const {
        return fmt::format("http://127.0.0.1:{}{}", server_.port(), manner_.path);
    }

    /// Waits until one arrives; the test's own time limit ends a wait in vain.
    Letter next() {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [this] { return !letters_.empty(); });
        auto letter = std::move(letters_.front());
        letters_.pop_front();
        return letter;
    }

private:
    std::vector<net::Route> routes() {
        std::vector<net::Route> out;
        out.push_back({
            .method = "POST",
            .path = manner_.path,
            .handler = [this](net::Request request) { return keep(std::move(request)); },
            .body_bytes_max = 25U * 1024 * 1024,
        });
        return out;
    }

    boost::asio::awaitable<net::Response> keep(net::Request request) {
        {
            const std::lock_guard lock(mutex_);
            letters_.push_back({.headers = request.head.headers, .body = request.body});
        }
        arrived_.notify_one();
        net::Response response;
        response.status = manner_.status;
        response.body = manner_.answer;
        co_return response;
    }

    Manner manner_;
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Letter> letters_;
    net::Server server_;
};

} // namespace baton::sim::testing
