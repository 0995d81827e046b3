#pragma once

#include "baton/base/time.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/tools.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

/// What `verify` is put together from.
namespace baton::store::sql {

void note(Checked& checked, std::string finding);
/// Of what ended before, results may be pruned, and roll-ups count more than there is: then they
/// are only held to count no less.
TimePoint pruned_until(Connection& db);
std::size_t number_of(Connection& db, const Query& query);

inline constexpr std::size_t kLargeRowsAtOnce = 64;

/// Shows each row of a query over large rows, a few of which are fetched at once: memory does not
/// grow with the store. Its first column is the key that it is ordered by, ?1 the last one seen, ?2
/// how many are wanted.
template <class Look> void each_large_row(Connection& db, const Query& query, Look look) {
    auto last = std::numeric_limits<std::int64_t>::min();
    for (std::size_t found = kLargeRowsAtOnce; found == kLargeRowsAtOnce;) {
        auto rows = db.rows(query, last, kLargeRowsAtOnce);
        for (found = 0; rows.next(); ++found) {
            last = rows.integer(0);
            look(rows);
        }
    }
}

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
