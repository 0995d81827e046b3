#pragma once

#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/crash_points.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace baton::app {

/// One relay process: the store, the relay on its own event loop, and the HTTP server in front.
/// Built, started and stopped here and nowhere else; two of them can live in one process.
class Service {
public:
    struct Options {
        std::ostream& log;                         // outlives the service
        std::optional<sim::KillPlan> kill;         // for crash tests: SIGKILL at a named point
        std::string address_setting{"\"listen\""}; // what to change when the address is taken
        ports::Journal* also{nullptr}; // hears what log and metrics hear; outlives the service
        bool shadow{false};            // decides and records everything, sends nothing
    };

    /// Opens the store and builds everything; nothing runs yet. The error is a sentence for people:
    /// a key that does not parse, a store of a newer version, a second relay on one file.
    static Result<std::unique_ptr<Service>> open(config::Config config, Options options);
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;
    ~Service(); // stops

    /// Takes over what a dead process left, starts to plan and send, then listens. GitHub may be
    /// away.
    Result<void> start();
    std::uint16_t port() const;

    /// What a reload changed and what it could not.
    struct Reloaded {
        std::vector<std::string> needs_restart;
    };

    /// Secrets and keys of `fresh` come into force; on an error all stays as it was.
    Result<Reloaded> reload(const config::Config& fresh);

    /// Stops accepting, drains, lets attempts end and joins, within limits::kDrainWait; the store
    /// closes with the service. Idempotent.
    void stop();

    Result<ports::Counts> counts(); // from any thread but the relay's own

private:
    class Impl;
    explicit Service(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace baton::app
