#include "baton/domain/ladder.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace baton::domain {

namespace {

constexpr std::array<std::pair<LadderState, std::string_view>, 3> kStates{{
    {LadderState::ok, "ok"},
    {LadderState::watch, "watch"},
    {LadderState::temporary, "temporary"},
}};

constexpr std::array<std::pair<LadderMove, std::string_view>, 8> kMoves{{
    {LadderMove::watched, "watched"},
    {LadderMove::calmed, "calmed"},
    {LadderMove::demoted, "demoted"},
    {LadderMove::returned, "returned"},
    {LadderMove::proposed, "proposed"},
    {LadderMove::withdrawn, "withdrawn"},
    {LadderMove::relisted, "relisted"},
    {LadderMove::frozen, "frozen"},
}};

} // namespace

std::string_view name_of(LadderState state) {
    const auto* const found =
        std::ranges::find(kStates, state, &std::pair<LadderState, std::string_view>::first);
    return found == kStates.end() ? std::string_view{} : found->second;
}

std::optional<LadderState> ladder_state_named(std::string_view name) {
    const auto* const found =
        std::ranges::find(kStates, name, &std::pair<LadderState, std::string_view>::second);
    return found == kStates.end() ? std::nullopt : std::optional(found->first);
}

std::string_view name_of(LadderMove move) {
    const auto* const found =
        std::ranges::find(kMoves, move, &std::pair<LadderMove, std::string_view>::first);
    return found == kMoves.end() ? std::string_view{} : found->second;
}

std::optional<LadderMove> ladder_move_named(std::string_view name) {
    const auto* const found =
        std::ranges::find(kMoves, name, &std::pair<LadderMove, std::string_view>::second);
    return found == kMoves.end() ? std::nullopt : std::optional(found->first);
}

} // namespace baton::domain
