#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/suspension.hpp"

#include <optional>
#include <string>
#include <vector>

namespace baton::domain {

/// The circuit breaker is open: this downstream is dispatched to as ever, and its part of the gate
/// is neutral. Unlike `Suspension`, which withholds events, it holds up nothing and nobody.
struct GateSuspension {
    RepoName upstream;
    RepoName downstream;
    TimePoint since{};
    std::string reason;   // one sentence for people
    std::string evidence; // JSON: the figures and runs behind it
    bool by_hand{false};  // then only a hand lifts it
    std::string actor;

    friend bool operator==(const GateSuspension&, const GateSuspension&) = default;
};

/// The one in force for this pairing, if any.
std::optional<GateSuspension>
suspension_of(const std::vector<GateSuspension>& all, const Pairing& pairing);

} // namespace baton::domain
