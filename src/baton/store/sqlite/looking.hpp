#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/ports/store.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace baton::store::sqlite {

/// What tools ask that the relay never does; see store/tools.hpp. The caller has made sure that the
/// schema is ours.
Result<std::vector<ports::AllowlistVersion>> allowlists_in_force(const std::string& path);
Result<std::map<RepoName, std::size_t>>
pending_by_downstream(const std::string& path, const RepoName& upstream);

} // namespace baton::store::sqlite
