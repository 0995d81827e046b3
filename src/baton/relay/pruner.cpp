#include "baton/relay/pruner.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/retention.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <utility>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

constexpr Millis kFirstAfter{std::chrono::minutes{5}};
constexpr Millis kEvery{std::chrono::hours{1}};
constexpr Millis kPause{20}; // between two steps: a first round may have millions to look at
constexpr std::size_t kStepMax = 200;
constexpr std::size_t kJobsMax = 50; // each takes what hangs from it along
constexpr Millis kMeasuredEvery{std::chrono::hours{24}};

} // namespace

Pruner::Pruner(Settings settings, Surroundings around)
    : settings_(settings)
    , around_(std::move(around)) {}

asio::awaitable<void> Pruner::run() {
    auto next = around_.clock.now() + kFirstAfter;
    for (;;) {
        co_await around_.clock.sleep_until(next);
        if (around_.leads()) {
            co_await round();
        }
        next = around_.clock.now() + kEvery;
    }
}

asio::awaitable<void> Pruner::round() {
    const auto began = around_.clock.now();
    auto pruned = co_await prune();
    if (pruned && (pruned->bodies > 0 || pruned->jobs > 0 || pruned->dispatches > 0)) {
        pruned->took = around_.clock.now() - began;
        around_.journal.note(*pruned);
    }
    Result<void> done;
    if (!pruned) {
        done = fail(std::move(pruned).error());
    } else if (!measured_at_ || began - *measured_at_ >= kMeasuredEvery) {
        done = co_await measure();
    }
    if (!done) { // the next round begins anew
        around_.journal.note(
            ports::Trouble{.healed = true, .where = "pruner", .detail = done.error().detail}
        );
    }
}

asio::awaitable<Result<ports::Pruned>> Pruner::prune() {
    using ports::Store;
    ports::Pruned pruned;
    const Walk bodies{
        .verb = &Store::prune_bodies, .keep_for = settings_.bodies_for, .step = kStepMax
    };
    BATON_CO_TRY(pruned.bodies, co_await walk(bodies));
    const Walk results{
        .verb = &Store::prune_results, .keep_for = settings_.results_for, .step = kJobsMax
    };
    BATON_CO_TRY(pruned.jobs, co_await walk(results));
    const Walk dispatches{
        .verb = &Store::prune_dispatches, .keep_for = settings_.results_for, .step = kStepMax
    };
    BATON_CO_TRY(pruned.dispatches, co_await walk(dispatches));
    co_return pruned;
}

asio::awaitable<Result<std::size_t>> Pruner::walk(Walk walk) {
    std::size_t removed = 0;
    ports::PruneQuery query{
        .now = around_.clock.now(), .keep_for = walk.keep_for, .after = 0, .limit = walk.step
    };
    for (;;) {
        BATON_CO_TRY(const auto step, co_await (around_.store.*walk.verb)(query));
        removed += step.removed;
        if (!step.next || !around_.leads()) {
            co_return removed;
        }
        query.after = *step.next;
        co_await around_.clock.sleep_until(around_.clock.now() + kPause);
    }
}

asio::awaitable<Result<void>> Pruner::measure() {
    ports::StoreSizes sizes{.bytes = {}, .at = around_.clock.now()};
    for (const auto& [kind, name] : ports::kStoredKinds) {
        BATON_CO_TRY(sizes.bytes[kind], co_await around_.store.bytes_of(kind));
    }
    const auto at = sizes.at;
    auto kept = co_await around_.store.keep_sizes(std::move(sizes));
    if (kept) {
        measured_at_ = at; // otherwise again with the next round
    }
    co_return kept;
}

} // namespace baton::relay
