#include "baton/store/moving/rows.hpp"

#include "baton/base/text.hpp"
#include "baton/store/moving/tables.hpp"
#include "baton/store/postgres/dialect.hpp"
#include "baton/store/sql/connection.hpp"

#include <fmt/format.h>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace baton::store::moving {

namespace {

constexpr std::size_t kShownMax = 40; // bytes of one value in a sentence

void bind_value(sql::Statement& statement, int place, const Column& column, const Value& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        statement.bind(place, *number);
    } else if (const auto* real = std::get_if<double>(&value)) {
        statement.bind(place, *real);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
        if (column.kind == Kind::bytes) {
            statement.bind(place, sql::Blob{*text}, sql::Keep::borrowed);
        } else {
            statement.bind(place, std::string_view(*text), sql::Keep::borrowed);
        }
    } // a place that is not bound is NULL
}

} // namespace

Row row_in(const sql::Rows& rows, const Table& table) {
    Row row;
    row.values.reserve(table.columns.size());
    for (int at = 0; const auto& column : table.columns) {
        const int place = at++;
        if (rows.is_null(place)) {
            row.values.emplace_back();
            continue;
        }
        switch (column.kind) {
        case Kind::integer:
            row.values.emplace_back(rows.integer(place));
            break;
        case Kind::real:
            row.values.emplace_back(rows.real(place));
            break;
        case Kind::bytes:
            row.values.emplace_back(std::string(rows.bytes(place)));
            break;
        case Kind::text:
            auto text = postgres::clean(rows.view(place));
            row.cleaned = row.cleaned || text != rows.view(place);
            row.values.emplace_back(std::move(text));
            break;
        }
    }
    return row;
}

std::weak_ordering by_key(const Table& table, const Row& left, const Row& right) {
    for (const auto at : table.key) {
        if (left.values[at] != right.values[at]) {
            return left.values[at] < right.values[at] ? std::weak_ordering::less
                                                      : std::weak_ordering::greater;
        }
    }
    return std::weak_ordering::equivalent;
}

std::string value_text(const Column& column, const Value& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        return fmt::format("{}", *number);
    }
    if (const auto* real = std::get_if<double>(&value)) {
        return fmt::format("{}", *real);
    }
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) {
        return "NULL";
    }
    if (column.kind == Kind::bytes) { // among them are keys that sign
        return fmt::format("{} bytes", text->size());
    }
    return fmt::format("'{}'", cut_to(*text, kShownMax));
}

std::string key_text(const Table& table, const Row& row) {
    std::string text;
    for (const auto at : table.key) {
        text += text.empty() ? "" : " ";
        text += value_text(table.columns[at], row.values[at]);
    }
    return text;
}

std::size_t weight_of(const Row& row) {
    std::size_t bytes = 0;
    for (const auto& value : row.values) {
        const auto* text = std::get_if<std::string>(&value);
        bytes += text == nullptr ? 0 : text->size();
    }
    return bytes;
}

void insert(
    Connection& database, const Query& query, const Table& table, std::span<const Row> rows
) {
    auto* statement = database.engine().statement_for(query);
    if (statement == nullptr) {
        return;
    }
    statement->expect(rows.size() * table.places);
    int place = 0;
    for (const auto& row : rows) {
        for (std::size_t at = 0; at < table.columns.size(); ++at) {
            if (!table.columns[at].generated) {
                bind_value(*statement, ++place, table.columns[at], row.values[at]);
            }
        }
    }
    statement->step();
    statement->reset();
}

FetchedRows::FetchedRows(Connection& database, const Table& table)
    : database_(database)
    , table_(table) {
    database_.script(table.statements->declare.query().sql, "move_declare");
}

FetchedRows::~FetchedRows() {
    database_.script("CLOSE moving", "move_close");
}

void FetchedRows::fetch() {
    fetched_.clear();
    at_ = 0;
    auto rows = database_.rows(table_.statements->fetch.query());
    while (rows.next()) {
        fetched_.push_back(row_in(rows, table_));
    }
}

std::optional<Row> FetchedRows::next() {
    if (at_ == fetched_.size()) {
        fetch();
    }
    return fetched_.empty() ? std::nullopt : std::optional(std::move(fetched_[at_++]));
}

} // namespace baton::store::moving
