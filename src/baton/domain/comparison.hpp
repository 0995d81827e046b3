#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace baton::domain {

/// One dispatch of another relay, as its log tells it.
struct OtherDispatch {
    DeliveryId delivery;
    RepoName downstream;
    std::string event_type;      // empty: not told
    std::optional<TimePoint> at; // none: not told
};

/// What we decided for one delivery and downstream.
struct OwnDecision {
    DeliveryId delivery;
    RepoName downstream;
    bool sends{false}; // sent it, or would have
    std::string event_type;
    std::string reason;
    TimePoint at{}; // when it was decided
};

/// One delivery and downstream on which the two differ, with our reason.
struct Difference {
    DeliveryId delivery;
    RepoName downstream;
    std::string reason;

    friend bool operator==(const Difference&, const Difference&) = default;
};

struct RelayComparison {
    std::size_t agreed{0};
    std::vector<Difference> only_we;
    std::vector<Difference> only_they;
    std::vector<Difference> other_event; // both sent, under different event types
    std::vector<Millis> apart;           // theirs after ours, where they tell the time; sorted

    bool is_alike() const { return only_we.empty() && only_they.empty() && other_event.empty(); }
};

/// Compares what two relays sent, delivery by delivery and downstream by downstream. A dispatch
/// that the other one repeated counts once. Differences stand in the order of delivery and
/// downstream.
RelayComparison
compare(const std::vector<OwnDecision>& ours, const std::vector<OtherDispatch>& theirs);

} // namespace baton::domain
