#include "baton/oidc/token_identities.hpp"

#include "baton/async/task_group.hpp"
#include "baton/base/assert.hpp"
#include "baton/base/result.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/identity.hpp"
#include "baton/domain/token_claims.hpp"
#include "baton/wire/identity_token.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::oidc {

namespace asio = boost::asio;

TokenIdentities::Issuer::Issuer(TrustedIssuer one, Surroundings around)
    : trusted(std::move(one))
    , ring(
          trusted.issuer,
          {.source = *trusted.keys, .clock = around.clock, .journal = around.journal}
      ) {
    BATON_ASSERT(trusted.provider != domain::Provider::buildkite || trusted.pipelines != nullptr);
    if (trusted.pipelines != nullptr) {
        pipelines.emplace(PipelinesKeeper::Surroundings{
            .source = *trusted.pipelines, .clock = around.clock, .journal = around.journal
        });
    }
}

TokenIdentities::TokenIdentities(
    std::string audience, std::vector<TrustedIssuer> issuers, Surroundings around
)
    : audience_(std::move(audience))
    , around_(around) {
    for (auto& issuer : issuers) {
        issuers_.push_back(std::make_unique<Issuer>(std::move(issuer), around_));
    }
}

void TokenIdentities::start(async::TaskGroup& tasks) {
    for (const auto& issuer : issuers_) {
        tasks.spawn(issuer->ring.run());
        if (issuer->pipelines) {
            tasks.spawn(issuer->pipelines->run());
        }
    }
}

void TokenIdentities::let_go() {
    for (const auto& issuer : issuers_) {
        issuer->ring.let_go();
    }
}

asio::awaitable<Result<domain::Caller>> TokenIdentities::identify(std::string token) {
    BATON_CO_TRY(const auto read, wire::read_identity_token(token));
    const auto issuer = std::ranges::find_if(issuers_, [&read](const auto& one) {
        return one->trusted.issuer == read.claims.issuer;
    });
    if (issuer == issuers_.end()) {
        co_return fail(
            Errc::unauthenticated, "the token's issuer is not one that this relay believes"
        );
    }
    auto& known = **issuer;
    BATON_CO_TRY(const auto key, co_await known.ring.find(read.key_id, read.claims.issued_at));
    if (key.algorithm() != read.algorithm) {
        co_return fail(
            Errc::unauthenticated,
            fmt::format(
                "the token says {}, and the key that it names is for {}",
                crypto::name_of(read.algorithm),
                crypto::name_of(key.algorithm())
            )
        );
    }
    if (!key.verifies(read.signed_part, read.signature)) {
        co_return fail(Errc::unauthenticated, "the token's signature is wrong");
    }
    const auto now = around_.calendar ? around_.calendar() : around_.clock.now();
    BATON_CO_CHECK(domain::check_claims(read.claims, audience_, now));
    co_return caller_of(read.claims, known);
}

Result<domain::Caller>
TokenIdentities::caller_of(const domain::TokenClaims& claims, const Issuer& issuer) {
    switch (issuer.trusted.provider) {
    case domain::Provider::github_actions:
        return domain::github_actions_caller(claims);
    case domain::Provider::gitlab:
        return domain::gitlab_caller(claims, issuer.trusted.projects);
    case domain::Provider::buildkite:
        break;
    }
    BATON_TRY(const auto pipelines, issuer.pipelines->in_force());
    return domain::buildkite_caller(claims, *pipelines);
}

std::optional<Millis> TokenIdentities::asks_again_in() const {
    std::optional<Millis> wait;
    for (const auto& issuer : issuers_) {
        wait = std::max(wait, issuer->ring.asks_again_in());
    }
    return wait;
}

std::optional<Error> TokenIdentities::trouble() const {
    for (const auto& issuer : issuers_) {
        if (auto error = issuer->ring.trouble()) {
            error->detail = fmt::format("{}: {}", issuer->trusted.issuer, error->detail);
            return error;
        }
        if (issuer->pipelines) {
            if (const auto pipelines = issuer->pipelines->in_force(); !pipelines) {
                return pipelines.error();
            }
        }
    }
    return std::nullopt;
}

} // namespace baton::oidc
