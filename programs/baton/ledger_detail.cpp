#include "ledger_detail.hpp"

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
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

/// Decisions that gave no dispatch; the others are shown as dispatches.
std::vector<std::string> turned_away(const json::object& detail) {
    std::vector<std::string> out;
    const auto* decisions = detail.if_contains("decisions");
    if (decisions == nullptr || !decisions->is_array()) {
        return out;
    }
    for (const auto& decision : decisions->get_array()) {
        const auto* one = decision.if_object();
        const auto* goes = one == nullptr ? nullptr : one->if_contains("dispatch");
        if (goes != nullptr && goes->is_bool() && !goes->get_bool()) {
            out.push_back(fmt::format(
                "  not to {}: {}",
                inert(text_in(*one, "downstream")),
                inert(text_in(*one, "reason"))
            ));
        }
    }
    return out;
}

} // namespace

std::vector<std::string> sentences_of(const ports::LedgerLine& line) {
    const auto dispatch =
        line.dispatch ? fmt::format(" (dispatch {})", static_cast<std::int64_t>(*line.dispatch))
                      : "";
    const auto detail = parsed(line.detail);
    if (!detail) {
        const auto words = line.detail.empty() ? "" : ": " + inert(line.detail);
        return {fmt::format("{}{}{}", inert(line.kind), dispatch, words)};
    }
    std::vector<std::string> out{fmt::format(
        "{}{}: {} created, {} superseded, {} cancelled",
        inert(line.kind),
        dispatch,
        number_in(*detail, "created"),
        number_in(*detail, "superseded"),
        number_in(*detail, "cancelled")
    )};
    for (auto& sentence : turned_away(*detail)) {
        out.push_back(std::move(sentence));
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
