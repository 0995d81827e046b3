#include "baton/sim/oidc_api.hpp"

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/net/url.hpp"
#include "baton/sim/actions_runs.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/github_api_call.hpp"
#include "baton/sim/oidc_issuer.hpp"

#include <boost/json/object.hpp>

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

constexpr std::string_view kConfiguration = "oidc_configuration";
constexpr std::string_view kKeys = "oidc_keys";
constexpr std::string_view kToken = "oidc_token";
constexpr std::string_view kUnknown = "oidc_unknown";

ApiReply document(const OidcIssuer& issuer, std::string text) {
    if (issuer.trouble.outage) {
        return api_error(503, "Service Unavailable");
    }
    ApiReply reply;
    reply.body = std::move(text);
    return reply;
}

ApiReply
token_reply(OidcIssuer& issuer, const ActionsRuns& runs, const ApiRequest& request, TimePoint now) {
    constexpr std::string_view kScheme = "bearer ";
    auto secret = request.headers.find("Authorization").value_or("");
    if (lower(secret.substr(0, kScheme.size())) != kScheme) {
        return api_error(401, "Requires authentication");
    }
    secret.remove_prefix(kScheme.size());
    const auto* const run = runs.who(secret);
    if (run == nullptr) {
        return api_error(401, "Bad credentials");
    }
    const auto wanted = net::query_value(request.query, "audience").value_or("");
    const TokenWish wish{
        .run = *run,
        .audience =
            wanted.empty() ? fmt::format("https://github.com/{}", run->repo.owner()) : wanted,
    };
    auto token = issuer.token(wish, now);
    return api_json(200, json::object{{"count", token.size()}, {"value", std::move(token)}});
}

} // namespace

std::optional<std::string_view> oidc_route(std::string_view path) {
    if (!path.starts_with(kOidcPath)) {
        return std::nullopt;
    }
    path.remove_prefix(kOidcPath.size());
    return path == "/.well-known/openid-configuration" ? kConfiguration
           : path == "/.well-known/jwks"               ? kKeys
           : path == "/token"                          ? kToken
                                                       : kUnknown;
}

ApiReply
answer_oidc(OidcIssuer& issuer, const ActionsRuns& runs, const ApiRequest& request, TimePoint now) {
    const auto route = oidc_route(request.path).value_or(kUnknown);
    if (request.method != "GET" || route == kUnknown) {
        return api_error(404, "Not Found");
    }
    if (route == kToken) {
        return token_reply(issuer, runs, request, now);
    }
    return document(issuer, route == kKeys ? issuer.keys() : issuer.configuration());
}

std::string token_request_url(const OidcIssuer& issuer, const ActionsRun& run) {
    return fmt::format("{}/token?run={}&api-version=2.0", issuer.url(), run.id);
}

} // namespace baton::sim
