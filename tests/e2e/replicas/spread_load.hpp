#pragma once

#include "baton/base/ids.hpp"

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "e2e/replicas/house.hpp"
#include "e2e/stage.hpp"

namespace baton::test {

/// Sends webhooks for ever to one replica after the other, each again, elsewhere, until it is
/// taken, as a load balancer and GitHub's redelivery do: what got a 2xx is written down.
class SpreadLoad {
public:
    /// What was taken, and how often each status was the answer; 0 is none within ten seconds.
    struct Told {
        std::set<DeliveryId> accepted;
        std::map<int, std::size_t> answers;
    };

    SpreadLoad(Stage& stage, House& house, std::size_t senders = 1);
    SpreadLoad(const SpreadLoad&) = delete;
    SpreadLoad& operator=(const SpreadLoad&) = delete;
    ~SpreadLoad();

    Told stop();
    /// So far.
    Told told();

private:
    void run_until_stopped(std::size_t turn);
    bool is_taken(const DeliveryId& id, int status);

    Stage& stage_;
    House& house_;
    std::mutex mutex_;
    Told told_; // guarded
    std::atomic<bool> stopping_{false};
    std::vector<std::thread> threads_;
};

} // namespace baton::test
