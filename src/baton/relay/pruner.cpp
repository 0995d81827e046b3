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
    const auto bodies = co_await prune_bodies();
    if (!bodies) {
        around_.journal.note(
            ports::Trouble{.healed = true, .where = "pruner", .detail = bodies.error().detail}
        );
        co_return; // the next round begins anew
    }
    if (*bodies > 0) {
        around_.journal.note(
            ports::BodiesPruned{.bodies = *bodies, .took = around_.clock.now() - began}
        );
    }
}

asio::awaitable<Result<std::size_t>> Pruner::prune_bodies() {
    std::size_t removed = 0;
    ports::PruneQuery query{
        .now = around_.clock.now(), .keep_for = settings_.bodies_for, .after = 0, .limit = kStepMax
    };
    for (;;) {
        BATON_CO_TRY(const auto step, co_await around_.store.prune_bodies(query));
        removed += step.removed;
        if (!step.next || !around_.leads()) {
            co_return removed;
        }
        query.after = *step.next;
        co_await around_.clock.sleep_until(around_.clock.now() + kPause);
    }
}

} // namespace baton::relay
