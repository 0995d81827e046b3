#pragma once

#include "baton/app/demo_people.hpp"
#include "baton/app/demo_watch.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/sim_world.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace baton::app::demo {

/// Three scenes about checks and the gate, played once in every act of half a minute: a label that
/// comes after the run, a level 4 downstream that is red and blocks, and one that is dead, is
/// suspended and comes back. Each is told when GitHub shows it, not when the script wants it. One
/// thread.
class Scenes {
public:
    Scenes(People& people, Watch& watch)
        : people_(people)
        , watch_(watch) {}

    /// Does what the script says by now, and looks how far the scenes are.
    void act(sim::SimWorld& world, Millis since_start, TimePoint now);

    /// What was seen, for the account; a sentence each.
    const std::vector<std::string>& seen() const { return seen_; }

private:
    struct Cue;

    void open_unlabeled(sim::SimWorld& world, TimePoint now);
    void turn_red(sim::SimWorld& world, TimePoint now);
    void turn_green(sim::SimWorld& world, TimePoint now);
    void die(sim::SimWorld& world, TimePoint now);
    void come_back(sim::SimWorld& world, TimePoint now);
    void go_quiet(sim::SimWorld& world, TimePoint now);
    void speak_again(sim::SimWorld& world, TimePoint now);
    void push_main(sim::SimWorld& world, TimePoint now);

    void look_at_label(sim::SimWorld& world, TimePoint now);
    void look_at_gate(const sim::SimWorld& world);
    void tell(std::string sentence);

    enum class LabelStep : std::uint8_t { none = 1, running, labeled };
    enum class GateStep : std::uint8_t { none = 1, to_turn_red, red, to_turn_green };

    People& people_;
    Watch& watch_;
    std::size_t cue_{0};
    int round_{0};
    LabelStep label_{LabelStep::none};
    People::Staged unlabeled_;
    TimePoint opened_at_{};
    TimePoint labeled_at_{};
    GateStep gate_{GateStep::none};
    People::Staged blocked_;
    std::vector<std::string> seen_;
};

} // namespace baton::app::demo
