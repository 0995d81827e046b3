#pragma once

#include "baton/base/ids.hpp"
#include "baton/domain/level.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/ports/failures.hpp"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace baton::hud {

/// Whom a question is about: of the downstreams that everybody may see those that were named, by
/// the lists of one moment.
class Audience {
public:
    Audience(
        const std::vector<ListInForce>& lists,
        const std::optional<RepoName>& upstream,
        const std::optional<RepoName>& downstream
    );

    const ports::Pairings& among() const { return among_; }

    /// As listed; the lowest of one that is not there.
    domain::Level level_of(const RepoName& upstream, const RepoName& downstream) const;

private:
    ports::Pairings among_;
    std::map<std::pair<RepoName, RepoName>, domain::Level> levels_;
};

} // namespace baton::hud
