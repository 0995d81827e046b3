#pragma once

#include "baton/domain/job.hpp"

#include <boost/json/object.hpp>

#include <string>

namespace baton::program {

/// `ci / test, run 7 (attempt 2)`
std::string name_of_job(const domain::Job& job);

/// How it stands and what to know about it: `failure after 12m; 3 of 120 tests failed; unbound`
std::string words_about(const domain::Job& job);

boost::json::object to_json(const domain::Job& job);

} // namespace baton::program
