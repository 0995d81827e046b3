#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/letter.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/posting.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/retry.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace baton::ports {

/// One webhook request, answered.
struct WebhookAnswered {
    DeliveryId delivery;
    std::string event;
    std::string action;
    int status{0};
    std::string outcome; // accepted, duplicate, ignored, refused, unavailable
    std::string reason;  // fixed words, so that they can be counted
    std::size_t body_bytes{0};
    std::chrono::microseconds took{0};
};

/// One callback request, answered.
struct CallbackAnswered {
    RepoName downstream; // empty: the token said nothing that can be believed
    DeliveryId delivery;
    std::string job; // "workflow / job", as reported
    int status{0};
    std::string outcome; // recorded, duplicate, stale, ignored, refused, unavailable
    std::string reason;  // fixed words, so that they can be counted
    std::size_t body_bytes{0};
    std::chrono::microseconds took{0};
};

struct DeliveryPlanned {
    DeliveryId delivery;
    std::string event;
    std::size_t created{0};
    std::size_t superseded{0};
    std::size_t cancelled{0};
    Millis waited{0}; // since it was received
};

struct DispatchAttempted {
    DispatchId dispatch{};
    domain::DispatchKey key;
    domain::Level level{domain::Level::l1};
    int attempt{0};
    domain::Answer answer;
    domain::DispatchState state{domain::DispatchState::pending};
    std::optional<TimePoint> next_try;
    std::string reason;
    Millis took{0};
    Millis age{0}; // since the dispatch was decided
};

struct AllowlistInForce {
    RepoName upstream;
    std::string source;
    std::size_t downstreams{0};
};

/// The last good one stays in force.
struct AllowlistRefused {
    RepoName upstream;
    std::string source;
    std::string detail;
};

/// GitHub's delivery log was looked through.
struct HookLogWalked {
    std::size_t tries{0};    // lines read
    std::size_t asked{0};    // redeliveries asked for
    std::size_t astray{0};   // webhooks still on their way
    std::size_t given_up{0}; // asked for as often as we may
};

/// The account of one day.
struct DayCompleted {
    domain::Completeness day;
};

/// A dispatch of which nobody said in time that it has begun.
struct SilenceNoted {
    DispatchId dispatch{};
    RepoName downstream;
    bool superseded{false}; // it no longer mattered
};

/// A job of which nobody said in time that it has ended.
struct JobTimedOut {
    JobId job{};
    RepoName downstream;
    std::string workflow;
    std::string name;
};

/// A relay-owned schedule came to one of its moments.
struct ScheduleTurned {
    enum class Outcome : std::uint8_t {
        fired = 1,
        missed,  // it could not be sent before the next one was due
        excused, // paused or suspended: nobody wanted it
    };

    RepoName upstream;
    RepoName downstream;
    std::string event; // nightly, periodic
    TimePoint due{};
    Outcome outcome{Outcome::fired};
    std::string reason;
};

inline std::string_view name_of(ScheduleTurned::Outcome outcome) {
    switch (outcome) {
    case ScheduleTurned::Outcome::fired:
        return "fired";
    case ScheduleTurned::Outcome::missed:
        return "missed";
    case ScheduleTurned::Outcome::excused:
        return "excused";
    }
    return "unknown";
}

/// One try to hand a letter to a sink.
struct LetterAttempted {
    std::string sink;
    std::int64_t letter{0};
    RepoName downstream; // whose result it tells
    int attempt{0};
    int status{0}; // HTTP; 0: no answer
    domain::LetterFate fate{domain::LetterFate::again};
    std::optional<TimePoint> next_try;
    std::string detail;
    Millis took{0};
    Millis age{0}; // since the result was recorded
};

/// One try to make GitHub show a check or a comment.
struct PostingAttempted {
    RepoName upstream;
    HeadSha head;     // empty: a comment
    std::string name; // of the check
    int attempt{0};
    bool created{false};
    int status{0}; // HTTP; 0: no answer
    domain::PostingFate fate{domain::PostingFate::again};
    std::string detail;
    Millis took{0};
};

/// An order to run something again has come to its end.
struct RerunEnded {
    RepoName downstream;
    domain::RerunCause cause{domain::RerunCause::person};
    domain::RerunState state{domain::RerunState::refused};
    std::string actor;
    std::string detail;
};

/// The circuit breaker moved: a downstream's part of the gate is neutral, or counts again.
struct GateMoved {
    RepoName upstream;
    RepoName downstream;
    bool suspended{false};
    std::string reason;
    std::vector<Login> oncalls; // to be told
};

/// A downstream moved on the ladder, or a change of its listed level is proposed.
struct LadderMoved {
    RepoName upstream;
    RepoName downstream;
    std::string move;                      // its name: watched, demoted, ...
    domain::Level from{domain::Level::l1}; // effective
    domain::Level to{domain::Level::l1};
    std::string reason;
};

/// What was kept for a time only, and whose time was over, was removed.
struct Pruned {
    std::size_t bodies{0};
    std::size_t jobs{0};
    std::size_t dispatches{0};
    Millis took{0};
};

/// Something a person should look at (error) or that healed by itself (warning).
struct Trouble {
    bool healed{false};
    std::string where; // "planner", "dispatcher", "store", ...
    std::string detail;
};

/// A turn of the relay's own life: started, reloaded, stopping.
struct LifeTurn {
    std::string what;
    std::string detail;
};

using JournalEntry = std::variant<
    WebhookAnswered,
    CallbackAnswered,
    DeliveryPlanned,
    DispatchAttempted,
    AllowlistInForce,
    AllowlistRefused,
    HookLogWalked,
    DayCompleted,
    SilenceNoted,
    JobTimedOut,
    ScheduleTurned,
    LetterAttempted,
    PostingAttempted,
    RerunEnded,
    GateMoved,
    LadderMoved,
    Pruned,
    Trouble,
    LifeTurn>;

/// Where the relay tells what it did: log lines and metrics are made from it, never elsewhere. Any
/// thread.
class Journal {
public:
    Journal() = default;
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    virtual ~Journal() = default;

    virtual void note(const JournalEntry& entry) = 0;
};

} // namespace baton::ports
