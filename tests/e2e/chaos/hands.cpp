#include "e2e/chaos/hands.hpp"

#include "baton/sim/faults.hpp"
#include "baton/sim/hook_outbox.hpp"
#include "baton/sim/sim_world.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "e2e/chaos/schedule.hpp"
#include "e2e/replicas/house.hpp"
#include "e2e/stage.hpp"
#include "support/fault_proxy.hpp"
#include "support/postgres_hands.hpp"
#include "support/postgres_place.hpp"

namespace baton::test {

using namespace std::chrono_literals;
using Way = FaultProxy::Way;

namespace {

constexpr auto kJump = 3'600s;
constexpr auto kBackWithin = 120s; // a machine may be busy with much else

} // namespace

Hands::Hands(Stage& stage, House& house)
    : stage_(stage)
    , house_(house)
    , database_(PostgresPlace::is_there() ? std::make_unique<PostgresHands>() : nullptr)
    , lives_(house.size()) {}

Hands::~Hands() = default;

void Hands::play(const std::vector<std::vector<Step>>& schedules) {
    std::vector<std::thread> threads;
    threads.reserve(schedules.size());
    for (const auto& steps : schedules) {
        threads.emplace_back([this, &steps] { play_one(steps); });
    }
    for (auto& thread : threads) {
        thread.join();
    }
}

void Hands::play_one(const std::vector<Step>& steps) {
    for (const auto& step : steps) {
        {
            const std::lock_guard lock(mutex_);
            ++done_[step.trouble];
        }
        begin(step);
        let_pass(step.lasts);
        end(step);
        let_pass(step.calm);
    }
}

void Hands::begin(const Step& step) {
    const auto which = step.which;
    switch (step.trouble) {
    case Trouble::kill:
        return house_.pull_the_plug(which);
    case Trouble::stand_still:
        return house_.process(which).send_signal(SIGSTOP);
    case Trouble::clock_ahead:
        return house_.set_clock(which, kJump);
    case Trouble::clock_behind:
        return house_.set_clock(which, -kJump);
    case Trouble::database_cut:
        return house_.to_database(which).set(Way::cut);
    case Trouble::database_silent:
        return house_.to_database(which).set(Way::held);
    case Trouble::database_deaf:
        return house_.to_database(which).set(Way::deaf);
    case Trouble::database_slow:
        return house_.to_database(which).set(Way::slow);
    case Trouble::github_cut:
        return house_.to_github(which).set(Way::cut);
    case Trouble::github_silent:
        return house_.to_github(which).set(Way::held);
    case Trouble::github_deaf:
        return house_.to_github(which).set(Way::deaf);
    case Trouble::database_restart:
    case Trouble::database_away:
        return database_->stop_fast();
    case Trouble::database_crash:
        return database_->stop_at_once();
    case Trouble::disk_full:
        return fill_disk(true);
    case Trouble::github_errors:
    case Trouble::github_limit:
    case Trouble::github_loses_answers:
    case Trouble::webhooks_lost:
        return set_fault(step.trouble);
    }
}

void Hands::end(const Step& step) {
    if (end_wire(step)) {
        return;
    }
    switch (step.trouble) {
    case Trouble::kill:
        return revive(step.which);
    case Trouble::stand_still:
        return house_.process(step.which).send_signal(SIGCONT);
    case Trouble::clock_ahead:
    case Trouble::clock_behind:
        return house_.set_clock(step.which, 0s);
    case Trouble::database_restart:
    case Trouble::database_away:
    case Trouble::database_crash:
        return database_->start();
    case Trouble::disk_full:
        return fill_disk(false);
    default:
        stage_.github().with([](sim::SimWorld& world) {
            world.faults.clear();
            world.outbox.set({});
        });
    }
}

/// What was held on a wire comes when it is open again; where answers were lost, they stay lost.
bool Hands::end_wire(const Step& step) {
    switch (step.trouble) {
    case Trouble::database_deaf:
        house_.to_database(step.which).reset();
        [[fallthrough]];
    case Trouble::database_cut:
    case Trouble::database_silent:
    case Trouble::database_slow:
        house_.to_database(step.which).set(Way::open);
        return true;
    case Trouble::github_deaf:
        house_.to_github(step.which).reset();
        [[fallthrough]];
    case Trouble::github_cut:
    case Trouble::github_silent:
        house_.to_github(step.which).set(Way::open);
        return true;
    default:
        return false;
    }
}

void Hands::set_fault(Trouble trouble) {
    stage_.github().with([trouble](sim::SimWorld& world) {
        switch (trouble) {
        case Trouble::github_errors:
            world.faults.add({.fault = sim::Fault::server_error(502), .probability = 0.5});
            world.faults.add({.fault = sim::Fault::lost_behind(500), .probability = 0.3});
            break;
        case Trouble::github_limit:
            world.faults.add(
                {.route = "dispatches", .fault = sim::Fault::secondary_limit(2s), .times = 1}
            );
            break;
        case Trouble::github_loses_answers:
            world.faults.add({.fault = sim::Fault::lost_reply(), .probability = 0.3});
            break;
        default:
            world.outbox.set({.duplicate = 0.2, .lose = 0.5, .reorder = 0.3});
        }
    });
}

/// As a supervisor does: again and again, for its database may be away.
void Hands::revive(std::size_t which) {
    ++lives_;
    EXPECT_TRUE(eventually([&] { return house_.start(which); }, kBackWithin)) << house_.log(which);
}

void Hands::fill_disk(bool full) {
    if (database_ == nullptr) {
        house_.set_disk(full);
    } else if (full) {
        PostgresHands::fill_disk();
    } else {
        PostgresHands::empty_disk();
    }
}

} // namespace baton::test
