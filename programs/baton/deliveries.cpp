// baton deliveries list | show | redeliver | recover: what arrived, what became of it, and sending
// it again.

#include "deliveries.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "job_text.hpp"
#include "ledger_detail.hpp"
#include "print.hpp"

namespace baton::program {

namespace json = boost::json;

namespace {

json::value number_or_null(const std::optional<PrNumber>& pr) {
    return pr ? json::value(static_cast<std::int64_t>(*pr)) : json::value(nullptr);
}

} // namespace

void add_deliveries(CLI::App& app, int& exit_code) {
    auto* group = app.add_subcommand("deliveries", "Look at what arrived, and send it again");
    group->require_subcommand(1);
    group->footer("These open the store itself, beside a running relay or without one.\n"
                  "`baton deliveries COMMAND --help` says more.");
    add_deliveries_list(*group, exit_code);
    add_deliveries_show(*group, exit_code);
    add_deliveries_redeliver(*group, exit_code);
    add_deliveries_recover(*group, exit_code);
}

std::string place_of(const ports::Delivery& delivery) {
    return delivery.pr
               ? fmt::format("{}#{}", delivery.repository, static_cast<std::int64_t>(*delivery.pr))
               : delivery.repository;
}

json::object to_json(const ports::Delivery& delivery) {
    return {
        {"sequence", delivery.sequence},
        {"delivery", json_text(delivery.id.text())},
        {"received_at", to_rfc3339(delivery.received_at)},
        {"event", json_text(delivery.event)},
        {"action", json_text(delivery.action)},
        {"repository", json_text(delivery.repository)},
        {"pr", number_or_null(delivery.pr)},
        {"head_sha", json_text(delivery.head.text())},
        {"state", delivery.state == ports::DeliveryState::planned ? "planned" : "to_plan"},
        {"body_bytes", delivery.body_bytes},
    };
}

json::object to_json(const domain::Dispatch& dispatch) {
    json::object out{
        {"dispatch", static_cast<std::int64_t>(dispatch.id)},
        {"delivery", json_text(dispatch.key.delivery.text())},
        {"downstream", dispatch.key.downstream.text()},
        {"generation", dispatch.key.generation},
        {"event_type", dispatch.event_type},
        {"pr", number_or_null(dispatch.pr)},
        {"head_sha", json_text(dispatch.head.text())},
        {"level", name_of(dispatch.level)},
        {"device", json_text(dispatch.device)},
        {"state", name_of(dispatch.state)},
        {"reason", json_text(dispatch.reason)},
        {"created_at", to_rfc3339(dispatch.created_at)},
        {"sent_at", nullptr},
        {"due_at", nullptr},
        {"attempts", dispatch.attempts},
        {"trim", dispatch.trim},
    };
    if (dispatch.sent_at) {
        out["sent_at"] = to_rfc3339(*dispatch.sent_at);
    }
    if (dispatch.state == domain::DispatchState::pending) {
        out["due_at"] = to_rfc3339(dispatch.due_at);
    }
    return out;
}

std::string outcome_of(const ports::Attempt& attempt) {
    return attempt.outcome ? std::string(name_of(*attempt.outcome))
                           : "never written down: perhaps it arrived";
}

json::object to_json(const ports::Attempt& attempt) {
    json::object out{
        {"number", attempt.number},
        {"started_at", to_rfc3339(attempt.started_at)},
        {"ended_at", nullptr},
        {"outcome", nullptr},
        {"written_down", attempt.ended_at.has_value()},
        {"status", attempt.status},
        {"detail", json_text(attempt.detail)},
    };
    if (attempt.ended_at) {
        out["ended_at"] = to_rfc3339(*attempt.ended_at);
    }
    if (attempt.outcome) {
        out["outcome"] = name_of(*attempt.outcome);
    }
    return out;
}

json::object to_json(const ports::DeliveryHistory& history) {
    json::array dispatches;
    for (const auto& one : history.dispatches) {
        auto dispatch = to_json(one.dispatch);
        json::array attempts;
        for (const auto& attempt : one.attempts) {
            attempts.emplace_back(to_json(attempt));
        }
        dispatch["attempts"] = std::move(attempts);
        json::array jobs;
        for (const auto& job : one.jobs) {
            jobs.emplace_back(to_json(job));
        }
        dispatch["jobs"] = std::move(jobs);
        dispatches.emplace_back(std::move(dispatch));
    }
    json::array ledger;
    for (const auto& line : history.ledger) {
        ledger.emplace_back(to_json(line));
    }
    return {
        {"delivery", to_json(history.delivery)},
        {"dispatches", std::move(dispatches)},
        {"ledger", std::move(ledger)},
    };
}

std::vector<std::string> state_names() {
    std::vector<std::string> names;
    for (const auto state : domain::kDispatchStates) {
        names.emplace_back(name_of(state));
    }
    return names;
}

std::vector<std::string> resting_state_names() {
    std::vector<std::string> names;
    for (const auto state : domain::kDispatchStates) {
        if (domain::is_at_rest(state)) {
            names.emplace_back(name_of(state));
        }
    }
    return names;
}

} // namespace baton::program
