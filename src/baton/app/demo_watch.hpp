#pragma once

#include "baton/app/demo_view.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace baton::app::demo {

/// What the relay's own journal told about one downstream.
struct DownstreamFacts {
    std::optional<domain::Outcome> last; // of the latest attempt
    int attempt{0};
    std::optional<TimePoint> next_try;
    Millis took{0}; // the latest accepted call
    std::size_t failed{0};
    std::string failure;    // the relay's sentence for the owner
    int trouble{0};         // the status of the latest one without effect; 0: silence
    std::size_t unknown{0}; // attempts without an answer
    std::size_t retries{0};
};

/// The circuit breaker moved.
struct GateTurn {
    RepoName downstream;
    bool suspended{false}; // false: it counts again
    Millis at{};           // since the start
    std::string reason;
};

/// Everything counted so far; a copy.
struct Seen {
    Webhooks webhooks;
    std::map<RepoName, DownstreamFacts> downstreams;
    std::map<std::string, TimePoint> limited; // by owner: until when GitHub wants to be left alone
    double sent_per_second{0};
    std::optional<Millis> median_age;
    std::deque<Happening> happenings;
    std::vector<GateTurn> gate_turns;     // oldest first
    std::vector<std::string> level_turns; // a sentence each, likewise
    bool allowlist_in_force{false};
};

/// Listens to the relay's journal and remembers what the screen wants to show. Any thread.
class Watch final : public ports::Journal {
public:
    explicit Watch(const ports::Clock& clock)
        : clock_(clock) {}

    void note(const ports::JournalEntry& entry) override;

    /// What somebody did upstream; told once the relay has planned it, with what that led to.
    void announce(const DeliveryId& delivery, std::string what);
    /// The moment that happenings are told from.
    void start_at(TimePoint when);
    /// Told at once.
    void tell(std::string what, bool trouble);

    Seen seen() const;

private:
    void hear(const ports::WebhookAnswered& entry);
    void hear(const ports::CallbackAnswered& entry);
    void hear(const ports::DeliveryPlanned& entry);
    void hear(const ports::DispatchAttempted& entry);
    void hear(const ports::AllowlistInForce& entry);
    void hear(const ports::AllowlistRefused& entry);
    void hear(const ports::HookLogWalked& entry);
    void hear(const ports::DayCompleted& entry);

    // What the clock brings is in the account.
    void hear(const ports::SilenceNoted& /*entry*/) {}

    void hear(const ports::JobTimedOut& /*entry*/) {}

    void hear(const ports::ScheduleTurned& /*entry*/) {}

    void hear(const ports::LetterAttempted& /*entry*/) {}

    // What stands on GitHub is looked at there.
    void hear(const ports::PostingAttempted& /*entry*/) {}

    void hear(const ports::RerunEnded& /*entry*/) {}

    void hear(const ports::GateMoved& entry);
    void hear(const ports::LadderMoved& entry);

    void hear(const ports::Pruned& /*entry*/) {} // nothing is that old

    void hear(const ports::Trouble& entry);
    void hear(const ports::LifeTurn& entry);
    void tell_locked(std::string what, bool trouble);
    Millis since_start() const;

    const ports::Clock& clock_;

    mutable std::mutex mutex_; // guards what follows
    std::optional<TimePoint> started_;
    Seen seen_;
    std::map<std::string, std::size_t> ignored_;
    std::map<DeliveryId, std::string> announced_;
    std::deque<TimePoint> sent_; // of the last few seconds
    std::deque<Millis> ages_;    // of the latest sent dispatches
};

} // namespace baton::app::demo
