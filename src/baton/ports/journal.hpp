#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/retry.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <variant>

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
