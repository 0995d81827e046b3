#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/api/problem.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
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
    around->desk.hide_private(history);
    co_return json_of(history);
}

Answer dead(Around around, net::Request /*request*/) {
    constexpr std::size_t kShown = 200;
    BATON_CO_TRY(auto dispatches, co_await around->views.dead_dispatches(kShown));
    BATON_CO_TRY(const auto letters, co_await around->store.dead_letters(kShown));
    const bool more = dispatches.size() == kShown || letters.size() == kShown;
    around->desk.hide_private(dispatches);
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
