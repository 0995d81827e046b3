#include "redelivery.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace baton::program {

namespace {

namespace asio = boost::asio;

std::vector<domain::DispatchState> states_of(const Redelivery& wanted) {
    return wanted.states.empty() ? ports::RedeliverQuery{}.states : wanted.states;
}

std::vector<domain::Dispatch>
matching(const ports::DeliveryHistory& history, const Redelivery& wanted) {
    auto found = newest_of(history, wanted);
    std::erase_if(found, [states = states_of(wanted)](const domain::Dispatch& dispatch) {
        return std::ranges::find(states, dispatch.state) == states.end();
    });
    return found;
}

} // namespace

std::vector<domain::Dispatch>
newest_of(const ports::DeliveryHistory& history, const Redelivery& wanted) {
    std::map<RepoName, const domain::Dispatch*> newest;
    for (const auto& one : history.dispatches) {
        auto& held = newest[one.dispatch.key.downstream];
        if (held == nullptr || held->key.generation < one.dispatch.key.generation) {
            held = &one.dispatch;
        }
    }
    std::vector<domain::Dispatch> out;
    for (const auto& [downstream, dispatch] : newest) {
        if (!wanted.downstream || *wanted.downstream == downstream) {
            out.push_back(*dispatch);
        }
    }
    return out;
}

asio::awaitable<Result<std::vector<DeliveryId>>> Redeliverer::candidates(Redelivery wanted) {
    std::vector<DeliveryId> ids;
    if (!wanted.delivery.empty()) {
        ids.push_back(wanted.delivery);
        co_return ids;
    }
    std::map<std::int64_t, DeliveryId> by_age; // a delivery may show up under two states
    for (const auto state : states_of(wanted)) {
        ports::DeliveryPageQuery query;
        query.limit = limits::kPageRowsMax;
        query.with_state = state;
        for (bool more = true; more;) {
            auto page_query = query;
            BATON_CO_TRY(auto page, co_await store_.list_deliveries(std::move(page_query)));
            for (auto& delivery : page) {
                by_age.emplace(delivery.sequence, std::move(delivery.id));
            }
            more = page.size() == query.limit;
            if (more) {
                query.before = page.back().sequence;
            }
        }
    }
    for (auto& [sequence, id] : by_age) {
        ids.push_back(std::move(id));
    }
    co_return ids;
}

asio::awaitable<Result<std::vector<domain::Dispatch>>> Redeliverer::matches(Redelivery wanted) {
    std::vector<domain::Dispatch> found;
    auto asked = wanted;
    BATON_CO_TRY(const auto ids, co_await candidates(std::move(asked)));
    for (const auto& id : ids) {
        auto one = id;
        BATON_CO_TRY(const auto history, co_await store_.delivery_history(std::move(one)));
        auto of_delivery = matching(history, wanted);
        if (!history.body_kept && !of_delivery.empty() && !wanted.delivery.empty()) {
            one = id;
            BATON_CO_CHECK(co_await store_.body_of(std::move(one))); // which says why there is none
        }
        if (history.body_kept) {
            std::ranges::move(of_delivery, std::back_inserter(found));
        }
    }
    co_return found;
}

asio::awaitable<Result<std::size_t>> Redeliverer::redeliver(
    Redelivery wanted, std::vector<domain::Dispatch> found, std::string actor, TimePoint now
) {
    std::size_t sent = 0;
    DeliveryId done;
    for (const auto& dispatch : found) { // those of one delivery stand together
        if (dispatch.key.delivery == done) {
            continue;
        }
        done = dispatch.key.delivery;
        ports::RedeliverQuery query{
            .delivery = done,
            .downstream = wanted.downstream,
            .states = states_of(wanted),
            .now = now,
            .actor = actor,
            .limit = limits::kPageRowsMax,
        };
        BATON_CO_TRY(const auto count, co_await store_.redeliver(std::move(query)));
        sent += count;
    }
    co_return sent;
}

} // namespace baton::program
