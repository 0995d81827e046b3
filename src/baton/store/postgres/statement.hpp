#pragma once

#include "baton/store/postgres/session.hpp"
#include "baton/store/sql/connection.hpp"

#include <libpq-fe.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::store::postgres {

class PostgresEngine;

/// Values as libpq takes them, one of each per place.
struct Bound {
    std::vector<const char*> values;
    std::vector<Oid> types;
    std::vector<int> lengths;
    std::vector<int> formats;
};

/// Values go and come as text, bytes excepted; numbers say that they are numbers. All rows are
/// fetched at once.
class PostgresStatement final : public sql::Statement {
public:
    PostgresStatement(PostgresEngine& engine, std::string name, const sql::Query& query)
        : engine_(engine)
        , name_(std::move(name))
        , query_(query) {}

    void expect(std::size_t places) override;
    void bind(int place, std::int64_t value) override;
    void bind(int place, double value) override;
    void bind(int place, std::string_view value, sql::Keep keep) override;
    void bind(int place, sql::Blob value, sql::Keep keep) override;

    bool step() override;
    void send(sql::Later id) override;
    std::int64_t changed() const override;
    void reset() override;

    std::int64_t integer(int column) const override;
    double real(int column) const override;
    std::string_view view(int column) const override;
    std::string_view bytes(int column) const override;
    bool is_null(int column) const override;

    const std::string& name() const { return name_; }

    const sql::Query& query() const { return query_; }

private:
    /// Text that PostgreSQL finds a type for by itself, unless it is said.
    struct Value {
        std::string bytes;
        Oid type{0};
        bool binary{false};
    };

    void put(int place, Value value);
    Bound bound() const;

    PostgresEngine& engine_;
    std::string name_; // on the server
    const sql::Query& query_;
    std::vector<std::optional<Value>> values_;
    Answer answer_; // null before the first step
    int row_{-1};
    mutable std::map<int, std::string> unpacked_; // bytes of this row, by column
};

} // namespace baton::store::postgres
