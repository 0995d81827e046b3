#include "baton/api/problem.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/net/http.hpp"
#include "baton/wire/json_text.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace baton::api {

namespace {

std::string tag_of(std::string_view text) {
    constexpr std::size_t kTagLetters = 32;
    return fmt::format("\"{}\"", crypto::sha256_hex(text).substr(0, kTagLetters));
}

} // namespace

net::Response problem(int status, std::string_view title, std::string_view detail) {
    net::Response response;
    response.status = status;
    response.content_type = "application/problem+json";
    response.headers.add("Cache-Control", "no-store");
    response.body = fmt::format(
        R"({{"type":"about:blank","title":{},"status":{},"detail":{}}})",
        wire::json_quoted(title),
        status,
        wire::json_quoted(detail)
    );
    return response;
}

net::Response problem_of(const Error& error) {
    switch (error.code) {
    case Errc::not_found:
        return problem(404, "Not found", error.detail);
    case Errc::invalid:
        return problem(400, "A parameter is wrong", error.detail);
    case Errc::unauthenticated:
        return problem(401, "Not signed in", error.detail);
    case Errc::forbidden:
        return problem(403, "Not allowed here", error.detail);
    case Errc::conflict:
        return problem(409, "Not now", error.detail);
    default:
        break;
    }
    auto response = problem(503, "The store cannot be read now", error.detail);
    response.headers.add("Retry-After", fmt::format("{}", limits::kRetryAfter.count()));
    return response;
}

net::Response
fresh_json(const net::RequestHead& request, Freshness fresh, const boost::json::object& rest) {
    const auto text = boost::json::serialize(rest);
    const auto tag = tag_of(text);
    net::Response response;
    response.headers.add("ETag", tag);
    response.headers.add("Cache-Control", "no-cache"); // may be kept, must be asked about
    if (request.headers.find("If-None-Match") == tag) {
        response.status = 304;
        return response;
    }
    response.body = fmt::format(
        R"({{"as_of":"{}","stream_id":"{}",{})",
        to_rfc3339(fresh.as_of),
        fresh.stream_id,
        std::string_view(text).substr(1)
    );
    return response;
}

net::Response tagged(
    const net::RequestHead& request,
    std::string_view content_type,
    std::string body,
    std::string_view kept
) {
    const auto tag = tag_of(body);
    net::Response response{.content_type = std::string(content_type), .body = std::move(body)};
    response.headers.add("ETag", tag);
    response.headers.add("Cache-Control", std::string(kept));
    if (request.headers.find("If-None-Match") == tag) {
        response.status = 304;
        response.body.clear();
    }
    return response;
}

} // namespace baton::api
