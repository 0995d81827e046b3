#pragma once

#include "baton/base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::net {

/// Where a server is: the parts of a base URL that Baton may talk to.
struct Url {
    bool secure{true}; // https
    std::string host;  // lower case; an IPv6 address stands without its brackets
    std::uint16_t port{443};
    std::string path; // "" or like "/api/v3": never a final slash

    /// What a Host header says: the port only when it is not the usual one.
    std::string authority() const;
    /// The URL again, in its one normal form.
    std::string text() const;
    /// The same without its path: what two addresses must share to be one server's.
    std::string origin() const;
};

/// Where plain `http` is accepted: what carries tokens to strangers goes over `https`.
enum class PlainHttp : std::uint8_t { loopback_only, anywhere };

/// Reads and checks a base URL (api_url, an issuer, a sink). `invalid` with a sentence for people
/// when it is no URL, when it has a user name, query or fragment, and when it is plain http where
/// that is not accepted: tokens must not travel unprotected.
Result<Url> parse_url(std::string_view text, PlainHttp plain = PlainHttp::loopback_only);

/// Whether it is an IPv4 or IPv6 address, without brackets.
bool is_address(std::string_view host);

/// Whether the name or address stands for this machine: localhost, 127.0.0.0/8, ::1. Nothing is
/// looked up.
bool is_loopback(std::string_view host);

/// For one path segment or one query value: everything but letters, digits and "-._~" is written as
/// %XX.
std::string percent_encode(std::string_view text);

/// Undoes %XX; nullopt when an escape is broken. A "+" stays a "+".
std::optional<std::string> percent_decode(std::string_view text);

/// The first value of that name in a query ("a=1&b=2"), decoded as forms are ("+" is a blank). A
/// name without "=" has the value "". nullopt when the name is absent or its value has a broken
/// escape.
std::optional<std::string> query_value(std::string_view query, std::string_view name);

} // namespace baton::net
