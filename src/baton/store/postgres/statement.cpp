#include "baton/store/postgres/statement.hpp"

#include "baton/store/postgres/dialect.hpp"
#include "baton/store/postgres/postgres_engine.hpp"
#include "baton/store/postgres/session.hpp"
#include "baton/store/sql/connection.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::store::postgres {

using sql::Blob;
using sql::Keep;

namespace {

// PostgreSQL's numbers of its types, for ever.
constexpr Oid kInt8 = 20;
constexpr Oid kFloat8 = 701;

int digit(char c) {
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

/// `\x0aff`.
std::string unpacked(std::string_view hex) {
    std::string bytes;
    bytes.reserve(hex.size() / 2);
    for (std::size_t at = 2; at + 1 < hex.size(); at += 2) {
        bytes.push_back(static_cast<char>(digit(hex[at]) * 16 + digit(hex[at + 1])));
    }
    return bytes;
}

} // namespace

void PostgresStatement::expect(std::size_t places) {
    values_.assign(places, std::nullopt);
}

void PostgresStatement::put(int place, Value value) {
    values_[static_cast<std::size_t>(place) - 1] = std::move(value);
}

void PostgresStatement::bind(int place, std::int64_t value) {
    put(place, {.bytes = fmt::format_int(value).str(), .type = kInt8});
}

void PostgresStatement::bind(int place, double value) {
    put(place, {.bytes = fmt::format("{}", value), .type = kFloat8});
}

void PostgresStatement::bind(int place, std::string_view value, Keep /*keep*/) {
    put(place, {.bytes = clean(value)});
}

void PostgresStatement::bind(int place, Blob value, Keep /*keep*/) {
    put(place, {.bytes = std::string(value.bytes), .binary = true});
}

Bound PostgresStatement::bound() const {
    Bound bound;
    for (const auto& value : values_) {
        bound.values.push_back(value ? value->bytes.c_str() : nullptr);
        bound.types.push_back(value ? value->type : 0);
        bound.lengths.push_back(value ? static_cast<int>(value->bytes.size()) : 0);
        bound.formats.push_back(value && value->binary ? 1 : 0);
    }
    return bound;
}

void PostgresStatement::send(sql::Later id) {
    engine_.send(*this, bound(), std::move(id));
}

bool PostgresStatement::step() {
    if (engine_.failure()) {
        return false;
    }
    if (answer_ == nullptr) {
        answer_ = engine_.execute(*this, bound());
        row_ = -1;
    }
    unpacked_.clear();
    return answer_ != nullptr && ++row_ < PQntuples(answer_.get());
}

std::int64_t PostgresStatement::changed() const {
    return number_in(PQcmdTuples(answer_.get()));
}

void PostgresStatement::reset() {
    answer_.reset();
    values_.clear();
    unpacked_.clear();
}

std::int64_t PostgresStatement::integer(int column) const {
    return number_in(view(column));
}

double PostgresStatement::real(int column) const {
    return std::strtod(PQgetvalue(answer_.get(), row_, column), nullptr);
}

std::string_view PostgresStatement::view(int column) const {
    const auto size = PQgetlength(answer_.get(), row_, column);
    return {PQgetvalue(answer_.get(), row_, column), static_cast<std::size_t>(size)};
}

std::string_view PostgresStatement::bytes(int column) const {
    auto [found, fresh] = unpacked_.try_emplace(column);
    if (fresh) {
        found->second = unpacked(view(column));
    }
    return found->second;
}

bool PostgresStatement::is_null(int column) const {
    return PQgetisnull(answer_.get(), row_, column) != 0;
}

} // namespace baton::store::postgres
