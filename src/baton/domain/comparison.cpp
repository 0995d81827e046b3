#include "baton/domain/comparison.hpp"

#include "baton/base/ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

using Key = std::pair<DeliveryId, RepoName>;

/// The first of several about one delivery and downstream; one that sends comes before one that
/// does not, since a downstream that had to wait may get it later.
std::map<Key, const OwnDecision*> by_key(const std::vector<OwnDecision>& ours) {
    std::map<Key, const OwnDecision*> found;
    for (const auto& one : ours) {
        auto& held = found[{one.delivery, one.downstream}];
        if (held == nullptr || (one.sends && !held->sends)) {
            held = &one;
        }
    }
    return found;
}

void compare_times(RelayComparison& result, const OwnDecision& mine, const OtherDispatch& other) {
    if (other.at) {
        result.apart.push_back(*other.at - mine.at);
    }
}

} // namespace

RelayComparison
compare(const std::vector<OwnDecision>& ours, const std::vector<OtherDispatch>& theirs) {
    RelayComparison result;
    const auto own = by_key(ours);
    std::map<Key, const OtherDispatch*> others;
    for (const auto& other : theirs) {
        others.try_emplace({other.delivery, other.downstream}, &other);
    }
    for (const auto& [key, other] : others) {
        const auto at = own.find(key);
        Difference difference{.delivery = key.first, .downstream = key.second, .reason = {}};
        if (at == own.end()) {
            difference.reason = "we have no such delivery, or the downstream is not listed";
            result.only_they.push_back(std::move(difference));
        } else if (const auto& mine = *at->second; !mine.sends) {
            difference.reason = mine.reason;
            result.only_they.push_back(std::move(difference));
        } else if (!other->event_type.empty() && other->event_type != mine.event_type) {
            difference.reason =
                fmt::format("{} here, {} there", mine.event_type, other->event_type);
            result.other_event.push_back(std::move(difference));
        } else {
            ++result.agreed;
            compare_times(result, mine, *other);
        }
    }
    for (const auto& [key, mine] : own) {
        if (mine->sends && !others.contains(key)) {
            result.only_we.push_back(
                {.delivery = key.first, .downstream = key.second, .reason = mine->reason}
            );
        }
    }
    std::ranges::sort(result.apart);
    return result;
}

} // namespace baton::domain
