#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace baton::test {

/// What is done to replicas, their database and their GitHub.
enum class Trouble : std::uint8_t {
    kill = 1, // kill -9, started again
    stand_still,
    clock_ahead,
    clock_behind,
    database_cut, // for one replica, as the next three
    database_silent,
    database_deaf,
    database_slow,
    github_cut, // for one replica
    github_silent,
    github_deaf,
    database_restart,
    database_crash,
    database_away,
    disk_full,
    github_errors, // for all of them
    github_limit,
    github_loses_answers,
    webhooks_lost,
};

std::string_view name_of(Trouble trouble);

/// One thing that is done, how long it lasts, and how long nothing is done afterwards.
struct Step {
    Trouble trouble{Trouble::kill};
    std::size_t which{0}; // of the replicas
    std::chrono::milliseconds lasts{0};
    std::chrono::milliseconds calm{0};
};

struct SchedulePlan {
    std::uint64_t seed{0};
    std::chrono::milliseconds time{0};
    std::size_t replicas{3};
    std::vector<Trouble> kinds;
};

/// Each kind once in a drawn order, then all once more, until the time is spent; each kind comes at
/// least once, however short the time. The same plan gives the same steps.
std::vector<Step> schedule_of(const SchedulePlan& plan);

/// What befalls one replica, and what befalls all of them: two hands that do not wait for each
/// other.
std::vector<Trouble> troubles_of_one();
std::vector<Trouble> troubles_of_all();
/// What there is for a relay on a file of its own.
std::vector<Trouble> troubles_without_database();

} // namespace baton::test
