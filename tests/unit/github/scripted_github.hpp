#pragma once

#include "baton/base/time.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/clock.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::github {

/// What reached the server.
struct Seen {
    std::string what; // "POST /repos/o/r/dispatches"
    std::string authorization;
    net::Headers headers;
    std::string body;
};

/// A GitHub on the loopback that installs the App everywhere, numbers the tokens it gives and
/// accepts every dispatch, except where a test put other answers in line.
class ScriptedGithub {
public:
    explicit ScriptedGithub(const ports::Clock& clock)
        : clock_(&clock) {
        std::vector<net::Route> routes;
        for (const auto* method : {"GET", "POST", "PATCH"}) {
            net::Route route;
            route.method = method;
            route.path = "/{*}";
            route.body_bytes_max = 1'000'000;
            route.handler = [this](net::Request request) { return handle(std::move(request)); };
            routes.push_back(std::move(route));
        }
        net::ServerOptions options;
        options.threads = 1;
        server_ = std::make_unique<net::Server>(std::move(options), std::move(routes));
        const auto started = server_->start();
        EXPECT_TRUE(started) << started.error().detail;
    }

    std::string url() const { return fmt::format("http://127.0.0.1:{}", server_->port()); }

    void stop() { server_->stop(std::chrono::milliseconds(100)); }

    /// The next requests for `what` get these, one after another; then it is as before.
    void answer(std::string_view what, std::vector<net::Response> with) {
        const std::lock_guard lock(mutex_);
        auto& line = lines_[std::string(what)];
        line.insert(line.end(), with.begin(), with.end());
    }

    std::vector<Seen> seen() const {
        const std::lock_guard lock(mutex_);
        return seen_;
    }

    std::size_t count(std::string_view what) const {
        const auto all = seen();
        return static_cast<std::size_t>(std::ranges::count(all, what, &Seen::what));
    }

private:
    boost::asio::awaitable<net::Response> handle(net::Request request) {
        const auto query = request.head.query.empty() ? "" : "?" + request.head.query;
        const std::lock_guard lock(mutex_); // nothing below waits
        Seen seen{
            .what = fmt::format("{} {}{}", request.head.method, request.head.path, query),
            .authorization = std::string(request.head.headers.find("authorization").value_or("")),
            .headers = request.head.headers,
            .body = std::move(request.body),
        };
        seen_.push_back(seen);
        auto& line = lines_[seen.what];
        if (line.empty()) {
            co_return usual(seen.what);
        }
        auto response = std::move(line.front());
        line.pop_front();
        co_return response;
    }

    net::Response usual(std::string_view what) {
        if (what.ends_with("/installation")) {
            return {.body = R"({"id":5})"};
        }
        if (what.ends_with("/access_tokens")) {
            const auto expires_at = to_rfc3339(clock_->now() + std::chrono::hours(1));
            return {
                .status = 201,
                .body = fmt::format(R"({{"token":"t{}","expires_at":"{}"}})", ++tokens_, expires_at)
            };
        }
        if (what.ends_with("/dispatches")) {
            return {.status = 204};
        }
        return what == "GET /app" ? net::Response{.body = "{}"}
                                  : net::Response{.status = 404, .body = "{}"};
    }

    const ports::Clock* clock_;
    mutable std::mutex mutex_;
    std::map<std::string, std::deque<net::Response>> lines_;
    std::vector<Seen> seen_;
    int tokens_{0};
    std::unique_ptr<net::Server> server_;
};

} // namespace baton::github
