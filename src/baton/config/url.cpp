#include "baton/config/url.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::config {

namespace {

constexpr std::int64_t kPortMax = 65535;
constexpr std::string_view kHttps = "https://";
constexpr std::string_view kHttp = "http://";

bool is_host(std::string_view host) {
    if (host.starts_with('[') && host.ends_with(']')) {
        in6_addr address{};
        return inet_pton(
                   AF_INET6, std::string(host.substr(1, host.size() - 2)).c_str(), &address
               ) == 1;
    }
    return !host.empty() && host.size() <= 253 && std::ranges::all_of(host, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '.' || c == '-' || c == '_';
    });
}

bool is_port(std::string_view text) {
    return whole_number(text).value_or(kPortMax + 1) <= kPortMax;
}

struct Authority {
    std::string_view host;
    std::optional<std::string_view> port;
};

Authority split(std::string_view text) {
    const auto bracket = text.rfind(']');
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos || (bracket != std::string_view::npos && colon < bracket)) {
        return {.host = text, .port = {}};
    }
    return {.host = text.substr(0, colon), .port = text.substr(colon + 1)};
}

std::size_t scheme_bytes(std::string_view url) {
    return url.starts_with(kHttps) ? kHttps.size() : url.starts_with(kHttp) ? kHttp.size() : 0;
}

/// Printable ASCII, and nothing that starts a query, a fragment or a user.
bool is_clean(std::string_view url) {
    return std::ranges::none_of(url, [](char c) {
        return c <= ' ' || c > '~' ||
               std::string_view("?#@\\\"<>^`{|}").find(c) != std::string_view::npos;
    });
}

} // namespace

Result<std::string> check_url(std::string_view text, PlainHttp plain) {
    const auto wrong = [text](std::string_view why) {
        return fail(Errc::invalid, fmt::format("\"{}\" {}", inert(text), why));
    };
    const auto scheme = scheme_bytes(text);
    if (scheme == 0) {
        return wrong("is not a URL: write https://host");
    }
    if (!is_clean(text)) {
        return wrong("holds more than https://host:port/path");
    }
    const auto rest = text.substr(scheme);
    const auto authority = split(rest.substr(0, rest.find('/')));
    if (!is_host(authority.host)) {
        return wrong("names no host");
    }
    if (authority.port && !is_port(*authority.port)) {
        return wrong("has a port that is none");
    }
    if (scheme == kHttp.size() && plain == PlainHttp::loopback_only &&
        !is_loopback(authority.host)) {
        return wrong("has to be https: plain http is for loopback addresses only");
    }
    const auto end = text.find_last_not_of('/');
    return std::string(text.substr(0, end + 1));
}

std::string origin_of(std::string_view url) {
    const auto scheme = scheme_bytes(url);
    return lower(url.substr(0, url.find('/', scheme)));
}

bool is_loopback(std::string_view host) {
    if (lower(host) == "localhost" || host == "[::1]" || host == "::1") {
        return true;
    }
    in_addr address{};
    return host.starts_with("127.") && inet_pton(AF_INET, std::string(host).c_str(), &address) == 1;
}

} // namespace baton::config
