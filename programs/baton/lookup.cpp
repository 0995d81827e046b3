#include "lookup.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/ports/store.hpp"
#include "baton/wire/allowlist.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace baton::program {

namespace asio = boost::asio;

asio::awaitable<Result<ports::DeliveryHistory>> Lookup::delivery(std::string name) {
    auto by_id = co_await store_.delivery_history(DeliveryId(name));
    const auto number = whole_number(name);
    if (by_id || by_id.error().code != Errc::not_found || !number) {
        co_return by_id;
    }
    ports::DeliveryPageQuery query;
    query.before = *number + 1;
    query.limit = 1;
    BATON_CO_TRY(const auto page, co_await store_.list_deliveries(std::move(query)));
    if (page.empty() || page.front().sequence != *number) {
        co_return fail(
            Errc::not_found, fmt::format("there is no delivery with id or number {}", *number)
        );
    }
    auto id = page.front().id;
    co_return co_await store_.delivery_history(std::move(id));
}

asio::awaitable<Result<std::vector<Listed>>> Lookup::listed() {
    BATON_CO_TRY(const auto versions, co_await store_.allowlists_at(TimePoint::max()));
    std::vector<Listed> all;
    for (const auto& version : versions) {
        auto reading = wire::read_allowlist(version.text);
        if (!reading.allowlist) {
            co_return fail(
                Errc::invalid,
                fmt::format(
                    "the allowlist of {} that is in force cannot be read by this Baton",
                    version.upstream.text()
                )
            );
        }
        for (const auto& entry : reading.allowlist->downstreams()) {
            all.push_back({.upstream = version.upstream, .entry = entry});
        }
    }
    co_return all;
}

asio::awaitable<Result<std::vector<ports::DeliveryHistory>>>
Lookup::histories(ports::DeliveryPageQuery query, std::size_t limit) {
    std::vector<ports::DeliveryHistory> all;
    for (bool more = true; more && all.size() < limit;) {
        query.limit = std::min(limits::kPageRowsMax, limit - all.size());
        auto page_query = query;
        BATON_CO_TRY(const auto page, co_await store_.list_deliveries(std::move(page_query)));
        for (const auto& delivery : page) {
            auto id = delivery.id;
            BATON_CO_TRY(auto history, co_await store_.delivery_history(std::move(id)));
            all.push_back(std::move(history));
        }
        more = page.size() == query.limit;
        if (more) {
            query.before = page.back().sequence;
        }
    }
    std::ranges::reverse(all);
    co_return all;
}

} // namespace baton::program
