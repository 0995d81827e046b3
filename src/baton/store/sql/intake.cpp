#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/retention.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/columns.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

// The unique id decides: a repeated delivery changes no row.
constexpr Query kInsert{
    "insert_delivery",
    "INSERT INTO delivery (id, event, action, repository, pr_number, head_sha, received_at_ms, "
    "plan_at_ms, body_bytes) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8) ON CONFLICT (id) DO NOTHING "
    "RETURNING sequence"
};
constexpr Query kInsertBody{
    "insert_body", "INSERT INTO delivery_body (sequence, zstd, at_ms) VALUES (?1, ?2, ?3)"
};

constexpr Query kToPlan{
    "deliveries_to_plan",
    "SELECT " BATON_DELIVERY_COLUMNS
    ", b.zstd FROM delivery AS d INDEXED BY delivery_to_plan LEFT JOIN delivery_body AS "
    "b USING (sequence) "
    "WHERE d.state = 'to_plan' AND d.plan_at_ms <= ?1 ORDER BY d.sequence LIMIT ?2"
};
constexpr Query kBodyOf{
    "body_of",
    "SELECT d.body_bytes, b.zstd FROM delivery AS d LEFT JOIN delivery_body AS b USING (sequence) "
    "WHERE d.id = ?1"
};

// Newest first. The rarest condition leads, through its index; the others filter what it finds.
constexpr Query kPage{
    "page_of_deliveries",
    "SELECT " BATON_DELIVERY_COLUMNS
    " FROM delivery AS d WHERE sequence < ?1 ORDER BY sequence DESC LIMIT ?2"
};
constexpr Query kPageOfEvent{
    "page_of_event",
    "SELECT " BATON_DELIVERY_COLUMNS
    " FROM delivery AS d WHERE event = ?3 AND sequence < ?1 ORDER BY sequence DESC LIMIT ?2"
};
constexpr Query kPageOfPr{
    "page_of_pr",
    "SELECT " BATON_DELIVERY_COLUMNS
    " FROM delivery AS d WHERE pr_number = ?4 AND (?3 = '' OR event = ?3) AND sequence < ?1 "
    "ORDER BY sequence DESC LIMIT ?2"
};
constexpr Query kPageOfPrAndState{
    "page_of_pr_and_state",
    "SELECT " BATON_DELIVERY_COLUMNS
    " FROM delivery AS d WHERE d.pr_number = ?4 AND (?3 = '' OR d.event = ?3) AND "
    "d.sequence < ?1 "
    "AND EXISTS (SELECT 1 FROM dispatch AS x WHERE x.state = ?5 AND x.delivery = d.sequence "
    "AND NOT EXISTS (SELECT 1 FROM dispatch AS newer WHERE newer.delivery = x.delivery "
    "AND newer.downstream = x.downstream AND newer.generation > x.generation)) "
    "ORDER BY d.sequence DESC LIMIT ?2"
};
constexpr Query kPageOfState{
    "page_of_state",
    "SELECT " BATON_DELIVERY_COLUMNS
    " FROM dispatch AS x INDEXED BY dispatch_in_state CROSS JOIN delivery AS d ON "
    "d.sequence = x.delivery WHERE x.state = ?4 AND x.delivery < ?1 AND (?3 = '' OR d.event = "
    "?3) AND NOT EXISTS (SELECT 1 FROM dispatch AS newer WHERE newer.delivery = x.delivery AND "
    "newer.downstream = x.downstream AND newer.generation > x.generation) GROUP BY x.delivery "
    "ORDER BY x.delivery DESC LIMIT ?2",
    "SELECT " BATON_DELIVERY_COLUMNS
    " FROM dispatch AS x JOIN delivery AS d ON d.sequence = x.delivery WHERE x.state "
    "= $4 AND x.delivery < $1 AND ($3 = '' OR d.event = $3) AND NOT EXISTS (SELECT 1 FROM "
    "dispatch AS newer WHERE newer.delivery = x.delivery AND newer.downstream = x.downstream "
    "AND newer.generation > x.generation) GROUP BY x.delivery, d.sequence ORDER BY x.delivery "
    "DESC LIMIT $2"
};

std::vector<ports::Delivery> all_of(Rows rows) {
    std::vector<ports::Delivery> found;
    while (rows.next()) {
        found.push_back(delivery_row(rows));
    }
    return found;
}

} // namespace

Later send_delivery(Connection& db, const ports::NewDelivery& delivery, std::size_t body_bytes) {
    return db.insert_later(
        kInsert,
        delivery.id.text(),
        delivery.event,
        delivery.action,
        delivery.repository,
        delivery.pr,
        delivery.head.text(),
        delivery.received_at,
        body_bytes
    );
}

bool keep_body(
    Connection& db, const Later& sent, const ports::NewDelivery& delivery, std::string_view packed
) {
    const auto sequence = db.id_of(sent);
    if (sequence == 0) {
        return false;
    }
    db.run(kInsertBody, sequence, Blob{packed}, delivery.received_at);
    return true;
}

bool insert_delivery(
    Connection& db,
    const ports::NewDelivery& delivery,
    std::size_t body_bytes,
    std::string_view packed
) {
    return keep_body(db, send_delivery(db, delivery, body_bytes), delivery, packed);
}

Result<std::vector<ports::DeliveryToPlan>>
deliveries_to_plan(Connection& db, TimePoint now, std::size_t limit) {
    std::vector<ports::DeliveryToPlan> found;
    auto rows = db.rows(kToPlan, now, limit);
    while (rows.next()) {
        ports::DeliveryToPlan next{.delivery = delivery_row(rows), .body = {}};
        // A body that is damaged must not keep all others from being planned: it comes empty.
        next.body = decompress(rows.bytes(10), next.delivery.body_bytes).value_or("");
        found.push_back(std::move(next));
    }
    return found;
}

Result<std::string> body_of(Connection& db, const DeliveryId& id) {
    auto rows = db.rows(kBodyOf, id.text());
    if (!rows.next()) {
        return fail(
            Errc::not_found, fmt::format("there is no delivery {} in the store", id.text())
        );
    }
    if (rows.is_null(1)) {
        return fail(Errc::not_found, past_retention(id));
    }
    return decompress(rows.bytes(1), static_cast<std::size_t>(rows.integer(0)));
}

std::vector<ports::Delivery>
list_deliveries(Connection& db, const ports::DeliveryPageQuery& query) {
    const auto before = query.before.value_or(std::numeric_limits<std::int64_t>::max());
    const auto limit = std::min(query.limit, limits::kPageRowsMax);
    if (query.with_state && query.pr) {
        const auto state = name_of(*query.with_state);
        return all_of(db.rows(kPageOfPrAndState, before, limit, query.event, query.pr, state));
    }
    if (query.with_state) {
        const auto state = name_of(*query.with_state);
        return all_of(db.rows(kPageOfState, before, limit, query.event, state));
    }
    if (query.pr) {
        return all_of(db.rows(kPageOfPr, before, limit, query.event, query.pr));
    }
    if (!query.event.empty()) {
        return all_of(db.rows(kPageOfEvent, before, limit, query.event));
    }
    return all_of(db.rows(kPage, before, limit));
}

} // namespace baton::store::sql::verbs
