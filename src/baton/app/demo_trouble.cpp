#include "baton/app/demo_trouble.hpp"

#include "baton/app/demo_cast.hpp"
#include "baton/app/demo_downstreams.hpp"
#include "baton/app/demo_people.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/hook_outbox.hpp"
#include "baton/sim/sim_world.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace baton::app::demo {

using namespace std::chrono_literals;

namespace {

constexpr Millis kRound = 30s;
constexpr double kDuplicates = 0.12;
constexpr std::chrono::seconds kLimit{4};

void misbehave(
    sim::SimWorld& world, std::string_view repo, const sim::Fault& fault, double probability
) {
    world.faults.add({
        .route = "dispatches",
        .repo = repo_named(repo),
        .fault = fault,
        .times = {},
        .probability = probability,
    });
}

} // namespace

struct Trouble::Cue {
    Millis at; // in its round
    void (Trouble::*act)(sim::SimWorld&, TimePoint);
};

void Trouble::begin(sim::SimWorld& world) {
    misbehave(world, kSlow, sim::Fault::slow(900ms), 1.0);
    misbehave(world, kFlaky, sim::Fault::server_error(502), 0.35);
    misbehave(world, kForgetful, sim::Fault::lost_reply(), 0.25);
    world.outbox.set({.duplicate = kDuplicates});
}

void Trouble::act(sim::SimWorld& world, Millis since_start, TimePoint now) {
    constexpr std::array kCues{
        Cue{2500ms, &Trouble::large_pull},
        Cue{4s, &Trouble::fall_asleep},
        Cue{6s, &Trouble::nightly},
        Cue{7s, &Trouble::announce_limit},
        Cue{9s, &Trouble::break_allowlist},
        Cue{12s, &Trouble::wake_up},
        Cue{15s, &Trouble::mend_allowlist},
        Cue{18s, &Trouble::hold_webhooks},
        Cue{20500ms, &Trouble::release_webhooks},
        Cue{22s, &Trouble::rotate_keys},
        Cue{24s, &Trouble::announce_limit},
    };
    look_for_large(world);
    while (kCues.at(cue_).at + kRound * round_ <= since_start) {
        (this->*kCues.at(cue_).act)(world, now);
        if (++cue_ == kCues.size()) {
            cue_ = 0;
            ++round_;
        }
    }
}

void Trouble::end(sim::SimWorld& world) {
    world.outbox.set({});
}

void Trouble::large_pull(sim::SimWorld& world, TimePoint now) {
    large_ = people_.open_large(world, now);
}

/// Tells once what became of the large one.
void Trouble::look_for_large(const sim::SimWorld& world) {
    if (large_.empty()) {
        return;
    }
    const auto arrived = world.model.dispatches().find({.delivery_id = large_.text(), .limit = 1});
    if (arrived.empty()) {
        return;
    }
    large_ = {};
    const auto& one = arrived.front();
    if (one.body.find("\"trimmed\":[\"") != std::string::npos) {
        watch_.tell(
            fmt::format(
                "it arrives with {} KB at {}: trimmed, and told what was dropped",
                one.body_bytes / 1000,
                one.repo.text()
            ),
            true
        );
    }
}

void Trouble::fall_asleep(sim::SimWorld& world, TimePoint /*now*/) {
    sim::Fault dead;
    dead.ending = sim::Fault::Ending::unreachable;
    dead.perform = false;
    asleep_ = world.faults.add({
        .route = "dispatches",
        .repo = repo_named(kSleeper),
        .fault = dead,
        .times = {},
    });
    watch_.tell(fmt::format("{} stops answering; nobody else waits for it", kSleeper), true);
}

void Trouble::wake_up(sim::SimWorld& world, TimePoint /*now*/) {
    if (asleep_) {
        world.faults.remove(*asleep_);
        asleep_.reset();
        watch_.tell(fmt::format("{} is back and gets what it missed", kSleeper), true);
    }
}

void Trouble::announce_limit(sim::SimWorld& world, TimePoint /*now*/) {
    world.faults.add({
        .route = "dispatches",
        .repo = repo_named(kLimited),
        .fault = sim::Fault::secondary_limit(kLimit),
        .times = 1,
    });
}

void Trouble::nightly(sim::SimWorld& world, TimePoint now) {
    report_nightly(world, now);
    watch_.tell(fmt::format("{} reports its nightly by itself", kNightly), false);
}

/// Every other round: a relay looks for a key that it does not know once a minute at most.
void Trouble::rotate_keys(sim::SimWorld& world, TimePoint /*now*/) {
    if (round_ % 2 != 0) {
        return;
    }
    world.oidc.rotate(crypto::Algorithm::es256); // an RSA key would hold everybody up
    watch_.tell("the issuer of identity tokens signs with a new key", true);
}

void Trouble::break_allowlist(sim::SimWorld& world, TimePoint now) {
    people_.edit_allowlist(world, broken_allowlist(), now);
}

void Trouble::mend_allowlist(sim::SimWorld& world, TimePoint now) {
    people_.edit_allowlist(world, mended_allowlist(round_ + 1), now);
}

void Trouble::hold_webhooks(sim::SimWorld& world, TimePoint /*now*/) {
    world.outbox.set({.paused = true, .duplicate = kDuplicates});
    watch_.tell("webhooks are held up at GitHub", true);
}

void Trouble::release_webhooks(sim::SimWorld& world, TimePoint /*now*/) {
    world.outbox.set({.duplicate = kDuplicates, .reorder = 1.0});
    watch_.tell(
        fmt::format("{} webhooks come at once and in the wrong order", world.outbox.waiting()), true
    );
}

} // namespace baton::app::demo
