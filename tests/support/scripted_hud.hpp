#pragma once

#include "baton/net/http.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace baton::test {

/// A HUD on the loopback: takes each result once, says 409 to one that it has, or whatever it is
/// told to say. Any thread.
class ScriptedHud {
public:
    struct Seen {
        std::string path;
        net::Headers headers;
        std::string body;
    };

    ScriptedHud() {
        net::Route route;
        route.method = "POST";
        route.path = "/{*}";
        route.body_bytes_max = 4'000'000;
        route.handler = [this](net::Request request) { return take(std::move(request)); };
        std::vector<net::Route> routes;
        routes.push_back(std::move(route));
        net::ServerOptions options;
        options.threads = 1;
        server_ = std::make_unique<net::Server>(std::move(options), std::move(routes));
        const auto started = server_->start();
        EXPECT_TRUE(started) << started.error().detail;
    }

    std::string url() const { return fmt::format("http://127.0.0.1:{}/api", server_->port()); }

    void stop() { server_->stop(std::chrono::milliseconds(100)); }

    /// From now on; status 200 is its usual way. An answer that aborts is lost after the result was
    /// taken.
    void say(net::Response response) {
        const std::lock_guard lock(mutex_);
        response_ = std::move(response);
    }

    /// Every request, in order.
    std::vector<Seen> seen() const {
        const std::lock_guard lock(mutex_);
        return seen_;
    }

    /// The results that it has, each once, in order.
    std::vector<std::string> taken() const {
        const std::lock_guard lock(mutex_);
        return taken_;
    }

private:
    boost::asio::awaitable<net::Response> take(net::Request request) {
        const std::lock_guard lock(mutex_); // nothing below waits
        seen_.push_back(
            {.path = request.head.path, .headers = request.head.headers, .body = request.body}
        );
        auto response = response_;
        if (response.status == 200) {
            const bool known = std::ranges::find(taken_, request.body) != taken_.end();
            if (known) {
                response.status = 409;
            } else {
                taken_.push_back(std::move(request.body));
            }
        }
        co_return response;
    }

    mutable std::mutex mutex_;
    net::Response response_;
    std::vector<Seen> seen_;
    std::vector<std::string> taken_;
    std::unique_ptr<net::Server> server_;
};

} // namespace baton::test
