#include "baton/net/router.hpp"

#include "baton/base/assert.hpp"
#include "baton/net/server.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::net {

namespace {

constexpr std::string_view kOne = "{}";
constexpr std::string_view kRest = "{*}";
constexpr std::string_view kEverything = "/{*}";

/// "/a/{}" gives "a", "{}"; "/" gives one empty segment.
std::vector<std::string> segments_of(std::string_view path) {
    BATON_ASSERT(path.starts_with('/'));
    std::vector<std::string> segments;
    while (!path.empty()) {
        path.remove_prefix(1);
        segments.emplace_back(path.substr(0, path.find('/')));
        path.remove_prefix(segments.back().size());
    }
    return segments;
}

/// What has to stand behind the captured text: ".json" of "{}.json", nothing of "{}".
std::string_view ending_of(std::string_view segment) {
    return segment.starts_with(kOne) ? segment.substr(kOne.size()) : std::string_view();
}

int rank(std::string_view segment) {
    if (segment == kRest) {
        return 3;
    }
    if (segment == kOne) {
        return 2;
    }
    return segment.starts_with(kOne) ? 1 : 0;
}

bool more_literal(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::ranges::lexicographical_compare(a, b, {}, rank, rank);
}

std::optional<std::vector<std::string>>
captures_of(const std::vector<std::string>& pattern, std::string_view path) {
    std::vector<std::string> captures;
    for (const auto& segment : pattern) {
        if (!path.starts_with('/')) {
            return std::nullopt;
        }
        path.remove_prefix(1);
        if (segment == kRest) {
            captures.emplace_back(path);
            return captures;
        }
        const auto found = path.substr(0, path.find('/'));
        path.remove_prefix(found.size());
        if (rank(segment) == 0) {
            if (found != segment) {
                return std::nullopt;
            }
            continue;
        }
        const auto ending = ending_of(segment);
        if (found.size() <= ending.size() || !found.ends_with(ending)) {
            return std::nullopt;
        }
        captures.emplace_back(found.substr(0, found.size() - ending.size()));
    }
    if (!path.empty()) {
        return std::nullopt;
    }
    return captures;
}

bool serves(const Route& route, std::string_view method) {
    return route.method == method || (method == "HEAD" && route.method == "GET");
}

void allow(std::string& list, const Route& route) {
    const auto add = [&list](std::string_view method) {
        if (list.find(method) == std::string::npos) { // no method is part of another's name
            list.append(list.empty() ? "" : ", ").append(method);
        }
    };
    add(route.method);
    if (route.method == "GET") {
        add("HEAD");
    }
}

} // namespace

Router::Router(std::vector<Route> routes)
    : routes_(std::move(routes)) {
    for (const auto& route : routes_) {
        const auto same = std::ranges::count_if(routes_, [&route](const Route& other) {
            return other.method == route.method && other.path == route.path;
        });
        BATON_ASSERT(same == 1);
        auto segments = segments_of(route.path);
        if (std::ranges::all_of(segments, [](const auto& s) { return rank(s) == 0; })) {
            literal_[route.path].push_back(&route);
            continue;
        }
        const auto rest = std::ranges::find(segments, kRest);
        BATON_ASSERT(rest == segments.end() || rest + 1 == segments.end());
        const auto place =
            std::ranges::upper_bound(patterns_, segments, more_literal, &Pattern::segments);
        patterns_.insert(place, {.segments = std::move(segments), .route = &route});
    }
}

Router::Match Router::match(std::string_view method, std::string_view path) const {
    Match match;
    if (const auto found = literal_.find(path); found != literal_.end()) {
        for (const auto* route : found->second) {
            if (serves(*route, method)) {
                match.route = route;
                return match;
            }
            allow(match.allow, *route);
        }
    }
    for (const auto& pattern : patterns_) {
        auto captures = captures_of(pattern.segments, path);
        if (!captures) {
            continue;
        }
        if (pattern.route->path == kEverything) { // the last one: of paths that nobody knows
            match.route = match.allow.empty() ? pattern.route : nullptr;
            return match;
        }
        if (serves(*pattern.route, method)) {
            match.route = pattern.route;
            match.captures = std::move(*captures);
            return match;
        }
        allow(match.allow, *pattern.route);
    }
    return match;
}

} // namespace baton::net
