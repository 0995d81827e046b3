#include "baton/app/demo_scenes.hpp"

#include "baton/app/demo_cast.hpp"
#include "baton/app/demo_checks.hpp"
#include "baton/app/demo_downstreams.hpp"
#include "baton/app/demo_people.hpp"
#include "baton/app/demo_text.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace baton::app::demo {

using namespace std::chrono_literals;

namespace {

constexpr Millis kRound = 30s;
constexpr Millis kRest = 1100ms; // GitHub's times have whole seconds
constexpr std::string_view kLabel = "ciflow/crcr/npu";

std::int64_t number_of(const People::Staged& pull) {
    return static_cast<std::int64_t>(pull.number);
}

const sim::Pull& pull_of(const sim::SimWorld& world, const People::Staged& staged) {
    return world.model.repo(repo_named(kUpstream))->pulls.at(staged.number);
}

/// Whether the level 3 downstream has said its last word about it.
bool has_ended(const sim::SimWorld& world, const People::Staged& staged) {
    return std::ranges::any_of(world.downstreams.sent(), [&](const sim::SentReport& sent) {
        return sent.delivery_id == staged.delivery.text() &&
               sent.report.run.repo == repo_named(kLimited) &&
               !sent.report.step.conclusion.empty() && sent.answer.status == 200;
    });
}

bool has_check(const sim::SimWorld& world, const sim::Pull& pull, std::string_view beginning) {
    const auto* const in = world.model.repo(repo_named(kUpstream));
    const auto runs = world.model.checks().newest_of(in->id, pull.head);
    return std::ranges::any_of(runs, [&](const sim::CheckRun* run) {
        return run->name.starts_with(beginning) && run->status == "completed";
    });
}

} // namespace

struct Scenes::Cue {
    Millis at; // in its round
    void (Scenes::*act)(sim::SimWorld&, TimePoint);
};

void Scenes::act(sim::SimWorld& world, Millis since_start, TimePoint now) {
    constexpr std::array kCues{
        Cue{1500ms, &Scenes::open_unlabeled},
        Cue{3s, &Scenes::turn_red},
        Cue{4s, &Scenes::go_quiet},
        Cue{5500ms, &Scenes::die},
        Cue{11s, &Scenes::turn_green},
        Cue{14s, &Scenes::come_back},
        // Only the runs of people with write access bring it back.
        Cue{14500ms, &Scenes::push_main},
        Cue{15500ms, &Scenes::push_main},
        Cue{16500ms, &Scenes::push_main},
        Cue{17200ms, &Scenes::push_main},
        Cue{18500ms, &Scenes::speak_again}, // its re-runs answer for a while after it fell silent
    };
    while (kCues.at(cue_).at + kRound * round_ <= since_start) {
        (this->*kCues.at(cue_).act)(world, now);
        if (++cue_ == kCues.size()) {
            cue_ = 0;
            ++round_;
        }
    }
    look_at_label(world, now);
    look_at_gate(world);
}

void Scenes::tell(std::string sentence) {
    watch_.tell(sentence, true);
    seen_.push_back(std::move(sentence));
}

// --- the label

void Scenes::open_unlabeled(sim::SimWorld& world, TimePoint now) {
    unlabeled_ = people_.open_staged(world, "Teach views to npu", now);
    opened_at_ = now;
    label_ = unlabeled_.delivery.empty() ? LabelStep::none : LabelStep::running;
}

void Scenes::look_at_label(sim::SimWorld& world, TimePoint now) {
    const auto beginning = fmt::format("crcr/{}/", kLimited);
    if (label_ == LabelStep::running && now >= opened_at_ + kRest && has_ended(world, unlabeled_)) {
        people_.label_as(world, unlabeled_, std::string(kLabel), now);
        labeled_at_ = now;
        label_ = LabelStep::labeled;
    } else if (label_ == LabelStep::labeled &&
               has_check(world, pull_of(world, unlabeled_), beginning)) {
        tell(fmt::format(
            "late label: {} was done with #{} before {} came; its check is there {} later",
            kLimited,
            number_of(unlabeled_),
            kLabel,
            short_text(now - labeled_at_)
        ));
        label_ = LabelStep::none;
    }
}

// --- the failure

void Scenes::turn_red(sim::SimWorld& world, TimePoint now) {
    change_script(world, repo_named(kStrict), sim::Script::fail);
    blocked_ = people_.open_staged(world, "Reuse freed buffers", now);
    gate_ = blocked_.delivery.empty() ? GateStep::none : GateStep::to_turn_red;
}

void Scenes::turn_green(sim::SimWorld& world, TimePoint now) {
    change_script(world, repo_named(kStrict), sim::Script::pass);
    if (gate_ == GateStep::red) {
        people_.commit_to(world, blocked_, now);
        gate_ = GateStep::to_turn_green;
    }
}

void Scenes::look_at_gate(const sim::SimWorld& world) {
    if (gate_ == GateStep::none || gate_ == GateStep::red) {
        return;
    }
    const auto state = gate_of(world.model, pull_of(world, blocked_));
    const auto number = number_of(blocked_);
    if (gate_ == GateStep::to_turn_red && state == GateState::red) {
        tell(fmt::format("blocked: {} failed, so #{} cannot be merged", kStrict, number));
        gate_ = GateStep::red;
    } else if (gate_ == GateStep::to_turn_green && state == GateState::green) {
        tell(fmt::format("free again: after a fix the gate of #{} is green", number));
        gate_ = GateStep::none;
    }
}

// --- the death

void Scenes::die(sim::SimWorld& world, TimePoint /*now*/) {
    change_script(world, repo_named(kMortal), sim::Script::silent);
    watch_.tell(fmt::format("{} takes what it gets and starts nothing any more", kMortal), true);
}

void Scenes::come_back(sim::SimWorld& world, TimePoint /*now*/) {
    change_script(world, repo_named(kMortal), sim::Script::pass);
    watch_.tell(fmt::format("{} runs what it gets again", kMortal), true);
}

// --- the level

void Scenes::go_quiet(sim::SimWorld& world, TimePoint /*now*/) {
    change_script(world, repo_named(kQuiet), sim::Script::silent);
    watch_.tell(fmt::format("{} answers nothing any more", kQuiet), true);
}

void Scenes::speak_again(sim::SimWorld& world, TimePoint /*now*/) {
    change_script(world, repo_named(kQuiet), sim::Script::pass);
    watch_.tell(fmt::format("{} answers again", kQuiet), true);
}

void Scenes::push_main(sim::SimWorld& world, TimePoint now) {
    people_.push_main(world, now);
}

} // namespace baton::app::demo
