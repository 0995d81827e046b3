#pragma once

#include "baton/ports/store.hpp"

#include <boost/json/object.hpp>

#include <string>
#include <vector>

namespace baton::program {

/// A line of the ledger for people, inert. The one about planning becomes a sentence for each
/// downstream that gets nothing, with the reason.
std::vector<std::string> sentences_of(const ports::LedgerLine& line);

/// The same for programs: a detail that is JSON stays JSON.
boost::json::object to_json(const ports::LedgerLine& line);

} // namespace baton::program
