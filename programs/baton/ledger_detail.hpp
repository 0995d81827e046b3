#pragma once

#include "baton/domain/plan.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace baton::program {

/// What the line about planning says.
struct PlannedDetail {
    std::string upstream;
    std::int64_t created{0};
    std::int64_t superseded{0};
    std::int64_t cancelled{0};
    std::vector<domain::Decision> decisions;
};

/// nullopt for any other line.
std::optional<PlannedDetail> planned_in(const ports::LedgerLine& line);

/// A line of the ledger for people, inert. The one about planning becomes a sentence for each
/// downstream that gets nothing, with the reason.
std::vector<std::string> sentences_of(const ports::LedgerLine& line);

/// The same for programs: a detail that is JSON stays JSON.
boost::json::object to_json(const ports::LedgerLine& line);

} // namespace baton::program
