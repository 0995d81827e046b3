#pragma once

#include <string>
#include <vector>

#include "e2e/chaos/history.hpp"

namespace baton::test {

/// The rules of `broken_rules` that are about results.
std::vector<std::string> broken_results(const History& history);

} // namespace baton::test
