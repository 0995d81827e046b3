#pragma once

#include "baton/app/demo_people.hpp"
#include "baton/app/demo_watch.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/sim_world.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace baton::app::demo {

/// The script: what goes wrong and when. One downstream is slow, one answers 5xx now and then, one
/// loses replies, all the time; the rest happens once in every act of half a minute, so that thirty
/// seconds show all of it. One thread.
class Trouble {
public:
    Trouble(People& people, Watch& watch)
        : people_(people)
        , watch_(watch) {}

    /// What is wrong from the beginning.
    void begin(sim::SimWorld& world);
    /// Does what the script says by now.
    void act(sim::SimWorld& world, Millis since_start, TimePoint now);
    /// Webhooks that are held up are sent after all; what is broken downstream stays broken.
    static void end(sim::SimWorld& world);

private:
    struct Cue;
    void large_pull(sim::SimWorld& world, TimePoint now);
    void fall_asleep(sim::SimWorld& world, TimePoint now);
    void wake_up(sim::SimWorld& world, TimePoint now);
    void nightly(sim::SimWorld& world, TimePoint now);
    void rotate_keys(sim::SimWorld& world, TimePoint now);
    void announce_limit(sim::SimWorld& world, TimePoint now);
    void break_allowlist(sim::SimWorld& world, TimePoint now);
    void mend_allowlist(sim::SimWorld& world, TimePoint now);
    void hold_webhooks(sim::SimWorld& world, TimePoint now);
    void release_webhooks(sim::SimWorld& world, TimePoint now);
    void look_for_large(const sim::SimWorld& world);

    People& people_;
    Watch& watch_;
    std::size_t cue_{0};
    int round_{0};
    std::optional<std::int64_t> asleep_; // the fault's id
    DeliveryId large_;                   // until somebody received it
};

} // namespace baton::app::demo
