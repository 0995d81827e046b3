#pragma once

#include "baton/base/ids.hpp"
#include "baton/sim/github_types.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "e2e/stage.hpp"
#include "support/process.hpp"

namespace baton::test {

/// Several relays on the database of one stage, each with its own port.
class House {
public:
    House(Stage& stage, std::size_t number);

    std::size_t size() const { return replicas_.size(); }

    /// Starts or restarts one; false when it did not say its address.
    bool start(std::size_t which);
    void pull_the_plug(std::size_t which);

    Process& process(std::size_t which) { return *replicas_[which]->process; }

    std::uint16_t port(std::size_t which) const { return replicas_[which]->port; }

    std::string log(std::size_t which) const;

private:
    struct Replica {
        std::unique_ptr<Process> process;
        std::atomic<std::uint16_t> port{0}; // senders read it while it is started anew
    };

    Stage& stage_;
    std::vector<std::unique_ptr<Replica>> replicas_;
};

/// Sends webhooks for ever to one replica after the other, each again, elsewhere, until it is
/// taken, as a load balancer and GitHub's redelivery do: what got a 2xx is written down.
class SpreadLoad {
public:
    SpreadLoad(Stage& stage, House& house);
    SpreadLoad(const SpreadLoad&) = delete;
    SpreadLoad& operator=(const SpreadLoad&) = delete;
    ~SpreadLoad();

    std::set<DeliveryId> stop();

private:
    void run_until_stopped();

    Stage& stage_;
    House& house_;
    std::set<DeliveryId> accepted_;
    std::atomic<bool> stopping_{false};
    std::thread thread_;
};

} // namespace baton::test
