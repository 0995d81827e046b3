#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <span>
#include <string>
#include <string_view>

/// Tables as files: rows are the objects of the JSON, so that no figure is computed twice.
namespace baton::api {

/// One cell of RFC 4180: quoted where it has to be, nothing for null. A text that a spreadsheet
/// would take for a formula gets a ' in front; numbers stay numbers.
std::string csv_cell(const boost::json::value& value);

/// The names of the columns: where in a row's object their values are, joined with a dot.
std::string csv_head(std::span<const std::string_view> columns);
std::string csv_line(const boost::json::object& row, std::span<const std::string_view> columns);

} // namespace baton::api
