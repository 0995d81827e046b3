#include "baton/api/audit.hpp"

#include "baton/api/admins.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::api {

namespace json = boost::json;

namespace {

constexpr std::array<std::string_view, 13> kActions{
    "redelivered",
    "rerun_ordered",
    "suspended",
    "resumed",
    "gate_suspended",
    "gate_resumed",
    "tested",
    "repinned",
    "letters_revived",
    "noted",
    "note_removed",
    "acknowledged",
    "acknowledgement_lifted",
};

std::string text_in(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    const auto* text = value == nullptr ? nullptr : value->if_string();
    return text == nullptr ? std::string() : std::string(*text);
}

json::object object_in(const std::string& detail) {
    boost::system::error_code broken;
    auto value = json::parse(detail, broken);
    return !broken && value.is_object() ? std::move(value.get_object()) : json::object();
}

/// "by ACTOR: the rest"
std::pair<std::string, std::string> split_actor(const std::string& detail) {
    constexpr std::string_view kBy = "by ";
    const auto colon = detail.find(": ");
    if (!detail.starts_with(kBy) || colon == std::string::npos) {
        return {"", detail};
    }
    return {detail.substr(kBy.size(), colon - kBy.size()), detail.substr(colon + 2)};
}

AuditLine with_object(AuditLine act, const json::object& object) {
    act.actor = text_in(object, "actor");
    act.reason = text_in(object, "reason");
    return act;
}

std::optional<AuditLine> gate_act(AuditLine act, const ports::LedgerLine& line) {
    const auto object = object_in(line.detail);
    const auto* by_hand = object.if_contains("by_hand");
    if (by_hand == nullptr || !by_hand->is_bool() || !by_hand->get_bool()) {
        return std::nullopt; // the circuit breaker
    }
    act = with_object(std::move(act), object);
    act.subject = text_in(object, "downstream");
    act.detail = "of the gate of " + text_in(object, "upstream");
    return act;
}

/// "…, by ACTOR"; the relay orders re-runs too.
std::optional<AuditLine> rerun_act(AuditLine act, const ports::LedgerLine& line) {
    constexpr std::string_view kBy = ", by ";
    const auto by = line.detail.rfind(kBy);
    act.actor = by == std::string::npos ? "" : line.detail.substr(by + kBy.size());
    act.detail = line.detail.substr(0, by);
    const bool by_itself = act.actor == "baton" || act.actor == "infrastructure";
    return by_itself ? std::nullopt : std::optional(std::move(act));
}

std::optional<AuditLine> told_act(AuditLine act, const ports::LedgerLine& line) {
    constexpr std::string_view kTest = "a test that ";
    constexpr std::string_view kAsked = " asked for";
    if (line.kind == "tested" && line.detail.starts_with(kTest) && line.detail.ends_with(kAsked)) {
        act.actor =
            line.detail.substr(kTest.size(), line.detail.size() - kTest.size() - kAsked.size());
        act.subject = line.delivery;
        return act;
    }
    auto [actor, rest] = split_actor(line.detail);
    act.actor = std::move(actor);
    act.detail = rest;
    act.subject = line.delivery.empty() ? rest.substr(0, rest.find_first_of(" ,")) : line.delivery;
    return act;
}

} // namespace

bool is_action(std::string_view word) {
    return std::ranges::find(kActions, word) != kActions.end();
}

std::optional<AuditLine> audit_line_of(const ports::LedgerLine& line) {
    AuditLine act{.id = line.sequence, .at = line.at, .action = line.kind, .detail = line.detail};
    if (line.kind == "acted") {
        const auto object = object_in(line.detail);
        act = with_object(std::move(act), object);
        act.action = text_in(object, "action");
        act.subject = text_in(object, "subject");
        act.detail = text_in(object, "text");
        return is_action(act.action) ? std::optional(std::move(act)) : std::nullopt;
    }
    if (!is_action(line.kind)) {
        return std::nullopt;
    }
    std::optional<AuditLine> told;
    if (line.kind == "gate_suspended" || line.kind == "gate_resumed") {
        told = gate_act(std::move(act), line);
    } else if (line.kind == "rerun_ordered") {
        told = rerun_act(std::move(act), line);
    } else {
        told = told_act(std::move(act), line);
    }
    return told && told->actor.starts_with(kAdminActor) ? std::nullopt : told;
}

} // namespace baton::api
