#include "baton/hud/refused.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/hud/shown.hpp"
#include "baton/ports/operators.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 19> kHints{{
    {"no token", "send one Authorization header with the job's OIDC token"},
    {"bad token",
     "ask the CI for a fresh OIDC token with the audience of this relay, and send it at once"},
    {"too many bad tokens", "wait a minute, then send a good token"},
    {"not registered", "have the pipeline or project added to the relay's configuration"},
    {"keys unavailable", "send it again: the issuer's keys could not be fetched"},
    {"allowlist not read", "send it again in a minute"},
    {"other repository",
     "the repository was replaced by another of the same name: an admin of the relay has to run "
     "baton downstream repin"},
    {"not listed", "open a pull request that adds the repository to the upstream's allowlist"},
    {"rate limit", "send fewer reports: one at the start and one at the end of each job"},
    {"unusable body", "send what the detail asks for; baton report composes it"},
    {"no dispatch", "echo the delivery_id of the client_payload as it was dispatched"},
    {"callback token", "echo the callback_token of the client_payload as it was dispatched"},
    {"other run", "report from the job itself, with its own token"},
    {"not a commit", "name the upstream commit that was tested, in 40 hex digits"},
    {"self-report in progress", "report a nightly once, at its end"},
    {"unknown upstream", "name the upstream repository in payload.repository.full_name"},
    {"unknown commit", "test a commit that the upstream has"},
    {"contradiction", "report another attempt: this one has its verdict"},
    {"store unavailable", "send it again: the relay could not write it down"},
}};

} // namespace

std::string_view hint_for(std::string_view reason) {
    const auto* const found =
        std::ranges::find(kHints, reason, [](const auto& one) { return one.first; });
    return found == kHints.end() ? "do what the detail says" : found->second;
}

bool is_reason(std::string_view reason) {
    return std::ranges::any_of(kHints, [&](const auto& one) { return one.first == reason; });
}

bool may_be_told(const RepoName& downstream, const Shown& shown) {
    return downstream.empty() || shown.everywhere(downstream) || !shown.lists(downstream);
}

ports::RefusalGroup anonymous(ports::RefusalGroup group, const Shown& shown) {
    if (!group.newest.downstream.empty() && !shown.everywhere(group.newest.downstream)) {
        group.newest.downstream = {};
        group.newest.delivery.clear();
        group.newest.detail = "somebody whom no allowlist names";
    }
    return group;
}

std::vector<ports::RefusalTotal>
shown_totals(const std::vector<ports::RefusalTotal>& totals, const Shown& shown) {
    std::map<std::pair<RepoName, std::string>, ports::RefusalTotal> all;
    for (const auto& total : totals) {
        if (!may_be_told(total.downstream, shown)) {
            continue;
        }
        const auto named = shown.everywhere(total.downstream) ? total.downstream : RepoName();
        auto& sum = all[{named, total.reason}];
        sum.downstream = named;
        sum.reason = total.reason;
        sum.count += total.count;
        sum.last_at = std::max(sum.last_at, total.last_at);
    }
    std::vector<ports::RefusalTotal> list;
    list.reserve(all.size());
    for (auto& [key, total] : all) {
        list.push_back(std::move(total));
    }
    return list;
}

std::vector<ReasonTotal>
totals_by_reason(const std::vector<ports::RefusalTotal>& totals, const Shown& shown) {
    std::map<std::string, std::size_t> counts;
    for (const auto& total : shown_totals(totals, shown)) {
        counts[total.reason] += total.count;
    }
    std::vector<ReasonTotal> list;
    list.reserve(counts.size());
    for (const auto& [reason, count] : counts) {
        list.push_back({.reason = reason, .count = count});
    }
    std::ranges::sort(list, [](const ReasonTotal& a, const ReasonTotal& b) {
        return std::tuple(b.count, a.reason) < std::tuple(a.count, b.reason);
    });
    return list;
}

std::vector<CallerTotal>
totals_by_downstream(const std::vector<ports::RefusalTotal>& totals, const Shown& shown) {
    auto each = shown_totals(totals, shown);
    std::ranges::sort(each, [](const auto& a, const auto& b) {
        return std::tuple(b.count, a.reason) < std::tuple(a.count, b.reason);
    });
    std::map<RepoName, CallerTotal> sums;
    for (auto& total : each) {
        auto& sum = sums[total.downstream];
        if (sum.count == 0) {
            sum.downstream = total.downstream;
            sum.reason = std::move(total.reason);
        }
        sum.count += total.count;
        sum.last_at = std::max(sum.last_at, total.last_at);
    }
    std::vector<CallerTotal> list;
    list.reserve(sums.size());
    for (auto& [downstream, total] : sums) {
        list.push_back(std::move(total));
    }
    std::ranges::sort(list, [](const auto& a, const auto& b) {
        return std::tuple(b.count, a.downstream) < std::tuple(a.count, b.downstream);
    });
    return list;
}

TimePoint hour_before(TimePoint now, int hours) {
    return std::chrono::floor<std::chrono::hours>(now) - std::chrono::hours{hours};
}

} // namespace baton::hud
