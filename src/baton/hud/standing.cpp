#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/level.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/ports/views.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
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

Standing standing_of(const Sent& sent) {
    using State = domain::DispatchState;
    if (sent.silent) {
        return Standing::silent;
    }
    if (sent.state == State::failed || sent.state == State::dead) {
        return Standing::undelivered;
    }
    if (sent.state == State::superseded) {
        return Standing::superseded;
    }
    if (sent.state == State::cancelled) {
        return Standing::cancelled;
    }
    const bool is_out = sent.state.has_value() && sent.state != State::pending;
    return is_out && sent.level == domain::Level::l1 ? Standing::delivered : Standing::waiting;
}

} // namespace

Standing standing_of(const std::vector<domain::CellOutcome>& cells, const Sent& sent) {
    for (const auto& [outcome, standing] : kWorstFirst) {
        if (std::ranges::find(cells, outcome) != cells.end()) {
            return standing;
        }
    }
    return standing_of(sent);
}

Standing standing_of(const ports::PullRow::Backend& backend) {
    return standing_of(
        backend.cells, {.level = backend.level, .state = backend.state, .silent = backend.silent}
    );
}

std::string_view name_of(Standing standing) {
    constexpr std::array<std::string_view, 14> kNames{
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
        "delivered",
        "superseded",
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
