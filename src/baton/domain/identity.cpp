#include "baton/domain/identity.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/token_claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace baton::domain {

namespace {

Result<std::string_view> claim_in(const TokenClaims& claims, std::string_view name) {
    const auto text = claims.text(name);
    if (text.empty()) {
        return fail(Errc::unauthenticated, fmt::format("the token has no claim {}", name));
    }
    return text;
}

Result<std::int64_t> id_in(const TokenClaims& claims, std::string_view name) {
    BATON_TRY(const auto text, claim_in(claims, name));
    const auto number = whole_number(text);
    if (!number || *number == 0) {
        return fail(
            Errc::unauthenticated, fmt::format("the token's claim {} is not a number", name)
        );
    }
    return *number;
}

Result<int> attempt_in(const TokenClaims& claims) {
    constexpr std::string_view kName = "run_attempt";
    if (claims.text(kName).empty()) {
        return 0;
    }
    BATON_TRY(const auto attempt, id_in(claims, kName));
    if (attempt > std::numeric_limits<int>::max()) {
        return fail(Errc::unauthenticated, "the token's claim run_attempt is out of range");
    }
    return static_cast<int>(attempt);
}

Result<void> check_required(const TokenClaims& claims, const Pipeline& pipeline) {
    for (const auto& [name, values] : pipeline.required) {
        if (std::ranges::find(values, claims.text(name)) == values.end()) {
            return fail(
                Errc::forbidden,
                fmt::format(
                    "the token's claim {} is \"{}\", and this relay takes reports for {} only with "
                    "\"{}\": run the report where that holds, or ask the relay's operator to "
                    "change required_claims in its pipelines file",
                    inert(name),
                    inert(claims.text(name)),
                    pipeline.repo.text(),
                    inert(fmt::format("{}", fmt::join(values, "\" or \"")))
                )
            );
        }
    }
    return {};
}

} // namespace

Result<Caller> github_actions_caller(const TokenClaims& claims) {
    BATON_TRY(const auto name, claim_in(claims, "repository"));
    auto repo = RepoName::parse(name);
    if (!repo) {
        return fail(Errc::unauthenticated, "the token's claim repository is not owner/repo");
    }
    BATON_TRY(const auto repository, id_in(claims, "repository_id"));
    BATON_TRY(const auto owner, id_in(claims, "repository_owner_id"));
    BATON_TRY(const auto attempt, attempt_in(claims));
    return Caller{
        .provider = Provider::github_actions,
        .repo = *std::move(repo),
        .ids = ImmutableIds{.repository = repository, .owner = owner},
        .run_id = std::string(claims.text("run_id")),
        .run_attempt = attempt,
    };
}

Result<Caller> buildkite_caller(const TokenClaims& claims, const Pipelines& pipelines) {
    BATON_TRY(const auto organization, claim_in(claims, "organization_id"));
    BATON_TRY(const auto pipeline, claim_in(claims, "pipeline_id"));
    const auto key = lower(fmt::format("{}/{}", organization, pipeline));
    const auto found = pipelines.find(key);
    if (found == pipelines.end()) {
        return fail(
            Errc::forbidden,
            fmt::format(
                "the Buildkite pipeline {} is not registered with this relay: ask its operator to "
                "add the line \"{}: OWNER/REPO\" to the relay's pipelines file",
                inert(key),
                inert(key)
            )
        );
    }
    if (auto held = check_required(claims, found->second); !held) {
        return fail(std::move(held).error());
    }
    return Caller{
        .provider = Provider::buildkite,
        .repo = found->second.repo,
        .ids = std::nullopt, // its ids are UUIDs, and the file is keyed by them
        .run_id = {},
        .run_attempt = 0,
    };
}

Result<Caller> gitlab_caller(const TokenClaims& claims, const Projects& projects) {
    BATON_TRY(const auto path, claim_in(claims, "project_path"));
    const auto found = projects.find(std::string(path));
    if (found == projects.end()) {
        return fail(
            Errc::forbidden,
            fmt::format(
                "the GitLab project {} is not registered with this relay: ask its operator to add "
                "it to oidc.issuers.projects in the relay's configuration",
                inert(path)
            )
        );
    }
    BATON_TRY(const auto project, id_in(claims, "project_id"));
    BATON_TRY(const auto group, id_in(claims, "namespace_id"));
    return Caller{
        .provider = Provider::gitlab,
        .repo = found->second,
        .ids = ImmutableIds{.repository = project, .owner = group},
        .run_id = {},
        .run_attempt = 0,
    };
}

} // namespace baton::domain
