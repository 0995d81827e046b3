#include "baton/base/time.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <cstdint>

#include "sim/world.hpp"

namespace baton::test {

Swarm Swarm::drawn(std::uint64_t seed) {
    sim::SeededChance draw(sim::seed_for(seed, "swarm"));
    const auto some = [&](double most) {
        return draw.draw().unit() < 0.5 ? 0.0 : draw.draw().unit() * most;
    };
    return {
        .crash = some(0.02),
        .store_failure = some(0.05),
        .lost_reply = some(0.2),
        .server_error = some(0.3),
        .throttled = some(0.1),
        .lost_webhook = some(0.3),
        .duplicate = some(0.5),
        .late = some(0.5),
        .clock_jump = some(0.1),
        .slow = Millis(static_cast<Millis::rep>(some(20'000))),
        .dead = some(1) > 0,
        .quota =
            draw.draw().unit() < 0.1 ? 20 + static_cast<std::int64_t>(draw.draw().below(200)) : 0,
        .lost_callback = some(0.2),
        .lost_answer = some(0.2),
        .callbacks = draw.draw().unit() < 0.25, // such a world takes eight times as long
    };
}

} // namespace baton::test
