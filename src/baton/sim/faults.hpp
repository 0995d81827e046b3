#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace baton::sim {

/// How GitHub misbehaves towards one request. Two things are apart: whether the request still has
/// its effect, and what the caller gets to hear. An effect without its answer is the case that "at
/// least once" is about.
struct Fault {
    enum class Ending {
        answer = 1,  // as it should be
        status,      // `status` instead
        reset,       // the connection breaks
        drop,        // no answer ever
        unreachable, // not even a connection; over HTTP played as a reset
    };

    Ending ending{Ending::answer};
    bool perform{true}; // the effect happens all the same
    int status{0};
    std::string message;                             // with `status`
    std::optional<std::chrono::seconds> retry_after; // with `status`
    Millis delay{0};                                 // before the ending
    bool mid_body{false
    }; // a reset that comes in the middle of the answer; without a body, before it

    static Fault slow(Millis delay);
    static Fault server_error(int status);                          // no effect
    static Fault lost_reply();                                      // the effect, then a reset
    static Fault lost_behind(int status);                           // the effect, then a 5xx
    static Fault secondary_limit(std::chrono::seconds retry_after); // 403, no effect
};

/// Which requests a fault meets: the first rule that matches and fires decides.
struct FaultRule {
    std::string route; // a route's name, "dispatches"; empty: every one
    std::optional<RepoName> repo;
    Fault fault;
    std::optional<std::size_t> times; // so many requests, then never again; nullopt: until removed
    double probability{1.0};          // drawn from the seed per matching request
};

/// The switches. One thread.
class Faults {
public:
    explicit Faults(std::uint64_t seed)
        : chance_(seed_for(seed, "faults")) {}

    std::int64_t add(FaultRule rule);
    bool remove(std::int64_t id);

    void clear() { rules_.clear(); }

    /// What happens to this request; a plain answer when no rule fires.
    Fault decide(std::string_view route, const std::optional<RepoName>& repo);

    struct Rule {
        FaultRule rule;
        std::size_t fired{0};
    };

    const std::map<std::int64_t, Rule>& rules() const { return rules_; }

private:
    SeededChance chance_;
    std::int64_t next_{1};
    std::map<std::int64_t, Rule> rules_; // in the order in which they were added
};

} // namespace baton::sim
