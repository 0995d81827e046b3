#pragma once

#include "baton/quality/criteria.hpp"

#include <boost/json/object.hpp>

#include <memory>
#include <string>
#include <vector>

namespace baton::program {

/// The verbs of `baton quality criteria`.
struct CriteriaCommand {
    std::vector<std::string> names;
    bool json{false};
};

int show_criteria(const CriteriaCommand& command);

/// What a set is, without its items.
boost::json::object json_of(const quality::CriteriaSet& set);

/// The set, or nullptr after saying what is wrong with it.
std::shared_ptr<const quality::CriteriaSet>
set_or_complain(const std::string& name, int& exit_code);

} // namespace baton::program
