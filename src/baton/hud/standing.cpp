#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/hud/pull_page.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

/// The worst first: the first of them that a downstream has is how it stands.
constexpr std::array<std::pair<domain::CellOutcome, Standing>, 9> kWorstFirst{{
    {domain::CellOutcome::failure, Standing::failure},
    {domain::CellOutcome::timed_out, Standing::timed_out},
    {domain::CellOutcome::action_required, Standing::action_required},
    {domain::CellOutcome::running, Standing::running},
    {domain::CellOutcome::flaky, Standing::flaky},
    {domain::CellOutcome::success, Standing::success},
    {domain::CellOutcome::cancelled, Standing::cancelled},
    {domain::CellOutcome::neutral, Standing::neutral},
    {domain::CellOutcome::skipped, Standing::skipped},
}};

Standing standing_of(std::optional<domain::DispatchState> state, bool silent) {
    using State = domain::DispatchState;
    if (silent) {
        return Standing::silent;
    }
    if (state == State::failed || state == State::dead) {
        return Standing::undelivered;
    }
    if (state == State::superseded || state == State::cancelled) {
        return Standing::cancelled;
    }
    return Standing::waiting;
}

} // namespace

Standing standing_of(
    const std::vector<domain::CellOutcome>& cells,
    std::optional<domain::DispatchState> state,
    bool silent
) {
    for (const auto& [outcome, standing] : kWorstFirst) {
        if (std::ranges::find(cells, outcome) != cells.end()) {
            return standing;
        }
    }
    return standing_of(state, silent);
}

std::string_view name_of(Standing standing) {
    constexpr std::array<std::string_view, 12> kNames{
        "success",
        "flaky",
        "failure",
        "timed_out",
        "neutral",
        "cancelled",
        "skipped",
        "action_required",
        "running",
        "waiting",
        "silent",
        "undelivered",
    };
    return kNames.at(static_cast<std::size_t>(standing) - 1);
}

std::string_view name_of(Merge merge) {
    constexpr std::array<std::string_view, 5> kNames{
        "clear", "blocked", "waiting", "not_gated", "over"
    };
    return kNames.at(static_cast<std::size_t>(merge) - 1);
}

} // namespace baton::hud
