#pragma once

#include "baton/base/time.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace baton::sim {

/// Names of permissions with "read" or "write".
using Grants = std::map<std::string, std::string, std::less<>>;

/// What an installation token allows.
struct TokenScope {
    InstallationId installation{};
    std::optional<std::set<RepoId>> repos; // nullopt: all of the installation
    Grants grants;
    TimePoint expires_at{};

    bool allows(std::string_view permission, std::string_view access) const;
};

/// The installation tokens in force. Opaque to everybody but this book; dead ones are forgotten as
/// new ones are made.
class TokenBook {
public:
    static constexpr std::chrono::hours kLife{1};

    explicit TokenBook(std::uint64_t seed)
        : chance_(seed_for(seed, "tokens")) {}

    std::string issue(TokenScope scope, TimePoint now); // sets the expiry
    /// nullptr when there is no such token or its hour is over.
    const TokenScope* find(std::string_view token, TimePoint now) const;

private:
    SeededChance chance_;
    std::map<std::string, TokenScope, std::less<>> tokens_;
};

} // namespace baton::sim
