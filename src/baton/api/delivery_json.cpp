#include "baton/api/hud_json.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/delivery.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstdint>

namespace baton::api {

namespace json = boost::json;

namespace {

json::object attempt_json(const ports::Attempt& attempt) {
    return {
        {"number", attempt.number},
        {"started_at", to_rfc3339(attempt.started_at)},
        {"ended_at", json_of(attempt.ended_at)},
        {"outcome",
         attempt.outcome ? json::value(domain::name_of(*attempt.outcome)) : json::value(nullptr)},
        {"status", attempt.status},
        {"detail", attempt.detail},
    };
}

json::object line_json(const ports::LedgerLine& line) {
    return {
        {"sequence", line.sequence},
        {"at", to_rfc3339(line.at)},
        {"kind", line.kind},
        {"detail", line.detail},
    };
}

} // namespace

json::object json_of(const ports::Delivery& delivery) {
    return {
        {"sequence", delivery.sequence},
        {"id", delivery.id.text()},
        {"event", delivery.event},
        {"action", delivery.action},
        {"repository", delivery.repository},
        {"number",
         delivery.pr ? json::value(static_cast<std::int64_t>(*delivery.pr)) : json::value(nullptr)},
        {"sha", delivery.head.text()},
        {"received_at", to_rfc3339(delivery.received_at)},
        {"state", delivery.state == ports::DeliveryState::planned ? "planned" : "to_plan"},
        {"body_bytes", delivery.body_bytes},
    };
}

json::object json_of(const ports::DispatchHistory& history) {
    const auto& dispatch = history.dispatch;
    return {
        {"id", static_cast<std::int64_t>(dispatch.id)},
        {"delivery", dispatch.key.delivery.text()},
        {"downstream", dispatch.key.downstream.text()},
        {"upstream", dispatch.upstream.text()},
        {"generation", dispatch.key.generation},
        {"level", domain::name_of(dispatch.level)},
        {"state", domain::name_of(dispatch.state)},
        {"reason", dispatch.reason},
        {"created_at", to_rfc3339(dispatch.created_at)},
        {"due_at", to_rfc3339(dispatch.due_at)},
        {"sent_at", json_of(dispatch.sent_at)},
        {"attempts", array_of(history.attempts, attempt_json)},
        {"jobs", array_of(history.jobs)},
    };
}

json::object json_of(const ports::DeliveryHistory& history) {
    return {
        {"delivery", json_of(history.delivery)},
        {"dispatches", array_of(history.dispatches)},
        {"ledger", array_of(history.ledger, line_json)},
        {"body_kept", history.body_kept},
        {"results_kept", history.results_kept},
    };
}

} // namespace baton::api
