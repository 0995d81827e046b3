#pragma once

#include "baton/base/time.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "checkup.hpp"

namespace baton::program {

/// Rows of text in columns as wide as their widest cell, two blanks apart. Cells are made inert:
/// what strangers wrote cannot move the cursor or pretend to be another row.
class Table {
public:
    explicit Table(std::vector<std::string> head);

    void add(std::vector<std::string> row);
    std::string text() const;

private:
    std::vector<std::vector<std::string>> rows_; // the first is the head
};

/// 2026-11-15 13:30:00: UTC, to the second, for tables.
std::string short_time(TimePoint when);

/// `1 error`, `2 errors`; also `2 dispatches` and `2 deliveries`.
std::string counted(std::size_t count, std::string_view word);

/// One line of JSON on standard output.
void print_json(const boost::json::value& value);

/// A text for JSON. Bytes that are no UTF-8 are written as \xNN, so that every parser takes it.
boost::json::value json_text(std::string_view text);

boost::json::object to_json(const Found& found);
boost::json::array to_json(const std::vector<Found>& found);

} // namespace baton::program
