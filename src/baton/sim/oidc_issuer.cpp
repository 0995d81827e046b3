#include "baton/sim/oidc_issuer.hpp"

#include "baton/base/time.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/crypto/signing_key.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/sim/actions_runs.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

constexpr std::size_t kKeyIdCharacters = 40;

std::int64_t unix_seconds(TimePoint when) {
    return std::chrono::floor<std::chrono::seconds>(when.time_since_epoch()).count();
}

/// As GitHub tells them: ids and numbers are texts.
json::object claims_about(const ActionsRun& run) {
    const auto workflow_ref =
        fmt::format("{}/.github/workflows/{}.yml@{}", run.repo.text(), run.workflow, run.ref);
    return {
        {"sub", fmt::format("repo:{}:ref:{}", run.repo.text(), run.ref)},
        {"ref", run.ref},
        {"ref_type", "branch"},
        {"sha", run.sha.text()},
        {"repository", run.repo.text()},
        {"repository_id", std::to_string(static_cast<std::int64_t>(run.repo_id))},
        {"repository_owner", run.repo.owner()},
        {"repository_owner_id", std::to_string(run.owner_id)},
        {"repository_visibility", run.is_private ? "private" : "public"},
        {"run_id", std::to_string(run.id)},
        {"run_number", std::to_string(run.number)},
        {"run_attempt", std::to_string(run.attempt)},
        {"workflow", run.workflow},
        {"workflow_ref", workflow_ref},
        {"workflow_sha", run.sha.text()},
        {"job_workflow_ref", workflow_ref},
        {"job_workflow_sha", run.sha.text()},
        {"event_name", run.event_name},
        {"actor", run.actor.text()},
        {"runner_environment", "github-hosted"},
    };
}

} // namespace

std::string OidcIssuer::configuration() const {
    return json::serialize(json::object{
        {"issuer", url_},
        {"jwks_uri", url_ + "/.well-known/jwks"},
        {"subject_types_supported", json::array{"public", "pairwise"}},
        {"response_types_supported", json::array{"id_token"}},
        {"id_token_signing_alg_values_supported", json::array{"RS256", "ES256"}},
        {"scopes_supported", json::array{"openid"}},
        {"claims_supported",
         json::array{"sub", "aud", "exp", "iat", "iss", "jti", "nbf", "repository", "repository_id"}
        },
    });
}

std::string OidcIssuer::keys() {
    signing_key(); // there is always one
    std::string set = R"({"keys":[)";
    for (const auto& [id, key] : keys_) {
        set += (set.ends_with('[') ? "" : ",") + key.public_jwk(id);
    }
    return set + "]}";
}

std::string OidcIssuer::token(const TokenWish& wish, TimePoint now) {
    const auto& [id, key] = signing_key();
    const auto at = now + trouble.skew;
    auto claims = claims_about(wish.run);
    claims["iss"] = url_;
    claims["aud"] = wish.audience;
    claims["jti"] = fmt::format("{}-{}-{}", wish.run.id, wish.run.attempt, ++tokens_made_);
    claims["iat"] = unix_seconds(at);
    claims["nbf"] = unix_seconds(at);
    claims["exp"] = unix_seconds(at + kTokenLife);
    return key.token(id, json::serialize(claims));
}

void OidcIssuer::rotate(crypto::Algorithm algorithm) {
    auto key = crypto::SigningKey::make(algorithm);
    // GitHub's are digests of the key: one that comes back after a restart is not the old one.
    auto id = crypto::sha256_hex(key.public_jwk("")).substr(0, kKeyIdCharacters);
    keys_.push_back({.id = std::move(id), .key = std::move(key)});
}

void OidcIssuer::drop_old_keys() {
    if (keys_.size() > 1) {
        keys_.erase(keys_.begin(), keys_.end() - 1);
    }
}

const OidcIssuer::Key& OidcIssuer::signing_key() {
    if (keys_.empty()) {
        rotate(crypto::Algorithm::rs256);
    }
    return keys_.back();
}

} // namespace baton::sim
