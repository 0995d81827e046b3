#include "baton/app/identities.hpp"

#include "baton/app/text_sources.hpp"
#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/caller.hpp"
#include "baton/oidc/key_fetcher.hpp"
#include "baton/oidc/token_identities.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace baton::app {

namespace {

domain::Provider provider_of(config::IssuerKind kind) {
    switch (kind) {
    case config::IssuerKind::github_actions:
        return domain::Provider::github_actions;
    case config::IssuerKind::buildkite:
        return domain::Provider::buildkite;
    case config::IssuerKind::gitlab:
        break;
    }
    return domain::Provider::gitlab;
}

} // namespace

Result<std::unique_ptr<oidc::TokenIdentities>>
make_identities(const std::optional<config::Oidc>& oidc, const IdentitySurroundings& around) {
    if (!oidc) {
        return nullptr;
    }
    std::vector<oidc::TrustedIssuer> issuers;
    for (const auto& one : oidc->issuers) {
        auto keys = oidc::KeyFetcher::make(
            around.executor, {.issuer = one.issuer, .jwks_url = one.jwks_url}
        );
        if (!keys) {
            return fail(
                Errc::invalid, fmt::format("oidc.issuers: {}: {}", one.issuer, keys.error().detail)
            );
        }
        oidc::TrustedIssuer issuer{
            .issuer = one.issuer,
            .provider = provider_of(one.kind),
            .keys = *std::move(keys),
            .pipelines = nullptr,
            .projects = one.projects,
        };
        if (!one.pipelines_file.empty()) {
            around.sources.push_back(std::make_unique<FileSource>(one.pipelines_file, around.pool));
            issuer.pipelines = around.sources.back().get();
        }
        issuers.push_back(std::move(issuer));
    }
    return std::make_unique<oidc::TokenIdentities>(
        oidc->audience,
        std::move(issuers),
        oidc::TokenIdentities::Surroundings{
            .clock = around.clock,
            .journal = around.journal,
            .calendar = [&clock = around.clock] { return clock.calendar(); },
        }
    );
}

} // namespace baton::app
