#pragma once

#include "baton/base/ids.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace baton::domain {

/// Whose CI a downstream runs in: each names repositories and runs in its own way.
enum class Provider : std::uint8_t { github_actions = 1, buildkite, gitlab };

/// The numbers by which a CI's host knows a repository whatever it is called.
struct ImmutableIds {
    std::int64_t repository{0};
    std::int64_t owner{0};

    friend bool operator==(const ImmutableIds&, const ImmutableIds&) = default;
};

/// Who calls back, as a verified token says. Nothing here is the caller's own word.
struct Caller {
    Provider provider{Provider::github_actions};
    RepoName repo;
    std::optional<ImmutableIds> ids; // where the issuer tells them
    std::string run_id;              // the run that the token was made for; empty: not told
    int run_attempt{0};              // 0: not told

    friend bool operator==(const Caller&, const Caller&) = default;
};

} // namespace baton::domain
