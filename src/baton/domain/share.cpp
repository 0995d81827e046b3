#include "baton/domain/share.hpp"

#include "baton/domain/quota.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace baton::domain {

namespace {

std::size_t room(std::optional<int> limit, std::size_t used) {
    if (!limit) {
        return std::numeric_limits<std::size_t>::max();
    }
    const auto most = static_cast<std::size_t>(std::max(*limit, 0));
    return most > used ? most - used : 0;
}

/// How many dispatches of this downstream may go now, were there slots for all.
std::size_t allowance(const Waiting& waiting, std::size_t per_downstream) {
    if (waiting.held) {
        return 0;
    }
    const std::size_t at_once =
        waiting.troubled ? std::min<std::size_t>(1, per_downstream) : per_downstream;
    const std::size_t in_flight = at_once > waiting.in_flight ? at_once - waiting.in_flight : 0;
    // What is under way will be running and counted today, should it arrive.
    const std::size_t concurrent =
        room(waiting.max_concurrent, waiting.running + waiting.in_flight);
    const std::size_t today = room(waiting.max_per_day, waiting.sent_today + waiting.in_flight);
    return std::min({waiting.due, in_flight, concurrent, today});
}

struct Claim {
    const Waiting* waiting;
    std::size_t allowed;
    std::size_t given;
    std::size_t* given_to_account; // all claims of one owner together
};

bool may_have_one_more(const Claim& claim) {
    return claim.given < claim.allowed &&
           *claim.given_to_account <
               claim.waiting->quota_room.value_or(std::numeric_limits<std::size_t>::max());
}

} // namespace

std::vector<Share> share_out(std::vector<Waiting> waiting, Slots slots) {
    std::ranges::sort(waiting, [](const Waiting& a, const Waiting& b) {
        if (a.level != b.level) {
            return a.level > b.level;
        }
        return a.oldest_due != b.oldest_due ? a.oldest_due < b.oldest_due
                                            : a.downstream < b.downstream;
    });
    std::map<std::string, std::size_t> given_to_accounts;
    std::vector<Claim> claims;
    for (const auto& one : waiting) {
        if (const auto allowed = allowance(one, slots.per_downstream); allowed > 0) {
            auto* const together = &given_to_accounts[account_of(one.downstream)];
            claims.push_back(
                {.waiting = &one, .allowed = allowed, .given = 0, .given_to_account = together}
            );
        }
    }
    bool progress = true;
    while (progress && slots.free > 0) {
        progress = false;
        for (auto& claim : claims) {
            if (slots.free > 0 && may_have_one_more(claim)) {
                ++claim.given;
                ++*claim.given_to_account;
                --slots.free;
                progress = true;
            }
        }
    }
    std::vector<Share> shares;
    for (const auto& claim : claims) {
        if (claim.given > 0) {
            shares.push_back({.downstream = claim.waiting->downstream, .count = claim.given});
        }
    }
    return shares;
}

} // namespace baton::domain
