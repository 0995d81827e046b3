#pragma once

#include "baton/ports/checks.hpp"

#include <boost/json/array.hpp>

#include <string>
#include <vector>

namespace baton::program {

/// What stands on a commit, or should: a table for people. Empty without any.
std::string text_of(const std::vector<ports::KeptPosting>& postings);

boost::json::array to_json(const std::vector<ports::KeptPosting>& postings);

} // namespace baton::program
