#pragma once

#include "baton/base/ids.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

namespace baton::sim {

/// How the road from GitHub to the relay misbehaves. Each is a probability per webhook, drawn from
/// the seed.
struct HookMischief {
    bool paused{false};    // webhooks wait
    double duplicate{0.0}; // sent twice
    double lose{0.0};      // never sent; GitHub's log says it could not connect
    double reorder{0.0};   // a later one that waits goes first
};

/// One webhook on its way out.
struct Outgoing {
    DeliveryId delivery;
    bool redelivery{false};
    bool lost{false};
};

/// The webhooks that wait to be sent. GitHub sends each once and never again by itself. One thread.
class HookOutbox {
public:
    explicit HookOutbox(std::uint64_t seed)
        : chance_(seed_for(seed, "hooks")) {}

    void put(DeliveryId delivery, bool redelivery = false);
    /// The next to send; nullopt when none waits or all are held back.
    std::optional<Outgoing> take();

    std::size_t waiting() const { return waiting_.size(); }

    void set(HookMischief mischief) { mischief_ = mischief; }

    const HookMischief& mischief() const { return mischief_; }

private:
    bool draw(double probability);

    SeededChance chance_;
    HookMischief mischief_;
    std::deque<Outgoing> waiting_;
};

} // namespace baton::sim
