#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "e2e/stage.hpp"
#include "faults/set_clock.hpp"
#include "faults/shared_page.hpp"
#include "support/fault_proxy.hpp"
#include "support/process.hpp"

namespace baton::test {

/// Several relays on the database of one stage, each with its own port and its own wires to the
/// database and to GitHub. Without a database, one relay on its file.
class House {
public:
    House(Stage& stage, std::size_t number);

    std::size_t size() const { return replicas_.size(); }

    /// Starts or restarts one; false when it did not say its address.
    bool start(std::size_t which);
    void pull_the_plug(std::size_t which);

    Process& process(std::size_t which) { return *replicas_[which]->process; }

    std::uint16_t port(std::size_t which) const { return replicas_[which]->port; }

    FaultProxy& to_database(std::size_t which) { return replicas_[which]->to_database; }

    FaultProxy& to_github(std::size_t which) { return replicas_[which]->to_github; }

    /// Sets its clock so far ahead, or behind; zero is right.
    void set_clock(std::size_t which, std::chrono::seconds ahead);

    /// The disk of a relay on a file is full, or has room again.
    void set_disk(bool full);

    /// All wires to the database, and all to GitHub.
    void set_database(FaultProxy::Way way);
    void set_github(FaultProxy::Way way);

    std::string log(std::size_t which) const;
    std::string logs() const;

private:
    struct Replica {
        Replica(Stage& stage, std::size_t which);

        FaultProxy to_database;
        FaultProxy to_github;
        std::string clock_file;
        SharedPage<ClockPage> clock;
        std::unique_ptr<Process> process;
        std::atomic<std::uint16_t> port{0}; // senders read it while it is started anew
    };

    std::string config_of(std::size_t which) const;
    std::vector<std::string> environment_of(std::size_t which) const;

    Stage& stage_;
    std::vector<std::unique_ptr<Replica>> replicas_;
};

} // namespace baton::test
