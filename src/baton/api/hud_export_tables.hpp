#pragma once

#include "baton/api/hud_parts.hpp"

#include <boost/json/object.hpp>

#include <string_view>
#include <vector>

namespace baton::api {

using ExportRows = std::vector<boost::json::object>;

/// A list as a table.
struct ExportTable {
    std::string_view path; // without its ending
    Asked answer;
    std::vector<std::string_view> parameters;
    bool in_pages;                           // the answer takes limit and cursor
    ExportRows (*rows)(boost::json::object); // of one answer
    std::vector<std::string_view> columns;
    /// CSV: the rows that one row becomes; null: itself.
    ExportRows (*cells)(boost::json::object){nullptr};
};

/// All that can be had as CSV and NDJSON.
std::vector<ExportTable> export_tables();

} // namespace baton::api
