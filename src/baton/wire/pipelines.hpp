#pragma once

#include "baton/domain/allowlist.hpp"
#include "baton/domain/identity.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace baton::wire {

/// What came of reading a pipelines file. `docs/design/identity.md` describes the format.
struct PipelinesReading {
    /// Absent as soon as one finding is an error: the file is taken whole or not at all.
    std::optional<domain::Pipelines> pipelines;
    /// In file order, warnings too.
    std::vector<domain::Finding> findings;
};

/// Reads and lints in one pass; any bytes get an answer. A file without content is an error: that
/// is what a failed write looks like.
PipelinesReading read_pipelines(std::string_view text);

} // namespace baton::wire
