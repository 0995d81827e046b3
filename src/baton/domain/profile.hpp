#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/ladder_day.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// The rules of the ladder as data.
namespace baton::domain {

enum class Comparison : std::uint8_t { below = 1, at_most, above, at_least };
enum class Bound : std::uint8_t { none = 1, lower, upper }; // which end of the interval is compared

std::string_view name_of(Comparison comparison); // "<"
std::optional<Comparison> comparison_named(std::string_view name);
std::string_view name_of(Bound bound);
std::optional<Bound> bound_named(std::string_view name);

struct Criterion {
    std::string id; // "l3.e2e_p50"
    Figure figure{};
    int window{14}; // days
    Comparison comparison{Comparison::at_least};
    double target{0};     // in the figure's own unit
    std::size_t least{0}; // fewer samples tell nothing
    Bound bound{Bound::none};
    std::string text; // what it asks for, one line

    friend bool operator==(const Criterion&, const Criterion&) = default;
};

struct Profile {
    std::string name;    // "baton"
    std::string version; // "1"
    std::string text;
    Quantiles quantiles{Quantiles::nearest_rank};
    std::vector<Criterion> to_l2;
    std::vector<Criterion> to_l3;
    std::vector<Criterion> to_l4;    // readiness
    std::vector<Criterion> watch;    // told of when violated; lowers nobody by itself
    std::vector<Criterion> demotion; // each violated when it does not hold
    std::vector<Criterion> at_once;  // demotion without waiting when one is violated
    std::vector<Criterion> restore;  // beside no demotion criterion violated

    int temporary_after{2};           // evaluations in a row
    std::size_t temporary_events{20}; // of the demotion window
    int restore_after{3};             // clean evaluations in a row
    int temporary_least{2};           // days
    int slow_restore{7};              // days after which a small sample may bring it back
    int lower_after{2};               // working days after a temporary demotion began
    int lower_count{3};               // temporary demotions ...
    int lower_window{90};             // ... within so many days
    int raise_after{2};               // evaluations in a row
    int cool_down{14};                // days
    int silent_lower{7};              // days of silence at level 2
    double excluded_max{0.30};
    double frozen_share{0.5};
    std::size_t frozen_least{3};
    double unsent_max{0.05};

    friend bool operator==(const Profile&, const Profile&) = default;
};

std::string label_of(const Profile& profile); // "baton/1"

/// How far back its criteria look, in days.
std::set<int> windows_of(const Profile& profile);

/// How many days a judgement has to know: the longest window, and enough to see the whole silence
/// of somebody who is asked rarely. With fewer, a silence would shrink as its first days are
/// forgotten.
int history_days(const Profile& profile);

enum class Met : std::uint8_t { yes = 1, no, insufficient };

std::string_view name_of(Met met); // "met", "missed", "insufficient"

struct CriterionVerdict {
    Criterion criterion;
    Measured measured;
    Met met{Met::insufficient};
    std::string advice; // what would change it, or that chance may explain it; empty: neither

    friend bool operator==(const CriterionVerdict&, const CriterionVerdict&) = default;
};

/// What is held against the target: the value, or the end of the interval that the criterion names.
std::optional<double> compared(const Measured& measured, Bound bound);

CriterionVerdict
weigh(const Criterion& criterion, const LadderHistory& history, TimePoint as_of, Quantiles how);

} // namespace baton::domain
