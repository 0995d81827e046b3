#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/net/http.hpp"

#include <boost/json/fwd.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace baton::api {

/// application/problem+json (RFC 9457).
net::Response problem(int status, std::string_view title, std::string_view detail);

/// What a failed question to the store means to whoever asked; 503 says when to try again.
net::Response problem_of(const Error& error);

/// How new an answer is: at least so, and the stream tells what changes behind this id.
struct Freshness {
    TimePoint as_of{};
    std::int64_t stream_id{0};
};

/// JSON of something that changes, with its freshness as the first fields; 304 when the caller has
/// all the rest already.
net::Response
fresh_json(const net::RequestHead& request, Freshness fresh, const boost::json::object& rest);

/// Anything else, with a tag of its bytes; 304 when the caller has them already. `kept` is its
/// Cache-Control.
net::Response tagged(
    const net::RequestHead& request,
    std::string_view content_type,
    std::string body,
    std::string_view kept
);

} // namespace baton::api
