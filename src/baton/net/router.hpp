#pragma once

#include "baton/net/server.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace baton::net {

/// Finds the route of a request. Immutable after construction, so all threads share one.
///
/// Of several paths that fit, the more literal wins: "/a/b" before "/a/{}.json" before "/a/{}"
/// before "/a/{*}". The method decides last, so POST on "/a/b" does not hide GET on "/a/{}". A
/// route of "/{*}" is the last resort: it answers whatever the method, but only paths that no other
/// route knows.
class Router {
public:
    struct Match {
        const Route* route{nullptr};
        std::vector<std::string> captures;
        std::string allow; // without a route: the methods this path knows, empty when it knows none
    };

    /// Two routes of one method and path, or "{*}" before the end, are a mistake in our own program
    /// and end it.
    explicit Router(std::vector<Route> routes);
    Router(const Router&) = delete; // matches point into this one
    Router& operator=(const Router&) = delete;
    ~Router() = default;

    Match match(std::string_view method, std::string_view path) const;

private:
    struct Pattern {
        std::vector<std::string> segments;
        const Route* route;
    };

    struct Hash {
        using is_transparent = void;

        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>{}(text);
        }
    };

    std::vector<Route> routes_;
    std::unordered_map<std::string, std::vector<const Route*>, Hash, std::equal_to<>> literal_;
    std::vector<Pattern> patterns_; // most literal first
};

} // namespace baton::net
