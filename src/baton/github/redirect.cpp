#include "baton/github/redirect.hpp"

#include "baton/base/text.hpp"
#include "baton/net/url.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace baton::github {

namespace {

constexpr std::string_view kByNumber = "/repositories/";

/// Takes `scheme://host:port` off the front if it is that of `api`; a location may also start at
/// the path.
std::optional<std::string_view> path_in(std::string_view location, const net::Url& api) {
    if (location.starts_with('/') && !location.starts_with("//")) {
        return location;
    }
    const auto scheme_end = location.find("://");
    if (scheme_end == std::string_view::npos) {
        return std::nullopt;
    }
    const auto host_end = location.find('/', scheme_end + 3);
    if (host_end == std::string_view::npos) {
        return std::nullopt;
    }
    const auto origin = net::parse_url(location.substr(0, host_end));
    if (!origin || origin->secure != api.secure || origin->host != api.host ||
        origin->port != api.port) {
        return std::nullopt;
    }
    return location.substr(host_end);
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) {
        return false;
    }
    text.remove_prefix(prefix.size());
    return true;
}

std::string_view without_query(std::string_view target) {
    return target.substr(0, target.find('?'));
}

} // namespace

std::optional<std::int64_t>
moved_to(std::string_view location, const net::Url& api, std::string_view tail) {
    auto path = path_in(trimmed(location), api);
    if (!path || !take_prefix(*path, api.path) || !take_prefix(*path, kByNumber)) {
        return std::nullopt;
    }
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(path->data(), path->data() + path->size(), number);
    if (error != std::errc{} || number <= 0) {
        return std::nullopt;
    }
    path->remove_prefix(static_cast<std::size_t>(stop - path->data()));
    return without_query(*path) == without_query(tail) ? std::optional(number) : std::nullopt;
}

} // namespace baton::github
