#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/quota.hpp"
#include "baton/hud/overview.hpp"
#include "baton/hud/shown.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/retention.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::api {

namespace json = boost::json;

namespace {

json::value number_json(std::optional<std::int64_t> number) {
    return number ? json::value(*number) : json::value(nullptr);
}

json::object quota_json(const domain::QuotaView& quota) {
    return {
        {"account", quota.account},
        {"limit", number_json(quota.limit)},
        {"remaining", number_json(quota.remaining)},
        {"reset_at", json_of(quota.reset_at)},
        {"held_until", json_of(quota.held_until)},
    };
}

/// The owner of somebody private is nobody's business, unless it owns somebody public too.
std::vector<domain::QuotaView>
shown_quotas(const Around& around, std::vector<domain::QuotaView> all) {
    const auto shown = around->desk.shown();
    std::erase_if(all, [&](const domain::QuotaView& quota) {
        const bool of_upstream = std::ranges::any_of(around->upstreams, [&](const RepoName& one) {
            return domain::account_of(one) == quota.account;
        });
        return !quota.account.empty() && !of_upstream && !shown.has_owner(quota.account);
    });
    return all;
}

/// What is counted in several places of the store.
struct Queues {
    ports::Counts counts;
    ports::ResultCounts results;
    ports::CheckCounts checks;
    ports::StoreState state;
};

json::object queues_json(const Queues& queues) {
    return {
        {"to_plan", queues.counts.to_plan},
        {"pending", hud::dispatches_in(queues.counts, domain::DispatchState::pending)},
        {"leased", queues.state.leased},
        {"oldest_pending", json_of(queues.counts.oldest_pending)},
        {"unknown_outcomes", queues.counts.unknown_outcomes},
        {"checks_waiting", queues.checks.waiting},
        {"oldest_check", json_of(queues.checks.oldest)},
        {"reruns_waiting", queues.checks.reruns},
        {"looks", queues.checks.looks},
        {"letters_waiting", queues.results.outbox_waiting},
    };
}

/// The largest first.
json::array sizes_json(const ports::StoreSizes& sizes) {
    std::vector<std::pair<std::size_t, std::string_view>> by_size;
    for (const auto& [kind, name] : ports::kStoredKinds) {
        if (const auto at = sizes.bytes.find(kind); at != sizes.bytes.end()) {
            by_size.emplace_back(at->second, name);
        }
    }
    std::ranges::sort(by_size, std::greater{});
    return array_of(by_size, [](const auto& one) {
        return json::object{{"kind", one.second}, {"bytes", one.first}};
    });
}

json::object store_json(const Queues& store) {
    const auto& sizes = store.state.sizes;
    auto results = store.results.in_progress;
    for (const auto& [conclusion, count] : store.results.completed) {
        results += count;
    }
    return {
        {"kind", store.state.kind},
        {"bytes", store.state.bytes},
        {"schema", store.state.schema},
        {"deliveries", store.counts.deliveries},
        {"oldest_body_at", json_of(store.state.oldest_body_at)},
        {"results", results},
        {"oldest_result_at", json_of(store.state.oldest_result_at)},
        {"results_pruned_until", json_of(store.state.results_until)},
        {"sizes", sizes_json(sizes)},
        {"sizes_at", json_of(sizes.bytes.empty() ? std::nullopt : std::optional(sizes.at))},
    };
}

json::object sink_json(const ports::SinkQueue& sink) {
    return {{"name", sink.sink}, {"waiting", sink.waiting}, {"dead", sink.dead}};
}

} // namespace

Answer status(Around around, net::Request /*request*/) {
    const auto now = around->clock.now();
    const auto facts = around->facts();
    Queues queues;
    BATON_CO_TRY(queues.counts, co_await around->store.counts());
    BATON_CO_TRY(queues.results, co_await around->store.result_counts());
    BATON_CO_TRY(queues.checks, co_await around->store.check_counts());
    BATON_CO_TRY(queues.state, co_await around->operators.state(facts.sinks, now));
    const auto uptime =
        std::chrono::duration_cast<std::chrono::seconds>(now - facts.state.started_at);
    bool ready = true;
    json::array parts;
    for (const auto& [name, trouble] : facts.state.parts) {
        ready = ready && trouble.empty();
        parts.push_back(
            json::object{{"name", name}, {"ready", trouble.empty()}, {"trouble", trouble}}
        );
    }
    co_return json::object{
        {"version", facts.state.version},
        {"mode", facts.state.mode},
        {"started_at", to_rfc3339(facts.state.started_at)},
        {"uptime_s", std::max<std::int64_t>(uptime.count(), 0)},
        {"ready", ready},
        {"parts", std::move(parts)},
        {"actions", facts.state.actions},
        {"last_delivery_at", json_of(queues.state.last_delivery_at)},
        {"store", store_json(queues)},
        {"queues", queues_json(queues)},
        {"github", array_of(shown_quotas(around, facts.quotas), quota_json)},
        {"sinks", array_of(queues.state.sinks, sink_json)},
        {"listeners", facts.listeners},
        {"refusals_dropped", facts.refusals_dropped},
        {"memory",
         json::object{
             {"resident_bytes",
              facts.resident_bytes ? json::value(*facts.resident_bytes) : json::value(nullptr)}
         }},
    };
}

} // namespace baton::api
