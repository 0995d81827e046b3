#pragma once

#include "baton/base/result.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/profile.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Verdicts of the ladder as JSON: what is kept of an evaluation, and shown of it later. Keys stand
/// in a fixed order and numbers have one form, so that equal verdicts are equal bytes.
namespace baton::wire {

std::string verdict_json(const domain::LadderVerdict& verdict);
/// `invalid` with the pointer of what is wrong.
Result<domain::LadderVerdict> read_verdict(std::string_view json);

/// The figures behind a move: an object whose `criteria` each have what was measured, n and bounds.
std::string figures_json(const std::vector<domain::CriterionVerdict>& criteria);
Result<std::vector<domain::CriterionVerdict>> read_figures(std::string_view json);

} // namespace baton::wire
