#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/connection.hpp"

#include <cstddef>
#include <map>
#include <vector>

namespace baton::store::sql {

/// What tools ask that the relay never does; see store/tools.hpp. The caller has made sure that the
/// schema is ours.
Result<std::vector<ports::AllowlistVersion>> allowlists_in_force(Connection& db);
Result<std::map<RepoName, std::size_t>>
pending_by_downstream(Connection& db, const RepoName& upstream);

} // namespace baton::store::sql
