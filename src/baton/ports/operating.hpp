#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/delivery.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// What is done by hand or by the clock rather than by a webhook, and what people look at.
namespace baton::ports {

/// Who lifts which suspension.
struct Resumption {
    RepoName downstream;
    std::optional<RepoName> upstream; // none: all of this downstream
    TimePoint now{};
    std::string actor;
};

/// One made-up delivery to one downstream, to see whether it gets there.
struct TestDispatch {
    NewDelivery delivery;
    domain::NewDispatch dispatch;
    TimePoint now{};
    std::string actor;
};

/// The numbers by which GitHub knows a repository and its owner whatever they are called: a name
/// that comes back with others is another repository.
struct Pin {
    RepoName repo;
    std::int64_t repository_id{0};
    std::int64_t owner_id{0};
    TimePoint pinned_at{};
    std::string actor;
};

/// How one downstream fares, all upstreams together.
struct DownstreamFigures {
    RepoName downstream;
    std::size_t pending{0};
    std::size_t sent_today{0}; // in the last 24 hours
    std::size_t failed{0};     // failed or dead, newest generations only
    std::optional<TimePoint> last_sent;
    std::string last_error; // of the newest dispatch that failed, is dead, or is tried again
    std::optional<TimePoint> last_error_at;
};

/// What a serving relay does with what it decides: send it, or keep it to itself and compare.
enum class Mode : std::uint8_t { live = 1, shadow };

/// What a live relay found of a shadow's time.
struct ModeChange {
    std::optional<TimePoint> shadow_since; // none: the store was live already
    std::size_t rested{0};                 // dispatches that were pending; leased ones follow
    std::size_t unplanned{0};              // deliveries that were never planned
};

/// A relay-owned nightly that is due: its made-up delivery and the one dispatch of it.
struct ScheduledRun {
    NewDelivery delivery;
    domain::NewDispatch dispatch;
    TimePoint due{}; // by the schedule
    TimePoint now{};
};

/// What was due and is not sent: it could not be before the next one, or nobody wanted it.
struct MissedRun {
    RepoName upstream;
    RepoName downstream;
    TimePoint due{};
    std::string reason;
    TimePoint now{};
    bool excused{false}; // paused, suspended, or a schedule seen for the first time: no loss
};

/// How far a schedule has come.
struct ScheduleMark {
    RepoName upstream;
    RepoName downstream;
    TimePoint last_due{};    // what was due until then is dealt with
    std::string last_missed; // why, when the last one was missed; empty: it was sent, or excused
    std::size_t missed{0};   // in all
};

} // namespace baton::ports
