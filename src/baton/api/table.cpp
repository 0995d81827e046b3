#include "baton/api/table.hpp"

#include "baton/wire/csv.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <fmt/core.h>

#include <span>
#include <string>
#include <string_view>

namespace baton::api {

namespace json = boost::json;

namespace {

const json::value* value_at(const json::object& row, std::string_view path) {
    const auto dot = path.find('.');
    const auto* value = row.if_contains(path.substr(0, dot));
    if (value == nullptr || dot == std::string_view::npos) {
        return value;
    }
    const auto* inside = value->if_object();
    return inside == nullptr ? nullptr : value_at(*inside, path.substr(dot + 1));
}

} // namespace

std::string csv_cell(const json::value& value) {
    if (value.is_null()) {
        return "";
    }
    const auto* text = value.if_string();
    if (text != nullptr) {
        return wire::csv_text(*text);
    }
    if (const auto* number = value.if_double(); number != nullptr) {
        return fmt::format("{}", *number); // 0.73, not 7.3E-1 as JSON may say
    }
    const bool plain = value.is_number() || value.is_bool();
    return plain ? json::serialize(value) : wire::csv_text(json::serialize(value));
}

std::string csv_head(std::span<const std::string_view> columns) {
    std::string line;
    for (const auto column : columns) {
        line.append(line.empty() ? "" : ",").append(column);
    }
    return line.append(wire::kCsvLineEnd);
}

std::string csv_line(const json::object& row, std::span<const std::string_view> columns) {
    std::string line;
    bool first = true;
    for (const auto column : columns) {
        line.append(first ? "" : ",");
        first = false;
        if (const auto* value = value_at(row, column); value != nullptr) {
            line.append(csv_cell(*value));
        }
    }
    return line.append(wire::kCsvLineEnd);
}

} // namespace baton::api
