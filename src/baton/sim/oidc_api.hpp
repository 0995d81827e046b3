#pragma once

#include "baton/base/time.hpp"
#include "baton/sim/actions_runs.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/oidc_issuer.hpp"

#include <optional>
#include <string>
#include <string_view>

/// The issuer's door: what verifiers read, and where a running job asks for its token. Routes by
/// name, for faults and counters:
///
///     oidc_configuration   GET /_oidc/.well-known/openid-configuration
///     oidc_keys            GET /_oidc/.well-known/jwks
///     oidc_token           GET /_oidc/token?...&audience=A, with the job's secret as Bearer
namespace baton::sim {

/// nullopt when the path is not the issuer's.
std::optional<std::string_view> oidc_route(std::string_view path);

ApiReply
answer_oidc(OidcIssuer& issuer, const ActionsRuns& runs, const ApiRequest& request, TimePoint now);

/// A job's ACTIONS_ID_TOKEN_REQUEST_URL: the audience is appended to it with "&".
std::string token_request_url(const OidcIssuer& issuer, const ActionsRun& run);

} // namespace baton::sim
