#pragma once

#include "baton/store/sql/connection.hpp"
#include "baton/store/tools.hpp"

#include <cstddef>
#include <string>

/// What `verify` is put together from.
namespace baton::store::sql {

void note(Checked& checked, std::string finding);
std::size_t number_of(Connection& db, const Query& query);

// --- verify_results.cpp
Checked check_rollups(Connection& db);
Checked check_claims(Connection& db);
Checked check_latest_jobs(Connection& db);
Checked check_details(Connection& db);
Checked check_letters(Connection& db);
Checked check_notifications(Connection& db);

// --- verify_postings.cpp
Checked check_looks(Connection& db);
Checked check_postings(Connection& db);
Checked check_reruns(Connection& db);

// --- verify_cells.cpp
Checked check_cells(Connection& db);
Checked check_days(Connection& db);
Checked check_downstreams(Connection& db);

// --- verify_failures.cpp
Checked check_failed_tests(Connection& db);
Checked check_attributions(Connection& db);

// --- verify_ladder.cpp
Checked check_ladder(Connection& db);

} // namespace baton::store::sql
