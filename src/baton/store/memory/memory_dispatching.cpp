// The part of the tables that is about sending: what is due, leases, and the agenda that finds
// them.

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/domain/share.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/memory/memory_tables.hpp"
#include "baton/store/reporting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace baton::store::memory {

using domain::DispatchState;

namespace {

void keep_earliest(std::optional<TimePoint>& earliest, TimePoint when) {
    earliest = earliest ? std::min(*earliest, when) : when;
}

constexpr DispatchId kLastId{std::numeric_limits<std::int64_t>::max()};

} // namespace

void Tables::enter(const DispatchRow& row) {
    const auto& dispatch = row.dispatch;
    if (dispatch.state == DispatchState::pending) {
        pending_[dispatch.key.downstream].emplace(dispatch.due_at, dispatch.id);
        if (row.leased()) {
            leased_.insert(dispatch.id);
        }
    }
    if (dispatch.sent_at) {
        sent_[dispatch.key.downstream].emplace(*dispatch.sent_at, dispatch.id);
        if (dispatch.state == DispatchState::sent && row.awaits_start) {
            awaiting_.emplace(*dispatch.sent_at, dispatch.id);
        }
    }
}

void Tables::leave(const DispatchRow& row) {
    const auto& dispatch = row.dispatch;
    const auto drop = [&dispatch](Agenda& agenda, TimePoint when) {
        const auto at = agenda.find(dispatch.key.downstream);
        if (at != agenda.end()) {
            at->second.erase({when, dispatch.id});
            if (at->second.empty()) {
                agenda.erase(at);
            }
        }
    };
    drop(pending_, dispatch.due_at);
    leased_.erase(dispatch.id);
    if (dispatch.sent_at) {
        drop(sent_, *dispatch.sent_at);
        awaiting_.erase({*dispatch.sent_at, dispatch.id});
    }
}

std::vector<DispatchId> Tables::pending_ids() const {
    std::vector<DispatchId> ids;
    for (const auto& [downstream, agenda] : pending_) {
        std::ranges::transform(agenda, std::back_inserter(ids), &When::second);
    }
    std::ranges::sort(ids);
    return ids;
}

ports::DueView Tables::due(const ports::DueQuery& query) const {
    ports::DueView view;
    for (const auto& [downstream, agenda] : pending_) {
        if (auto waiting = waiting_of(downstream, agenda, query)) {
            view.waiting.push_back(*std::move(waiting));
        }
        const auto next = agenda.upper_bound({query.now, kLastId});
        if (next != agenda.end()) {
            keep_earliest(view.next_due, next->first);
        }
    }
    for (const auto id : leased_) {
        const auto until = dispatches_.at(id).lease_until;
        if (until > query.now) {
            keep_earliest(view.next_due, until);
        }
    }
    return view;
}

std::optional<domain::Waiting> Tables::waiting_of(
    const RepoName& downstream, const std::set<When>& agenda, const ports::DueQuery& query
) const {
    domain::Waiting waiting;
    for (const auto& [due, id] : agenda) {
        if (due > query.now || waiting.due == limits::kInFlightMax) {
            break;
        }
        const auto& row = dispatches_.at(id);
        if (row.lease_until <= query.now && !is_held(row, query.now)) {
            waiting.oldest_due = waiting.due == 0 ? due : waiting.oldest_due;
            waiting.level = std::max(waiting.level, row.dispatch.level);
            ++waiting.due;
        }
    }
    if (waiting.due == 0) {
        return std::nullopt;
    }
    waiting.downstream = downstream;
    waiting.running =
        sent_after(downstream, query.now - ports::running_for_of(query, downstream), true);
    waiting.sent_today = sent_after(downstream, query.now - std::chrono::hours{24}, false);
    return waiting;
}

std::size_t Tables::sent_after(const RepoName& downstream, TimePoint cut, bool running_only) const {
    const auto at = sent_.find(downstream);
    if (at == sent_.end()) {
        return 0;
    }
    const auto counts = [&](const When& when) {
        const auto state = dispatches_.at(when.second).dispatch.state;
        return !running_only || state == DispatchState::sent || state == DispatchState::started;
    };
    const auto first = at->second.upper_bound({cut, kLastId});
    return static_cast<std::size_t>(std::count_if(first, at->second.end(), counts));
}

std::vector<ports::LeasedDispatch> Tables::lease(const ports::LeaseQuery& query) {
    for (const auto& [until, id] : leases()) {
        auto& row = dispatches_.at(id);
        if (until <= query.now && row.mark && !is_under_way(query, id)) {
            rest_as_marked(row, query.now);
        }
    }
    std::vector<ports::LeasedDispatch> leased;
    for (const auto& share : query.shares) {
        for (const auto id : to_lease(share, query)) {
            auto& row = dispatches_.at(id);
            if (!arrived(row, query.now)) {
                leased.push_back(take(row, query));
            }
        }
    }
    return leased;
}

