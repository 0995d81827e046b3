#include "baton/api/table.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace baton::api {

namespace json = boost::json;

namespace {

constexpr std::string_view kEnd = "\r\n";

std::string quoted(std::string_view text) {
    std::string cell = "\"";
    for (const char c : text) {
        cell.append(c == '"' ? 2 : 1, c);
    }
    return cell + '"';
}

std::string text_cell(std::string_view text) {
    constexpr std::string_view kFormula = "=+-@\t\r";
    constexpr std::string_view kQuoted = "\",\r\n";
    std::string safe;
    if (!text.empty() && kFormula.find(text.front()) != std::string_view::npos) {
        safe = "'";
    }
    safe += text;
    return safe.find_first_of(kQuoted) == std::string::npos ? safe : quoted(safe);
}

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
        return text_cell(*text);
    }
    const bool plain = value.is_number() || value.is_bool();
    return plain ? json::serialize(value) : text_cell(json::serialize(value));
}

std::string csv_head(std::span<const std::string_view> columns) {
    std::string line;
    for (const auto column : columns) {
        line.append(line.empty() ? "" : ",").append(column);
    }
    return line.append(kEnd);
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
    return line.append(kEnd);
}

} // namespace baton::api
