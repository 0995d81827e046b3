#include "baton/net/url.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/address_v6.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace baton::net {

namespace {

constexpr std::string_view kHttp = "http://";
constexpr std::string_view kHttps = "https://";
constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

std::uint16_t usual_port(bool secure) {
    return secure ? kHttpsPort : kHttpPort;
}

std::optional<int> hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return std::nullopt;
}

bool is_unreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '.' || c == '_' || c == '~';
}

/// A name that may stand in a Host header and in a certificate.
bool is_plain_name(std::string_view host) {
    return !host.empty() &&
           std::ranges::all_of(host, [](char c) { return is_unreserved(c) && c != '~'; });
}

bool is_path(std::string_view path) {
    return path.empty() || (path.starts_with('/') && std::ranges::all_of(path, [](char c) {
                                return is_unreserved(c) || c == '/' || c == '%' || c == '+' ||
                                       c == ',' || c == ':' || c == '=';
                            }));
}

/// Splits "host", "host:port", "[v6]" or "[v6]:port" and normalises; empty host when it is neither.
struct Authority {
    std::string host;
    std::string_view port;
};

Authority authority_of(std::string_view text) {
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        boost::system::error_code ec;
        const auto address = boost::asio::ip::make_address_v6(
            std::string(text.substr(1, std::max<std::size_t>(end, 1) - 1)), ec
        );
        const auto rest = end == std::string_view::npos ? "?" : text.substr(end + 1);
        if (ec || address.scope_id() != 0 || !(rest.empty() || rest.starts_with(':'))) {
            return {};
        }
        return {.host = address.to_string(), .port = rest.empty() ? "" : rest.substr(1)};
    }
    const auto colon = std::min(text.find(':'), text.size());
    const auto name = text.substr(0, colon);
    if (!is_plain_name(name)) {
        return {};
    }
    return {.host = lower(name), .port = colon == text.size() ? "" : text.substr(colon + 1)};
}

/// 0 when it is no port.
std::uint16_t port_number(std::string_view text) {
    std::uint16_t port = 0;
    const auto* begin = text.data();
    const auto* end = begin + text.size();
    const auto [stop, error] = std::from_chars(begin, end, port);
    return error == std::errc() && stop == end ? port : 0;
}

} // namespace

std::string Url::authority() const {
    const bool v6 = host.find(':') != std::string::npos;
    const std::string name = v6 ? fmt::format("[{}]", host) : host;
    return port == usual_port(secure) ? name : fmt::format("{}:{}", name, port);
}

std::string Url::text() const {
    return origin() + path;
}

std::string Url::origin() const {
    return fmt::format("{}://{}", secure ? "https" : "http", authority());
}

bool is_address(std::string_view host) {
    boost::system::error_code ec;
    boost::asio::ip::make_address(std::string(host), ec);
    return !ec;
}

Result<Url> parse_url(std::string_view text, PlainHttp plain) {
    const std::string shown = inert(text);
    Url url;
    url.secure = lower(text.substr(0, kHttps.size())) == kHttps;
    if (!url.secure && lower(text.substr(0, kHttp.size())) != kHttp) {
        return fail(Errc::invalid, fmt::format("\"{}\" is not a URL: write https://host", shown));
    }
    text.remove_prefix(url.secure ? kHttps.size() : kHttp.size());
    if (text.find_first_of("@?#") != std::string_view::npos) {
        // The text itself is not repeated: it may hold a password.
        return fail(
            Errc::invalid, "a base URL must have no user name, password, query or fragment"
        );
    }
    const auto slash = std::min(text.find('/'), text.size());
    auto authority = authority_of(text.substr(0, slash));
    url.host = std::move(authority.host);
    url.port = authority.port.empty() ? usual_port(url.secure) : port_number(authority.port);
    url.path = std::string(text.substr(slash));
    if (url.host.empty() || url.port == 0 || !is_path(url.path)) {
        return fail(
            Errc::invalid, fmt::format("\"{}\" does not name a host, port and path", shown)
        );
    }
    while (url.path.ends_with('/')) {
        url.path.pop_back();
    }
    if (!url.secure && plain == PlainHttp::loopback_only && !is_loopback(url.host)) {
        return fail(
            Errc::invalid,
            fmt::format("\"{}\" has to be https: plain http is for loopback addresses only", shown)
        );
    }
    return url;
}

bool is_loopback(std::string_view host) {
    if (lower(host) == "localhost") {
        return true;
    }
    boost::system::error_code ec;
    const auto address = boost::asio::ip::make_address(std::string(host), ec);
    return !ec && address.is_loopback();
}

std::string percent_encode(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        if (is_unreserved(c)) {
            out += c;
            continue;
        }
        const auto byte = static_cast<unsigned char>(c);
        out += '%';
        out += kDigits[byte >> 4U];
        out += kDigits[byte & 0xFU];
    }
    return out;
}

std::optional<std::string> percent_decode(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        if (i + 2 >= text.size()) {
            return std::nullopt;
        }
        const auto high = hex_digit(text[i + 1]);
        const auto low = hex_digit(text[i + 2]);
        if (!high || !low) {
            return std::nullopt;
        }
        out += static_cast<char>((*high * 16) + *low);
        i += 2;
    }
    return out;
}

std::optional<std::string> query_value(std::string_view query, std::string_view name) {
    const auto form_decoded = [](std::string_view part) {
        std::string blanks(part);
        std::ranges::replace(blanks, '+', ' ');
        return percent_decode(blanks);
    };
    while (!query.empty()) {
        const auto pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), pair.size() + 1));
        const auto equals = pair.find('=');
        if (form_decoded(pair.substr(0, equals)) != name) {
            continue;
        }
        const auto value =
            equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
        return form_decoded(value);
    }
    return std::nullopt;
}

} // namespace baton::net
