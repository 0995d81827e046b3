#pragma once

#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/migrations.hpp"
#include "baton/store/tools.hpp"

#include <span>
#include <string_view>

namespace baton::store::sql {

/// What one of the checks is called.
inline constexpr std::string_view kPendingDispatches = "pending dispatches";

/// A check that the database itself broke off is a finding too, and a refusal where it does not let
/// us look.
void keep(Verification& found, Connection& db, Checked checked);

/// What any database can be asked, within one snapshot. False when the schema is not `migrations`:
/// then its rows are not looked at.
bool verify_schema_and_rows(
    Connection& db,
    std::span<const Migration> migrations,
    Verification& found,
    const Progress& progress
);

} // namespace baton::store::sql
