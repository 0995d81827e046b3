#pragma once

#include "baton/domain/allowlist.hpp"
#include "baton/domain/plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// The rules of planning say yes or no to one downstream, and why.
namespace baton::domain {

enum class Admission : std::uint8_t { yes, no, undecided };

/// A rule that has nothing against it may say what spoke for it.
struct Ruling {
    Admission admission{Admission::yes};
    std::string reason;

    static Ruling yes(std::string reason);
    static Ruling no(std::string reason);
    static Ruling undecided(std::string reason); // rights are missing
};

/// The first rule that is against it, or all that speaks for it.
Ruling together(const std::vector<Ruling>& rulings);

/// What holds for every event: the operator's word, maintenance and participation.
Ruling general_ruling(const Downstream& downstream, const PlanInput& input);

} // namespace baton::domain
