#include "print.hpp"

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"

#include <boost/json/serialize.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::program {

namespace json = boost::json;

namespace {

/// Characters, not bytes; enough for names and reasons.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

} // namespace

Table::Table(std::vector<std::string> head) {
    add(std::move(head));
}

void Table::add(std::vector<std::string> row) {
    for (auto& cell : row) {
        cell = inert(cell);
    }
    rows_.push_back(std::move(row));
}

std::string Table::text() const {
    std::vector<std::size_t> widths(rows_.front().size());
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], width_of(row[i]));
        }
    }
    std::string out;
    for (const auto& row : rows_) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += row[i] + std::string(widths[i] - width_of(row[i]) + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

std::string short_time(TimePoint when) {
    auto text = to_rfc3339(when).substr(0, std::string_view("2026-11-15T13:30:00").size());
    std::ranges::replace(text, 'T', ' ');
    return text;
}

std::string counted(std::size_t count, std::string_view word) {
    const bool hisses = word.ends_with('s') || word.ends_with('x') || word.ends_with("ch");
    const bool changes = word.ends_with("ry"); // delivery, deliveries
    if (count == 1) {
        return fmt::format("1 {}", word);
    }
    return changes ? fmt::format("{} {}ies", count, word.substr(0, word.size() - 1))
                   : fmt::format("{} {}{}", count, word, hisses ? "es" : "s");
}

void print_json(const json::value& value) {
    fmt::print("{}\n", json::serialize(value));
}

json::value json_text(std::string_view text) {
    return json::value(broken_utf8_at(text) ? json::string(inert(text)) : json::string(text));
}

json::object to_json(const Found& found) {
    const bool error = found.finding.severity == domain::Severity::error;
    return {
        {"file", json_text(found.file)},
        {"line", found.finding.line},
        {"column", found.finding.column},
        {"severity", error ? "error" : "warning"},
        {"message", json_text(found.finding.message)},
    };
}

json::array to_json(const std::vector<Found>& found) {
    json::array all;
    for (const auto& one : found) {
        all.emplace_back(to_json(one));
    }
    return all;
}

} // namespace baton::program
