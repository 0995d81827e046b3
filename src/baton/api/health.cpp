#include "baton/api/health.hpp"

#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/wire/json_text.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::api {

namespace asio = boost::asio;

namespace {

using Answer = std::function<net::Response()>;

asio::awaitable<net::Response> at_once(Answer answer) {
    co_return answer();
}

net::Route plain_get(std::string path, Answer answer) {
    return {
        .method = "GET",
        .path = std::move(path),
        .handler = [answer = std::move(answer)](const net::Request&) { return at_once(answer); },
    };
}

net::Response readiness_of(const Readiness& readiness, const std::string& mode) {
    bool ready = true;
    std::string parts;
    for (const auto& [part, trouble] : readiness.parts()) {
        ready = ready && trouble.empty();
        parts += fmt::format(
            R"({}{}:{})",
            parts.empty() ? "" : ",",
            wire::json_quoted(part),
            wire::json_quoted(trouble.empty() ? "ready" : trouble)
        );
    }
    return {
        .status = ready ? 200 : 503,
        .body = fmt::format(
            R"({{"ready":{},"mode":{},"parts":{{{}}}}})", ready, wire::json_quoted(mode), parts
        ),
    };
}

} // namespace

std::optional<std::string> Readiness::set(const std::string& part, std::string trouble) {
    const std::scoped_lock lock(mutex_);
    const auto known = parts_.find(part);
    if (known == parts_.end()) {
        parts_.emplace(part, std::move(trouble));
        return std::nullopt;
    }
    return std::exchange(known->second, std::move(trouble));
}

std::map<std::string, std::string> Readiness::parts() const {
    const std::scoped_lock lock(mutex_);
    return parts_;
}

std::vector<net::Route> health_routes(HealthSurroundings around) {
    std::vector<net::Route> routes;
    routes.push_back(plain_get("/healthz", [] { return net::Response{.body = R"({"ok":true})"}; }));
    routes.push_back(plain_get("/readyz", [&readiness = around.readiness, mode = around.mode] {
        return readiness_of(readiness, mode);
    }));
    routes.push_back(plain_get("/metrics", [metrics = std::move(around.metrics)] {
        return net::Response{.content_type = "text/plain; version=0.0.4", .body = metrics()};
    }));
    return routes;
}

} // namespace baton::api
