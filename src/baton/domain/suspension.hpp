#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"

#include <optional>
#include <string>
#include <vector>

namespace baton::domain {

/// One upstream's events on their way to one downstream.
struct Pairing {
    RepoName upstream;
    RepoName downstream;
};

/// An operator's word that a downstream gets nothing for now. Unlike `pause` it stands in no list:
/// it is given on the command line, holds what is pending already, and ends when somebody says so.
struct Suspension {
    RepoName downstream;
    RepoName upstream; // empty: of every upstream
    TimePoint since{};
    std::optional<TimePoint> until; // none: until it is lifted
    std::string reason;
    std::string actor;

    friend bool operator==(const Suspension&, const Suspension&) = default;
};

bool is_in_force(const Suspension& suspension, TimePoint now);

/// The one that holds this pairing now, or null. One of every upstream comes before one of this
/// upstream alone.
const Suspension*
suspension_of(const std::vector<Suspension>& all, const Pairing& pairing, TimePoint now);

/// `suspended until 2026-11-15T13:30:00.000Z: new racks`: the reason that planning records.
std::string to_text(const Suspension& suspension);

} // namespace baton::domain
