#pragma once

#include "baton/base/result.hpp"
#include "baton/domain/dispatch.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

/// A webhook body made small enough, and what it lost.
///
/// A name in `trimmed` is a path from the top: `pull_request.body` is gone; of
/// `pull_request.user.*` only the members that are always kept, or the most useful few, are left;
/// `[]` stands for each element; `*` for the top itself.
struct TrimmedPayload {
    std::string json;
    std::vector<std::string> trimmed;
};

/// What downstreams rely on and what is therefore never dropped. Paths as in TrimmedPayload.
std::span<const std::string_view> kept_fields();

/// The bytes that the names in `trimmed` take as elements of a JSON list, commas included.
std::size_t names_size(const std::vector<std::string>& trimmed);

/// Makes the payload and the names of what it lost fit into `budget_bytes` together.
///
/// A body that fits stays as it is, byte for byte; one that fits without its blanks loses only
/// these. Else fields go one after another in the fixed order of the table in trim.cpp until it
/// fits. `at_least` is what earlier refusals asked for: from 1 every bulky field goes, fit or not;
/// from 2 only kept_fields() are left.
///
/// `invalid` when not even those fit, or when the payload is not a JSON object of at most
/// limits::kJsonDepthMax levels.
Result<TrimmedPayload>
trim(std::string_view payload_json, std::size_t budget_bytes, domain::TrimStep at_least);

} // namespace baton::wire
