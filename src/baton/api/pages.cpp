#include "baton/api/pages.hpp"

#include "baton/api/problem.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

namespace asio = boost::asio;

namespace {

constexpr std::string_view kIndex = "/index.html";

/// Nothing inline, nothing from elsewhere, and no text that becomes a script.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'";

constexpr std::array<std::string_view, 32> kPages{
    "/",
    "/pulls",
    "/pr/{}/{}/{}",
    "/b/{}/{}",
    "/job/{}",
    "/deliveries",
    "/deliveries/{}",
    "/dead",
    "/help",
    "/index.html",
    "/matrix",
    "/clusters",
    "/clusters/{}",
    "/flaky",
    "/tests",
    "/trends",
    "/nightly",
    "/suites",
    "/benchmarks",
    "/b/{}/{}/job",
    "/refused",
    "/allowlist",
    "/status",
    "/audit",
    "/levels",
    "/b/{}/{}/level",
    "/quality",
    "/quality/compare",
    "/quality/criteria",
    "/quality/criteria/{}/{}",
    "/quality/{}",
    "/quality/{}/{}", // a release, or the way up: gap
};

std::string_view type_of(std::string_view path) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kTypes{{
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".json", "application/json"},
    }};
    for (const auto& [ending, type] : kTypes) {
        if (path.ends_with(ending)) {
            return type;
        }
    }
    return "application/octet-stream";
}

asio::awaitable<net::Response> serve(Asset asset, net::Request request) {
    const auto& headers = request.head.headers;
    const auto tag = fmt::format("\"{}\"", asset.tag);
    const bool kept = asset.path.starts_with("/assets/");
    net::Response response;
    response.content_type = type_of(asset.path);
    response.headers.add("ETag", tag);
    response.headers.add(
        "Cache-Control", kept ? "public, max-age=31536000, immutable" : "no-cache"
    );
    response.headers.add("Vary", "Accept-Encoding");
    response.headers.add("Referrer-Policy", "no-referrer");
    if (asset.path == kIndex) {
        response.headers.add("Content-Security-Policy", std::string(kPolicy));
    }
    if (headers.find("If-None-Match") == tag) {
        response.status = 304;
        co_return response;
    }
    const bool packed =
        !asset.packed.empty() &&
        headers.find("Accept-Encoding").value_or("").find("gzip") != std::string_view::npos;
    if (packed) {
        response.headers.add("Content-Encoding", "gzip");
    }
    response.body = packed ? asset.packed : asset.plain;
    co_return response;
}

/// Nobody knows the path: programs hear so, and a browser gets the page that says it and offers
/// others.
asio::awaitable<net::Response> lost(Asset index, net::Request request) {
    constexpr std::string_view kApi = "/api/v1/";
    const auto accepted = request.head.headers.find("Accept").value_or("");
    const bool browsing = accepted.find("text/html") != std::string_view::npos &&
                          (request.head.method == "GET" || request.head.method == "HEAD");
    if (request.head.path.starts_with(kApi)) {
        co_return problem(
            404, "Not found", "there is no such path; /api/v1/openapi.json tells which there are"
        );
    }
    if (!browsing || index.plain.empty()) {
        co_return net::Response{.status = 404, .body = R"({"detail":"Not found"})"};
    }
    net::Response response{.status = 404, .content_type = std::string(type_of(kIndex))};
    response.headers.add("Cache-Control", "no-store");
    response.headers.add("Referrer-Policy", "no-referrer");
    response.headers.add("Content-Security-Policy", std::string(kPolicy));
    response.body = index.plain;
    co_return response;
}

net::Route route_of(std::string_view path, const Asset& asset) {
    return {
        .method = "GET",
        .path = std::string(path),
        .handler = [asset](net::Request request) { return serve(asset, std::move(request)); },
    };
}

} // namespace

std::vector<net::Route> page_routes(std::span<const Asset> assets) {
    std::vector<net::Route> routes;
    Asset index;
    for (const auto& asset : assets) {
        if (asset.path == kIndex) {
            index = asset;
            for (const auto page : kPages) {
                routes.push_back(route_of(page, asset));
            }
        } else {
            routes.push_back(route_of(asset.path, asset));
        }
    }
    routes.push_back({
        .method = "GET",
        .path = "/{*}",
        .handler = [index](net::Request request) { return lost(index, std::move(request)); },
    });
    return routes;
}

} // namespace baton::api
