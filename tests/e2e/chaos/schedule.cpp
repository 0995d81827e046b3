#include "e2e/chaos/schedule.hpp"

#include "baton/sim/seeded_chance.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::test {

namespace {

using std::chrono::milliseconds;

milliseconds drawn(sim::SeededChance& chance, milliseconds least, milliseconds most) {
    const auto range = static_cast<std::uint64_t>((most - least).count());
    return least + milliseconds(chance.draw().below(range + 1));
}

/// Long enough that somebody notices, short enough that much can be done in a minute.
milliseconds duration_of(Trouble trouble, sim::SeededChance& chance) {
    switch (trouble) {
    case Trouble::kill:
        return drawn(chance, milliseconds(0), milliseconds(1'500)); // until it is started again
    case Trouble::stand_still:
    case Trouble::database_silent:
        return drawn(chance, milliseconds(500), milliseconds(8'000)); // others give up after four
    case Trouble::clock_ahead:
    case Trouble::clock_behind:
        return drawn(chance, milliseconds(1'000), milliseconds(6'000));
    case Trouble::database_deaf:
        return drawn(chance, milliseconds(20), milliseconds(400));
    default:
        return drawn(chance, milliseconds(300), milliseconds(3'000));
    }
}

std::vector<Trouble> shuffled(std::vector<Trouble> kinds, sim::SeededChance& chance) {
    for (std::size_t left = kinds.size(); left > 1; --left) {
        std::swap(kinds[left - 1], kinds[chance.draw().below(left)]);
    }
    return kinds;
}

} // namespace

std::string_view name_of(Trouble trouble) {
    switch (trouble) {
    case Trouble::kill:
        return "kill -9";
    case Trouble::stand_still:
        return "SIGSTOP";
    case Trouble::clock_ahead:
        return "clock ahead";
    case Trouble::clock_behind:
        return "clock behind";
    case Trouble::database_cut:
        return "database cut off";
    case Trouble::database_silent:
        return "database silent";
    case Trouble::database_deaf:
        return "database's answers lost";
    case Trouble::database_slow:
        return "database slow";
    case Trouble::github_cut:
        return "GitHub cut off";
    case Trouble::github_silent:
        return "GitHub silent";
    case Trouble::github_deaf:
        return "GitHub's answers lost";
    case Trouble::database_restart:
        return "database restarted";
    case Trouble::database_crash:
        return "database crashed";
    case Trouble::database_away:
        return "database away";
    case Trouble::disk_full:
        return "disk full";
    case Trouble::github_errors:
        return "GitHub answers 5xx";
    case Trouble::github_limit:
        return "GitHub announces a limit";
    case Trouble::github_loses_answers:
        return "GitHub loses answers";
    case Trouble::webhooks_lost:
        return "GitHub loses webhooks";
    }
    return "";
}

std::vector<Trouble> troubles_of_one() {
    return {
        Trouble::kill,
        Trouble::stand_still,
        Trouble::clock_ahead,
        Trouble::clock_behind,
        Trouble::database_cut,
        Trouble::database_silent,
        Trouble::database_deaf,
        Trouble::database_slow,
        Trouble::github_cut,
        Trouble::github_silent,
        Trouble::github_deaf,
    };
}

std::vector<Trouble> troubles_of_all() {
    return {
        Trouble::database_restart,
        Trouble::database_crash,
        Trouble::database_away,
        Trouble::disk_full,
        Trouble::github_errors,
        Trouble::github_limit,
        Trouble::github_loses_answers,
        Trouble::webhooks_lost,
    };
}

std::vector<Trouble> troubles_without_database() {
    return {
        Trouble::kill,
        Trouble::stand_still,
        Trouble::clock_ahead,
        Trouble::clock_behind,
        Trouble::github_cut,
        Trouble::github_silent,
        Trouble::github_deaf,
        Trouble::disk_full,
        Trouble::github_errors,
        Trouble::github_limit,
        Trouble::github_loses_answers,
        Trouble::webhooks_lost,
    };
}

std::vector<Step> schedule_of(const SchedulePlan& plan) {
    sim::SeededChance chance(plan.seed);
    std::vector<Step> steps;
    milliseconds spent{0};
    do {
        for (const auto trouble : shuffled(plan.kinds, chance)) {
            Step step{
                .trouble = trouble,
                .which = chance.draw().below(plan.replicas),
                .lasts = duration_of(trouble, chance),
                .calm = drawn(chance, milliseconds(50), milliseconds(1'000)),
            };
            spent += step.lasts + step.calm;
            steps.push_back(step);
        }
    } while (spent < plan.time);
    return steps;
}

} // namespace baton::test
