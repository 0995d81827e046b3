#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/array.hpp>

#include <string>
#include <vector>

namespace baton::program {

/// One thing that happened, in words that are safe to print.
struct Moment {
    TimePoint at{};
    std::string words;
    std::vector<std::string> more; // a line for each downstream
};

/// A delivery with the list that was in force when it was planned, if it is known.
struct Told {
    ports::DeliveryHistory history;
    std::vector<ports::AllowlistVersion> lists;
};

/// Webhook, plan with the rule that decided for each downstream, attempts, and what ended or
/// repeated them, in the order of time.
std::vector<Moment> story_of(const Told& told);

/// Where a downstream stands and what happens next.
struct Standing {
    RepoName downstream;
    std::string state; // of its newest dispatch; "withheld" when it got none
    std::string next;  // as strangers wrote it: to be made inert where it is shown
};

/// Of every downstream that these deliveries, oldest first, were decided for; by name.
std::vector<Standing> standings_of(
    const std::vector<Told>& deliveries,
    const std::vector<domain::Suspension>& suspensions,
    TimePoint now
);

boost::json::array to_json(const std::vector<Moment>& story);
boost::json::array to_json(const std::vector<Standing>& standings);

} // namespace baton::program
