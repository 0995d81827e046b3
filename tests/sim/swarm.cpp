#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <chrono>
#include <cstdint>
#include <utility>

#include "sim/world.hpp"

namespace baton::test {

using namespace std::chrono_literals;

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
        .check_trouble = some(0.4),
    };
}

void World::make_trouble() {
    const auto often = [&](double probability, sim::Fault fault) {
        if (probability > 0) {
            faults_.add(
                {.route = "dispatches", .fault = std::move(fault), .probability = probability}
            );
        }
    };
    often(swarm_.lost_reply, sim::Fault::lost_reply());
    often(swarm_.server_error, sim::Fault::server_error(502));
    often(swarm_.throttled, sim::Fault::secondary_limit(30s));
    const auto always = [&](const char* repo, sim::Fault fault) {
        faults_.add(
            {.route = "dispatches", .repo = *RepoName::parse(repo), .fault = std::move(fault)}
        );
    };
    if (swarm_.slow > Millis{0}) {
        always("two/busy", sim::Fault::slow(swarm_.slow));
    }
    if (swarm_.dead) {
        always("one/plain", {.ending = sim::Fault::Ending::drop, .perform = false});
    }
    for (const auto& [owner, installation] : github_model_.installations()) {
        if (swarm_.quota > 0) {
            github_model_.rate_limit(installation, clock_.now()).limit = swarm_.quota;
        }
    }
    if (swarm_.check_trouble > 0) {
        trouble_checks();
    }
}

/// A creation that happened and that nobody heard of is what makes second checks.
void World::trouble_checks() {
    for (const auto* const route : {"create_check", "update_check", "check_runs"}) {
        const auto often = [&](double share, sim::Fault fault) {
            faults_.add(
                {.route = route,
                 .fault = std::move(fault),
                 .probability = swarm_.check_trouble * share}
            );
        };
        often(0.3, sim::Fault::lost_reply());
        often(0.3, sim::Fault::lost_behind(502));
        often(0.5, sim::Fault::server_error(503));
        often(0.1, sim::Fault::secondary_limit(30s));
    }
}

} // namespace baton::test
