#pragma once

#include "baton/base/ids.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "e2e/replicas/house.hpp"
#include "e2e/stage.hpp"

namespace baton::test {

/// What people do upstream: pull requests are opened, pushed to and closed, branches are pushed.
/// Most webhooks are posted here to one replica after the other until one takes them, as a load
/// balancer and a redelivery do; some are left to the simulated GitHub, which tries once.
class Traffic {
public:
    struct Plan {
        std::uint64_t seed{1};
        std::size_t people{2};
        std::chrono::milliseconds pause{100}; // of each, between two webhooks
        bool through_github{false};
    };

    struct Told {
        std::set<DeliveryId> accepted;
        std::set<DeliveryId> entrusted;
        std::map<int, std::size_t> answers;
    };

    Traffic(Stage& stage, House& house, const Plan& plan);
    Traffic(const Traffic&) = delete;
    Traffic& operator=(const Traffic&) = delete;
    ~Traffic();

    /// What is under way is taken before this returns: somebody has to be there.
    Told stop();
    Told told();

private:
    void live(std::uint64_t seed);
    sim::Webhook next(sim::SeededChance& chance, std::vector<PrNumber>& open);
    void post_until_taken(const sim::Webhook& webhook, std::size_t turn);

    Stage& stage_;
    House& house_;
    Plan plan_;
    std::mutex mutex_;
    Told told_; // guarded
    std::atomic<bool> stopping_{false};
    std::vector<std::thread> threads_;
};

} // namespace baton::test
