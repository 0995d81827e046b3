#pragma once

#include <string>
#include <vector>

namespace baton::app {

/// The files that a glob names, in the order of their names. `*` stops at `/`, `**` does not; a
/// glob without wildcards names one file. Links to folders are not followed, and what cannot be
/// read is passed over. At most 100,000 entries are looked at.
std::vector<std::string> find_files(const std::string& glob);

} // namespace baton::app
