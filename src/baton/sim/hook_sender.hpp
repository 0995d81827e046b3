#pragma once

#include "baton/base/time.hpp"
#include "baton/ports/clock.hpp"
#include "baton/sim/hook_log.hpp"
#include "baton/sim/hook_outbox.hpp"
#include "baton/sim/sim_world.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace baton::sim {

/// A webhook with everything that sending it takes.
struct HookLetter {
    Outgoing outgoing;
    std::shared_ptr<const Webhook> webhook;
    HookTarget target;
    std::int64_t app_id{0};
};

/// Sends webhooks as GitHub does: signed, several at a time, ten seconds each, never a second time
/// by itself. Has a thread of its own; `next` and `done` are called there.
class HookSender {
public:
    struct Office {
        std::function<std::optional<HookLetter>()> next; // nullopt: nothing to send now
        std::function<void(AttemptResult)> done;
        std::function<void(std::string)> on_surprise;
    };

    struct Options {
        Millis wait{std::chrono::seconds{10}}; // GitHub's own
        std::size_t in_flight_max{16};
    };

    HookSender(Office office, ports::Clock& clock, Options options);
    HookSender(const HookSender&) = delete;
    HookSender& operator=(const HookSender&) = delete;
    ~HookSender(); // stops

    /// There may be something to send. Any thread.
    void wake();
    /// Breaks off what is under way, without a word to `done`, and joins. Idempotent.
    void stop();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace baton::sim
