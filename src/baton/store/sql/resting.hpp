#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/rows.hpp"

#include <optional>
#include <string>
#include <string_view>

/// Steps that several verbs share: lines of the ledger, and how a pending dispatch comes to rest.
namespace baton::store::sql {

struct NewLine {
    TimePoint at{};
    std::string_view kind;
    std::string_view delivery;
    std::optional<DispatchId> dispatch;
    std::string_view detail;
};

void write_line(Connection& db, const NewLine& line);

/// The outcome of the newest attempt can no longer be known: nobody is left to write it.
void lose_attempt(Connection& db, const domain::Dispatch& dispatch);

struct Rest {
    domain::DispatchState state{domain::DispatchState::cancelled}; // superseded or cancelled
    std::string reason;
    TimePoint now{};
};

/// Brings a pending dispatch to rest with its line in the ledger. One that is leased now is only
/// marked; then false.
bool bring_to_rest(Connection& db, const DispatchRow& row, const Rest& rest);

/// A marked dispatch whose lease ran out or is void: what it was marked for happens now.
void rest_as_marked(Connection& db, const DispatchRow& row, TimePoint now);

} // namespace baton::store::sql
