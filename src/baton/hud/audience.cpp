#include "baton/hud/audience.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"
#include "baton/hud/downstream_line.hpp"

#include <optional>
#include <vector>

namespace baton::hud {

Audience::Audience(
    const std::vector<ListInForce>& lists,
    const std::optional<RepoName>& upstream,
    const std::optional<RepoName>& downstream
) {
    for (const auto& list : lists) {
        if (!list.allowlist || (upstream && *upstream != list.upstream)) {
            continue;
        }
        for (const auto& listed : list.allowlist->downstreams()) {
            if (listed.visibility == domain::Visibility::open &&
                (!downstream || *downstream == listed.repo)) {
                among_.push_back({.upstream = list.upstream, .downstream = listed.repo});
                levels_[{list.upstream, listed.repo}] = domain::listed_level(listed);
            }
        }
    }
}

domain::Level Audience::level_of(const RepoName& upstream, const RepoName& downstream) const {
    const auto found = levels_.find({upstream, downstream});
    return found == levels_.end() ? domain::Level::l1 : found->second;
}

} // namespace baton::hud
