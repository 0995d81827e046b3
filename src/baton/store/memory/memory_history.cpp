// The part of the tables that people look at: histories, figures, and sending once more by hand.

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/memory/memory_tables.hpp"
#include "baton/store/retention.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

namespace baton::store::memory {

using domain::DispatchState;

Result<ports::DeliveryHistory> Tables::delivery_history(const DeliveryId& id) const {
    const auto* row = find(id);
    if (row == nullptr) {
        return fail(
            Errc::not_found, fmt::format("there is no delivery {} in the store", id.text())
        );
    }
    ports::DeliveryHistory history{
        .delivery = row->delivery,
        .body_kept = row->body.has_value(),
        .dispatches = {},
        .ledger = {},
    };
    if (const auto at = by_delivery_.find(row->delivery.sequence); at != by_delivery_.end()) {
        for (const auto& [key, dispatch] : at->second) {
            const auto& found = dispatches_.at(dispatch);
            history.dispatches.push_back({
                .dispatch = found.dispatch,
                .attempts = found.attempts,
                .jobs = jobs_of(dispatch),
            });
        }
    }
    std::ranges::copy_if(ledger_, std::back_inserter(history.ledger), [&id](const auto& line) {
        return line.delivery == id.text();
    });
    history.results_kept = !history.dispatches.empty() || !results_until_ ||
                           row->delivery.received_at >= *results_until_;
    return history;
}

std::vector<DispatchId> Tables::to_redeliver(const ports::RedeliverQuery& query) const {
    std::vector<std::pair<std::pair<DispatchState, std::int64_t>, DispatchId>> found;
    for (const auto& [sequence, dispatches] : by_delivery_) {
        if (query.delivery.empty() && !deliveries_.at(sequence).body) {
            continue; // there is nothing to send
        }
        for (auto entry = dispatches.begin(); entry != dispatches.end(); ++entry) {
            const auto newer = std::next(entry); // generations of one downstream stand side by side
            const bool newest =
                newer == dispatches.end() || newer->first.first != entry->first.first;
            const auto& dispatch = dispatches_.at(entry->second).dispatch;
            const bool wanted =
                query.states.empty() ||
                std::ranges::find(query.states, dispatch.state) != query.states.end();
            if (newest && wanted && domain::is_at_rest(dispatch.state) &&
                (query.delivery.empty() || query.delivery == dispatch.key.delivery) &&
                (!query.downstream || *query.downstream == dispatch.key.downstream)) {
                found.push_back({{dispatch.state, sequence}, dispatch.id});
            }
        }
    }
    std::ranges::sort(found);
    found.resize(std::min({found.size(), query.limit, limits::kPageRowsMax}));
    std::vector<DispatchId> ids;
    std::ranges::transform(found, std::back_inserter(ids), [](const auto& entry) {
        return entry.second;
    });
    return ids;
}

Result<std::size_t> Tables::redeliver(const ports::RedeliverQuery& query) {
    const auto ids = to_redeliver(query);
    if (!ids.empty() && !query.delivery.empty() && !find(query.delivery)->body) {
        return fail(Errc::conflict, past_retention(query.delivery));
    }
    for (const auto id : ids) {
        const auto before = dispatches_.at(id).dispatch;
        domain::NewDispatch next = before;
        ++next.key.generation;
        next.state = DispatchState::pending;
        next.reason = redelivered_by(query.actor);
        const auto added = add(next, query.now);
        write_line(
            query.now,
            kRedelivered,
            before.key.delivery,
            added,
            redelivered_detail(before, query.actor)
        );
        look_at(before, query.now);
    }
    return ids.size();
}

ports::Counts Tables::counts() const {
    ports::Counts counts;
    counts.deliveries = deliveries_.size();
    counts.to_plan = to_plan_.size();
    for (const auto state : domain::kDispatchStates) {
        counts.dispatches.emplace_back(state, 0);
    }
    for (const auto& [id, row] : dispatches_) {
        const auto state = row.dispatch.state;
        ++std::ranges::find(counts.dispatches, state, [](const auto& pair) {
              return pair.first;
          })->second;
        if (state == DispatchState::pending && !counts.oldest_pending) {
            counts.oldest_pending = row.dispatch.created_at;
        }
        counts.unknown_outcomes += static_cast<std::size_t>(
            std::ranges::count(row.attempts, domain::Outcome::unknown, &ports::Attempt::outcome)
        );
    }
    return counts;
}

} // namespace baton::store::memory
