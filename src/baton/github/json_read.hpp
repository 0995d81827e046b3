#pragma once

#include <boost/json/value.hpp>

#include <string_view>

/// Reading what GitHub answers: whatever is not there, or of another kind, is absent.
namespace baton::github {

/// Null when the body is no JSON.
boost::json::value parsed(std::string_view body);

const boost::json::value* member(const boost::json::value& root, std::string_view name);

} // namespace baton::github
