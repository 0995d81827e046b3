#include "baton/store/sql/rows.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/columns.hpp"
#include "baton/store/sql/connection.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::sql {

namespace {

using domain::Association;

constexpr std::array kAssociations{
    Association::none,
    Association::first_timer,
    Association::first_time_contributor,
    Association::contributor,
    Association::collaborator,
    Association::member,
    Association::owner,
};

constexpr Query kDispatch{
    "dispatch", "SELECT " BATON_DISPATCH_COLUMNS " FROM dispatch_row AS r WHERE id = ?1"
};

std::optional<PrNumber> pr_number(const Rows& row, int column) {
    const auto number = row.maybe_integer(column);
    return number ? std::optional(PrNumber{*number}) : std::nullopt;
}

} // namespace

DispatchRow dispatch_row(const Rows& row) {
    DispatchRow found;
    auto& dispatch = found.dispatch;
    dispatch.id = DispatchId{row.integer(0)};
    dispatch.key.delivery = DeliveryId(row.text(1));
    dispatch.key.downstream = repo_name(row.view(2));
    dispatch.key.generation = static_cast<int>(row.integer(3));
    dispatch.upstream = repo_name(row.view(4));
    dispatch.event_type = row.text(5);
    dispatch.pr = pr_number(row, 6);
    dispatch.head = HeadSha(row.text(7));
    dispatch.level = static_cast<domain::Level>(row.integer(8)); // 1 to 4 by the schema's check
    dispatch.device = row.text(9);
    dispatch.state =
        domain::dispatch_state_named(row.view(10)).value_or(domain::DispatchState::pending);
    dispatch.reason = row.text(11);
    dispatch.created_at = row.time(12);
    dispatch.due_at = row.time(13);
    dispatch.sent_at = row.maybe_time(14);
    dispatch.attempts = static_cast<int>(row.integer(15));
    dispatch.trim = static_cast<domain::TrimStep>(row.integer(16));
    found.lease_until = row.time(17);
    found.fence = row.integer(18);
    found.mark = row.is_null(19) ? std::nullopt : domain::dispatch_state_named(row.view(19));
    found.mark_reason = row.text(20);
    found.delivery = row.integer(21);
    found.silent_at = row.maybe_time(22);
    dispatch.ref = row.text(23);
    found.tells_of_closing = row.view(24) == "closed";
    return found;
}

std::vector<DispatchRow> dispatch_rows(Rows rows) {
    std::vector<DispatchRow> found;
    while (rows.next()) {
        found.push_back(dispatch_row(rows));
    }
    return found;
}

std::optional<DispatchRow> dispatch_with(Connection& db, DispatchId id) {
    auto rows = db.rows(kDispatch, id);
    return rows.next() ? std::optional(dispatch_row(rows)) : std::nullopt;
}

ports::Delivery delivery_row(const Rows& row) {
    ports::Delivery delivery;
    delivery.sequence = row.integer(0);
    delivery.id = DeliveryId(row.text(1));
    delivery.event = row.text(2);
    delivery.action = row.text(3);
    delivery.repository = row.text(4);
    delivery.pr = pr_number(row, 5);
    delivery.head = HeadSha(row.text(6));
    delivery.received_at = row.time(7);
    delivery.state =
        row.view(8) == "planned" ? ports::DeliveryState::planned : ports::DeliveryState::to_plan;
    delivery.body_bytes = static_cast<std::size_t>(row.integer(9));
    return delivery;
}

ports::AllowlistVersion allowlist_row(const Rows& row) {
    return {
        .upstream = repo_name(row.view(0)),
        .source = row.text(1),
        .mark = row.text(2),
        .text = row.text(3),
        .in_force_at = row.time(4),
    };
}

std::vector<ports::LedgerLine> ledger_rows(Rows rows) {
    std::vector<ports::LedgerLine> lines;
    while (rows.next()) {
        const auto dispatch = rows.maybe_integer(4);
        lines.push_back({
            .sequence = rows.integer(0),
            .at = rows.time(1),
            .kind = rows.text(2),
            .delivery = rows.text(3),
            .dispatch = dispatch ? std::optional(DispatchId{*dispatch}) : std::nullopt,
            .detail = rows.text(5),
        });
    }
    return lines;
}

RepoName repo_name(std::string_view text) {
    auto name = RepoName::parse(text);
    return name ? *std::move(name) : RepoName{};
}

std::string_view word_for(Association association) {
    switch (association) {
    case Association::none:
        return "none";
    case Association::first_timer:
        return "first_timer";
    case Association::first_time_contributor:
        return "first_time_contributor";
    case Association::contributor:
        return "contributor";
    case Association::collaborator:
        return "collaborator";
    case Association::member:
        return "member";
    case Association::owner:
        return "owner";
    }
    return "none";
}

Association association_for(std::string_view word) {
    for (const auto association : kAssociations) {
        if (word_for(association) == word) {
            return association;
        }
    }
    return Association::none;
}

} // namespace baton::store::sql
