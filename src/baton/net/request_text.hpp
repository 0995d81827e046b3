#pragma once

#include "baton/net/client.hpp"
#include "baton/net/url.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace baton::net {

/// Why the request cannot be put on the wire, if so: a blank or line break in the wrong place would
/// make two requests out of one.
std::optional<std::string> fault_of(const ClientRequest& request);

/// Request line and headers up to the empty line. Host, User-Agent, Content-Length, Connection and
/// Transfer-Encoding are the client's own: those of the request are skipped.
std::string head_of(const ClientRequest& request, const Url& base, std::string_view user_agent);

} // namespace baton::net
