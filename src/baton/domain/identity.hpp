#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/token_claims.hpp"

#include <map>
#include <string>
#include <vector>

/// Which repository a believed token speaks for. Each CI names it in its own way.
/// `unauthenticated`: the token lacks what its kind of issuer always says; `forbidden`: nobody
/// registered who it names, and the detail says what to do. See docs/design/identity.md.
namespace baton::domain {

/// A claim that has to have one of these values; one that is absent has the value "".
struct RequiredClaim {
    std::string name;
    std::vector<std::string> values;

    friend bool operator==(const RequiredClaim&, const RequiredClaim&) = default;
};

struct Pipeline {
    RepoName repo;
    std::vector<RequiredClaim> required;

    friend bool operator==(const Pipeline&, const Pipeline&) = default;
};

/// Buildkite's pipelines by `organization/pipeline`, two UUIDs in lower case.
using Pipelines = std::map<std::string, Pipeline>;

/// GitLab's projects by `group/project`.
using Projects = std::map<std::string, RepoName>;

Result<Caller> github_actions_caller(const TokenClaims& claims);
Result<Caller> buildkite_caller(const TokenClaims& claims, const Pipelines& pipelines);
Result<Caller> gitlab_caller(const TokenClaims& claims, const Projects& projects);

} // namespace baton::domain
