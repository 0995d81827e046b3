#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::domain {

/// The life of a dispatch.
///
///     pending -> sent -> started <-> finished   ended, or silent; a re-run starts again
///        |-> superseded   a newer commit of the same pull request came first
///        |-> cancelled    the pull request was closed, or the downstream left the list
///        |-> failed       GitHub said no and would say no again; the reason is shown to the owner
///        `-> dead         72 hours of trying are spent; redelivered by hand
///
/// A report about a failed or dead one proves that it arrived: it is started or finished then.
enum class DispatchState : std::uint8_t {
    pending = 1,
    sent,
    started,
    finished,
    superseded,
    cancelled,
    failed,
    dead,
};

inline constexpr std::array kDispatchStates{
    DispatchState::pending,
    DispatchState::sent,
    DispatchState::started,
    DispatchState::finished,
    DispatchState::superseded,
    DispatchState::cancelled,
    DispatchState::failed,
    DispatchState::dead,
};

std::string_view name_of(DispatchState state);
std::optional<DispatchState> dispatch_state_named(std::string_view name);

/// At rest: nothing more will happen unless a person or a downstream acts.
bool is_at_rest(DispatchState state);

/// Whether the table above has this edge. Stores ask it before they write.
bool may_become(DispatchState from, DispatchState to);

/// What identifies a dispatch: one delivery to one downstream; a re-run is a new generation.
struct DispatchKey {
    DeliveryId delivery;
    RepoName downstream;
    int generation{0};

    friend auto operator<=>(const DispatchKey&, const DispatchKey&) = default;
};

/// How hard the payload has to be trimmed: 0 fits, each refusal as too large raises it by one.
using TrimStep = int;
inline constexpr TrimStep kTrimStepMax = 2;

/// A dispatch that planning decided on; the store gives it an id.
struct NewDispatch {
    DispatchKey key;
    RepoName upstream;
    std::string event_type; // pull_request, push, nightly or periodic
    std::optional<PrNumber> pr;
    HeadSha head;
    std::string ref; // the branch that was pushed to, or that the pull request is for
    Level level{Level::l1};
    std::string device;
    DispatchState state{DispatchState::pending
    }; // or superseded, when a newer head is known already
    std::string reason;

    friend bool operator==(const NewDispatch&, const NewDispatch&) = default;
};

/// A dispatch as the store knows it.
struct Dispatch : NewDispatch {
    DispatchId id{};
    TimePoint created_at{};
    TimePoint due_at{};
    std::optional<TimePoint> sent_at;
    int attempts{0};
    TrimStep trim{0};

    friend bool operator==(const Dispatch&, const Dispatch&) = default;
};

} // namespace baton::domain
