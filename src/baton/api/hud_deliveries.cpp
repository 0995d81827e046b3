#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/hud/shown.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

namespace json = boost::json;

namespace {

std::string_view word_for(const ports::DispatchStanding& one) {
    return one.silent ? "silent" : domain::name_of(one.state);
}

/// What is lost comes first, then what waits, what is under way, what is over.
json::value worst_of(const std::vector<ports::DispatchStanding>& all, const hud::Shown& shown) {
    constexpr std::array<std::string_view, 9> kWorstFirst{
        "dead",
        "failed",
        "silent",
        "pending",
        "sent",
        "started",
        "cancelled",
        "superseded",
        "finished"
    };
    auto worst = kWorstFirst.end();
    for (const auto& one : all) {
        if (shown.has(one.upstream, one.downstream)) {
            worst = std::min(worst, std::ranges::find(kWorstFirst, word_for(one)));
        }
    }
    return worst == kWorstFirst.end() ? json::value(nullptr) : json::value(*worst);
}

/// What planning decided, without those whom not everybody may see.
std::string shown_decisions(const std::string& detail, const hud::Shown& shown) {
    boost::system::error_code broken;
    auto value = json::parse(detail, broken);
    auto* object = value.if_object();
    const auto* upstream_name =
        broken || object == nullptr ? nullptr : object->if_contains("upstream");
    auto* decisions = broken || object == nullptr ? nullptr : object->if_contains("decisions");
    if (upstream_name == nullptr || decisions == nullptr || !decisions->is_array()) {
        return "";
    }
    const auto upstream = RepoName::parse(json::value_to<std::string>(*upstream_name));
    json::array kept;
    for (const auto& decision : decisions->get_array()) {
        const auto name = RepoName::parse(json::value_to<std::string>(decision.at("downstream")));
        if (upstream && name && shown.has(*upstream, *name)) {
            kept.push_back(decision);
        }
    }
    *decisions = std::move(kept);
    return json::serialize(value);
}

} // namespace

Answer deliveries(Around around, net::Request request) {
    const HudQuery query(request);
    ports::DeliveryPageQuery wanted;
    BATON_CO_TRY(wanted.before, query.number("cursor"));
    BATON_CO_TRY(wanted.limit, query.limit());
    BATON_CO_TRY(wanted.with_state, query.dispatch_state());
    BATON_CO_TRY(const auto number, query.number("number"));
    if (number) {
        wanted.pr = PrNumber{*number};
    }
    wanted.event = query.text("event");
    if (wanted.with_state &&
        !wanted.event.empty()) { // there is an index for each, and none for both
        co_return fail(Errc::invalid, "state and event cannot be asked for together");
    }
    const auto limit = wanted.limit;
    BATON_CO_TRY(const auto found, co_await around->store.list_deliveries(std::move(wanted)));
    std::vector<std::int64_t> sequences;
    sequences.reserve(found.size());
    for (const auto& one : found) {
        sequences.push_back(one.sequence);
    }
    BATON_CO_TRY(auto standings, co_await around->operators.standings(std::move(sequences)));
    const auto shown = around->desk.shown();
    json::array rows;
    for (const auto& one : found) {
        auto row = json_of(one);
        row["worst"] = worst_of(standings[one.sequence], shown);
        rows.push_back(std::move(row));
    }
    const bool more = found.size() == limit;
    auto next = cursor_behind(more, more ? fmt::to_string(found.back().sequence) : "");
    co_return json::object{{"rows", std::move(rows)}, {"next", std::move(next)}};
}

Answer delivery(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(auto id, query.captured(0));
    BATON_CO_TRY(auto history, co_await around->store.delivery_history(DeliveryId(std::move(id))));
    const auto shown = around->desk.shown();
    hud::hide(history, shown);
    for (auto& line : history.ledger) {
        if (line.kind == "planned") {
            line.detail = shown_decisions(line.detail, shown);
        }
    }
    std::vector<std::int64_t> one{history.delivery.sequence};
    BATON_CO_TRY(auto standings, co_await around->operators.standings(std::move(one)));
    auto page = json_of(history);
    page["delivery"].as_object()["worst"] = worst_of(standings[history.delivery.sequence], shown);
    co_return page;
}

} // namespace baton::api
