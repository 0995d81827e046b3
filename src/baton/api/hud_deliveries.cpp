#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/api/problem.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/hud/shown.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/json/value_to.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace baton::api {

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

json::object dead_dispatch_json(const ports::DeadDispatch& dispatch) {
    return {
        {"id", static_cast<std::int64_t>(dispatch.id)},
        {"delivery", dispatch.delivery},
        {"downstream", dispatch.downstream.text()},
        {"upstream", dispatch.upstream.text()},
        {"state", domain::name_of(dispatch.state)},
        {"reason", dispatch.reason},
        {"created_at", to_rfc3339(dispatch.created_at)},
        {"attempts", dispatch.attempts},
    };
}

json::object dead_letter_json(const ports::DeadLetter& letter) {
    return {
        {"id", letter.id},
        {"sink", letter.sink},
        {"lane", letter.lane},
        {"created_at", to_rfc3339(letter.created_at)},
        {"died_at", to_rfc3339(letter.died_at)},
        {"attempts", letter.attempts},
        {"detail", letter.detail},
    };
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
    const bool more = found.size() == limit;
    auto next = cursor_behind(more, more ? fmt::to_string(found.back().sequence) : "");
    co_return json::object{{"rows", array_of(found)}, {"next", std::move(next)}};
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
    co_return json_of(history);
}

Answer dead(Around around, net::Request /*request*/) {
    constexpr std::size_t kShown = 200;
    BATON_CO_TRY(auto dispatches, co_await around->views.dead_dispatches(kShown));
    BATON_CO_TRY(auto letters, co_await around->store.dead_letters(kShown));
    const bool more = dispatches.size() == kShown || letters.size() == kShown;
    const auto shown = around->desk.shown();
    hud::hide(dispatches, shown);
    hud::hide(letters, shown);
    co_return json::object{
        {"dispatches", array_of(dispatches, dead_dispatch_json)},
        {"letters", array_of(letters, dead_letter_json)},
        {"more", more},
    };
}

asio::awaitable<net::Response> redeliver(Around around, net::Request request) {
    if (auto refused = around->admins.refusal(request.head)) {
        co_return *std::move(refused);
    }
    const HudQuery query(request);
    const auto downstream = query.repository("downstream");
    const auto id = query.captured(0);
    if (!downstream || !id) {
        co_return problem_of(downstream ? id.error() : downstream.error());
    }
    const auto history = co_await around->store.delivery_history(DeliveryId(*id));
    if (!history) {
        co_return problem_of(history.error());
    }
    ports::RedeliverQuery wanted;
    wanted.delivery = DeliveryId(*id);
    wanted.downstream = *downstream;
    wanted.now = around->clock.now();
    wanted.actor = "admin, by the API";
    const auto again = co_await around->store.redeliver(std::move(wanted));
    if (!again) {
        co_return problem_of(again.error());
    }
    co_return net::Response{.body = fmt::format(R"({{"redelivered":{}}})", *again)};
}

} // namespace baton::api
