#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"

#include <string>
#include <vector>

namespace baton::app {

/// Runs a program found in PATH, without a shell, and returns what it wrote to standard output, at
/// most 64 KiB. Its standard error is ours. `unavailable` when it cannot be started or fails;
/// `timed_out` when it still runs after `wait`: then it is killed.
Result<std::string> run_program(const std::vector<std::string>& words, Millis wait);

} // namespace baton::app
