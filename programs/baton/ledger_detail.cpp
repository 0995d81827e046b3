#include "ledger_detail.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/plan.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/core.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "print.hpp"

namespace baton::program {

namespace json = boost::json;

namespace {

std::optional<json::object> parsed(const std::string& detail) {
    boost::system::error_code broken;
    auto value = json::parse(detail, broken);
    return broken || !value.is_object() ? std::nullopt
                                        : std::optional(std::move(value.as_object()));
}

std::string text_in(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : "";
}

std::int64_t number_in(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    return value != nullptr && value->is_int64() ? value->get_int64() : 0;
}

std::vector<domain::Decision> decisions_in(const json::object& detail) {
    std::vector<domain::Decision> out;
    const auto* decisions = detail.if_contains("decisions");
    if (decisions == nullptr || !decisions->is_array()) {
        return out;
    }
    for (const auto& decision : decisions->get_array()) {
        const auto* one = decision.if_object();
        const auto* goes = one == nullptr ? nullptr : one->if_contains("dispatch");
        auto repo =
            one == nullptr ? fail(Errc::invalid, "") : RepoName::parse(text_in(*one, "downstream"));
        if (goes != nullptr && goes->is_bool() && repo) {
            out.push_back({
                .downstream = *std::move(repo),
                .dispatch = goes->get_bool(),
                .reason = text_in(*one, "reason"),
            });
        }
    }
    return out;
}

} // namespace

std::optional<PlannedDetail> planned_in(const ports::LedgerLine& line) {
    const auto detail = line.kind == "planned" ? parsed(line.detail) : std::nullopt;
    if (!detail) {
        return std::nullopt;
    }
    return PlannedDetail{
        .upstream = text_in(*detail, "upstream"),
        .created = number_in(*detail, "created"),
        .superseded = number_in(*detail, "superseded"),
        .cancelled = number_in(*detail, "cancelled"),
        .decisions = decisions_in(*detail),
    };
}

std::vector<std::string> sentences_of(const ports::LedgerLine& line) {
    const auto dispatch =
        line.dispatch ? fmt::format(" (dispatch {})", static_cast<std::int64_t>(*line.dispatch))
                      : "";
    const auto plan = planned_in(line);
    if (!plan) {
        const auto words = line.detail.empty() ? "" : ": " + inert(line.detail);
        return {fmt::format("{}{}{}", inert(line.kind), dispatch, words)};
    }
    std::vector<std::string> out{fmt::format(
        "{}{}: {} created, {} superseded, {} cancelled",
        inert(line.kind),
        dispatch,
        plan->created,
        plan->superseded,
        plan->cancelled
    )};
    for (const auto& decision : plan->decisions) { // the others are shown as dispatches
        if (!decision.dispatch) {
            out.push_back(
                fmt::format("  not to {}: {}", decision.downstream.text(), inert(decision.reason))
            );
        }
    }
    return out;
}

json::object to_json(const ports::LedgerLine& line) {
    const auto detail = parsed(line.detail);
    json::object out{
        {"sequence", line.sequence},
        {"at", to_rfc3339(line.at)},
        {"kind", json_text(line.kind)},
        {"dispatch", nullptr},
        {"detail", detail ? json::value(*detail) : json_text(line.detail)},
    };
    if (line.dispatch) {
        out["dispatch"] = static_cast<std::int64_t>(*line.dispatch);
    }
    return out;
}

} // namespace baton::program
