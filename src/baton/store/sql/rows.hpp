#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/event.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/connection.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::store::sql {

/// A row of the view dispatch_row: the dispatch and what only the store knows of it.
struct DispatchRow {
    domain::Dispatch dispatch;
    TimePoint lease_until{}; // the epoch: not leased
    std::int64_t fence{0};
    std::optional<domain::DispatchState> mark;
    std::string mark_reason;
    std::int64_t delivery{0};
    std::optional<TimePoint> silent_at; // nobody had started it by then
    bool tells_of_closing{false};

    bool leased() const { return lease_until != TimePoint{}; }
};

/// From BATON_DISPATCH_COLUMNS.
DispatchRow dispatch_row(const Rows& row);
std::vector<DispatchRow> dispatch_rows(Rows rows);
std::optional<DispatchRow> dispatch_with(Connection& db, DispatchId id);

/// From BATON_DELIVERY_COLUMNS.
ports::Delivery delivery_row(const Rows& row);

/// From `SELECT upstream, source, mark, text, in_force_at_ms FROM allowlist_version`.
ports::AllowlistVersion allowlist_row(const Rows& row);

/// From `SELECT sequence, at_ms, kind, delivery, dispatch, detail FROM ledger`.
std::vector<ports::LedgerLine> ledger_rows(Rows rows);

/// Empty when the text is no repository name: only an empty upstream is ever written so.
RepoName repo_name(std::string_view text);

std::string_view word_for(domain::Association association);
domain::Association association_for(std::string_view word);

} // namespace baton::store::sql
