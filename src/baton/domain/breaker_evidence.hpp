#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/breaker.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a run says about the health of its downstream, and how that is written down.
namespace baton::domain {

/// A run, weighed. None of the flags: it tells nothing (not sent, not due yet, superseded, or only
/// cancelled).
struct Sign {
    const SeenRun* seen{nullptr};
    bool silent{false};              // nobody started it in time
    bool started{false};             // somebody did
    bool timed_out{false};           // some job of it did not end in time
    bool red{false};                 // it has ended, and some job of it failed
    bool clean{false};               // it has ended, and none did
    bool trusted{false};             // nobody without write access had a hand in how it ended
    TimePoint at{};                  // when it was known: the deadline missed, or the last end
    TimePoint began{};               // its first word; of a silent one, when it was sent
    TimePoint last_start{};          // of any of its jobs
    std::optional<TimePoint> due_at; // when time alone would make it tell more
};

Sign sign_of(const SeenRun& seen, const BreakerRules& rules, TimePoint now);

struct Figure {
    std::string_view name;
    std::int64_t value{0};
};

/// `{"rule":"silent","needed":2,…,"runs":[…]}`: the same signs give the same bytes.
std::string evidence_text(
    std::string_view rule, const std::vector<Figure>& figures, const std::vector<Sign>& signs
);

} // namespace baton::domain
