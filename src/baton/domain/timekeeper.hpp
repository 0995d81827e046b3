#pragma once

#include "baton/base/time.hpp"

#include <chrono>
#include <optional>

namespace baton::domain {

/// The time that a relay goes by: its machine's, or its database's where several share one ("the
/// machine" is whichever it is), as long as that one only goes on.
///
/// Clocks are set. What was written down while one stood an hour ahead would be waited
/// for an hour once it is put right: leases, retries, time-outs, gates. So `now` never goes back
/// and never stands still:
///
///   - a clock that jumps is believed after it has gone on from there for kBelievedAfter; until
///     then time is counted on by what has passed;
///   - believed and ahead: time is what the machine says at once;
///   - believed and behind: time goes half as fast until the machine has caught up.
///
/// Pure: the caller brings what both clocks say.
class Timekeeper {
public:
    struct Reading {
        std::chrono::nanoseconds passed{};  // since whenever: a clock that nobody can set
        std::chrono::nanoseconds machine{}; // since 1970, as the machine has it
    };

    static constexpr std::chrono::seconds kSmallStep{1}; // believed at once
    static constexpr std::chrono::minutes kBelievedAfter{1};
    static constexpr std::chrono::hours kNotBeforeMost{24};

    explicit Timekeeper(const Reading& first);

    TimePoint now(const Reading& reading);

    /// The machine's time as far as it is believed, for what others signed. It may go back.
    TimePoint calendar(const Reading& reading);

    /// Somebody wrote this moment down before we began. False when it is too far ahead to be gone
    /// by: then nothing changes.
    bool not_before(TimePoint when, const Reading& reading);

private:
    /// The machine's clock stands elsewhere than it should.
    struct Doubt {
        std::chrono::nanoseconds ahead{};
        std::chrono::nanoseconds since{};
    };

    void look(const Reading& reading);

    std::chrono::nanoseconds ahead_;  // the believed machine's time, less what has passed
    std::chrono::nanoseconds passed_; // when `now_` was told
    std::chrono::nanoseconds now_;
    std::optional<Doubt> doubt_;
};

} // namespace baton::domain
