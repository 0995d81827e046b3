#include "e2e/chaos/traffic.hpp"

#include "baton/base/ids.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/seeded_chance.hpp"
#include "baton/sim/sim_world.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "e2e/replicas/house.hpp"
#include "e2e/stage.hpp"

namespace baton::test {

using namespace std::chrono_literals;

namespace {

constexpr std::size_t kOpenMax = 5;
constexpr int kTriesMax = 20'000; // some minutes

} // namespace

Traffic::Traffic(Stage& stage, House& house, const Plan& plan)
    : stage_(stage)
    , house_(house)
    , plan_(plan) {
    for (std::size_t i = 0; i < plan.people; ++i) {
        threads_.emplace_back([this, seed = plan.seed + i] { live(seed); });
    }
}

Traffic::~Traffic() {
    stop();
}

Traffic::Told Traffic::stop() {
    stopping_ = true;
    for (auto& thread : threads_) {
        if (thread.joinable()) {
            thread.join();
        }
    }
    return told();
}

Traffic::Told Traffic::told() {
    const std::lock_guard lock(mutex_);
    return told_;
}

void Traffic::live(std::uint64_t seed) {
    sim::SeededChance chance(sim::seed_for(seed, "traffic"));
    std::vector<PrNumber> open; // that this person works on
    std::size_t turn = seed;
    while (!stopping_) {
        const auto webhook = next(chance, open);
        if (plan_.through_github && chance.draw().below(4) == 0) {
            stage_.github().with([&](sim::SimWorld& world) { world.outbox.put(webhook.id); });
            const std::lock_guard lock(mutex_);
            told_.entrusted.insert(webhook.id);
        } else {
            post_until_taken(webhook, ++turn);
        }
        let_pass(plan_.pause);
    }
}

sim::Webhook Traffic::next(sim::SeededChance& chance, std::vector<PrNumber>& open) {
    const auto act = [this](PrNumber number, sim::PullVerb verb) {
        return stage_.acted(number, verb);
    };
    const auto kind = chance.draw().below(10);
    if (kind < 2) {
        return stage_.pushed();
    }
    if (open.size() >= kOpenMax) {
        const auto oldest = open.front();
        open.erase(open.begin());
        return act(oldest, sim::PullVerb::closed);
    }
    if (kind < 5 && !open.empty()) {
        return act(open[chance.draw().below(open.size())], sim::PullVerb::synchronize);
    }
    auto webhook = stage_.opened_pull();
    open.push_back(webhook.pr.value());
    return webhook;
}

void Traffic::post_until_taken(const sim::Webhook& webhook, std::size_t turn) {
    for (int tries = 0; tries < kTriesMax; ++tries) {
        const int status = Stage::post(webhook, house_.port(++turn % house_.size()));
        {
            const std::lock_guard lock(mutex_);
            ++told_.answers[status];
            if (status / 100 == 2) {
                told_.accepted.insert(webhook.id);
                return;
            }
        }
        let_pass(20ms); // nobody is there; the next one, in a moment
    }
    ADD_FAILURE() << "nobody took " << webhook.id.text();
}

} // namespace baton::test