std::vector<DispatchId>
Tables::to_lease(const domain::Share& share, const ports::LeaseQuery& query) const {
    std::vector<DispatchId> ids;
    const auto at = pending_.find(share.downstream);
    if (at == pending_.end()) {
        return ids;
    }
    for (const auto& [due, id] : at->second) {
        if (due > query.now || ids.size() == share.count) {
            break;
        }
        const auto& row = dispatches_.at(id);
        if (row.lease_until <= query.now && !is_under_way(query, id) && !is_held(row, query.now)) {
            ids.push_back(id);
        }
    }
    return ids;
}

std::vector<Tables::When> Tables::leases() const {
    std::vector<When> found;
    for (const auto id : leased_) {
        found.emplace_back(dispatches_.at(id).lease_until, id);
    }
    std::ranges::sort(found);
    return found;
}

ports::LeasedDispatch Tables::take(DispatchRow& row, const ports::LeaseQuery& query) {
    if (row.leased()) { // its holder is gone, and with it what became of the attempt
        lose_attempt(row);
    }
    change(row, [&query](DispatchRow& changed) {
        ++changed.dispatch.attempts;
        ++changed.fence;
        changed.lease_until = query.until;
    });
    ports::Attempt attempt;
    attempt.number = row.dispatch.attempts;
    attempt.started_at = query.now;
    row.attempts.push_back(std::move(attempt));
    const ports::Lease lease{
        .dispatch = row.dispatch.id, .fence = Fence{row.fence}, .until = query.until
    };
    return {.dispatch = row.dispatch, .lease = lease};
}

Result<DispatchState> Tables::settle(const ports::Settlement& settlement) {
    const auto& lease = settlement.lease;
    const auto at = dispatches_.find(lease.dispatch);
    if (at == dispatches_.end() || !at->second.leased() || Fence{at->second.fence} != lease.fence) {
        return fail(
            Errc::conflict,
            fmt::format(
                "the lease {} on dispatch {} is no longer held",
                static_cast<std::int64_t>(lease.fence),
                static_cast<std::int64_t>(lease.dispatch)
            )
        );
    }
    auto& row = at->second;
    auto verdict = settlement.verdict;
    if (verdict.state == DispatchState::pending && row.mark) {
        verdict.state = *row.mark;
        verdict.reason = row.mark_reason;
    }
    if (!domain::may_become(row.dispatch.state, verdict.state)) {
        return fail(
            Errc::invalid, fmt::format("a dispatch cannot become {}", name_of(verdict.state))
        );
    }
    const bool heard_of = heed(verdict, domain::heard_from(jobs_of(row.dispatch.id)));
    auto& attempt = row.attempts.back();
    attempt.ended_at = settlement.now;
    attempt.outcome = settlement.answer.outcome;
    attempt.status = settlement.answer.status;
    attempt.detail = settlement.answer.detail;
    change(row, [&](DispatchRow& changed) {
        auto& dispatch = changed.dispatch;
        dispatch.state = verdict.state;
        dispatch.reason = verdict.reason;
        dispatch.trim = verdict.trim;
        dispatch.due_at =
            verdict.state == DispatchState::pending ? verdict.due_at : dispatch.due_at;
        if (heard_of || verdict.state == DispatchState::sent) {
            dispatch.sent_at = settlement.now;
        }
        changed.lease_until = TimePoint{};
        changed.mark.reset();
        changed.mark_reason.clear();
    });
    if (heard_of || is_told(verdict.state)) {
        write_line(
            settlement.now,
            name_of(verdict.state),
            row.dispatch.key.delivery,
            row.dispatch.id,
            verdict.reason
        );
        look_at(row.dispatch, settlement.now);
    }
    return verdict.state;
}

ports::Adoption Tables::adopt(const InstanceId& instance, TimePoint now) {
    ports::Adoption adoption;
    void_letter_leases(now);
    void_check_leases(now);
    for (const auto& [until, id] : leases()) {
        auto& row = dispatches_.at(id);
        if (row.mark) {
            rest_as_marked(row, now);
            continue;
        }
        if (arrived(row, now)) {
            continue;
        }
        lose_attempt(row);
        change(row, [now](DispatchRow& changed) {
            changed.lease_until = TimePoint{};
            changed.dispatch.due_at = now;
        });
        ++adoption.voided_leases;
    }
    if (adoption.voided_leases > 0) {
        write_line(
            now,
            kLeasesVoided,
            {},
            std::nullopt,
            leases_voided_detail(adoption.voided_leases, instance)
        );
    }
    return adoption;
}

} // namespace baton::store::memory
