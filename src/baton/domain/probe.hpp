#pragma once

#include "baton/domain/figures.hpp"

#include <string>
#include <string_view>

/// A probe is a downstream that is there to prove the relay: what each of its jobs should end with
/// stands in the job's name, as PyTorch's probe repository has it.
namespace baton::domain {

/// `xfail`, `xcancel` and `xtimeout` in the name are made to end so; every other job is made to
/// pass.
CellOutcome made_for(std::string_view job);

/// What is wrong with how a job of the probe ended: one that was made to fail and passes is wrong
/// too. Empty: nothing, or it still runs.
std::string fault_of_probe(std::string_view job, CellOutcome outcome);

} // namespace baton::domain
