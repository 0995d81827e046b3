#include "baton/domain/dispatch.hpp"

#include <optional>
#include <string_view>

namespace baton::domain {

std::string_view name_of(DispatchState state) {
    switch (state) {
    case DispatchState::pending:
        return "pending";
    case DispatchState::sent:
        return "sent";
    case DispatchState::started:
        return "started";
    case DispatchState::finished:
        return "finished";
    case DispatchState::superseded:
        return "superseded";
    case DispatchState::cancelled:
        return "cancelled";
    case DispatchState::failed:
        return "failed";
    case DispatchState::dead:
        return "dead";
    }
    return "unknown";
}

std::optional<DispatchState> dispatch_state_named(std::string_view name) {
    for (const auto state : kDispatchStates) {
        if (name_of(state) == name) {
            return state;
        }
    }
    return std::nullopt;
}

bool is_at_rest(DispatchState state) {
    return state != DispatchState::pending;
}

bool may_become(DispatchState from, DispatchState to) {
    switch (from) {
    case DispatchState::pending:
        // Straight to started or finished: a callback can arrive before the answer to our own
        // request does.
        return true;
    case DispatchState::sent:
    case DispatchState::failed: // a report of it proves that it arrived after all
    case DispatchState::dead:
        return to == DispatchState::started || to == DispatchState::finished;
    case DispatchState::started:
        return to == DispatchState::finished;
    case DispatchState::finished:
        return to == DispatchState::started; // a re-run, or a start after all
    case DispatchState::superseded:
    case DispatchState::cancelled:
        return false;
    }
    return false;
}

} // namespace baton::domain
