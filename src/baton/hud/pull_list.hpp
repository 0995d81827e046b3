#pragma once

#include "baton/ports/views.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace baton::hud {

/// Which pull requests a list is about, by how one of their downstreams stands.
enum class Wish : std::uint8_t {
    any = 1,
    failing, // failed, timed out, or could not be reached
    waiting, // or running
    silent,
};

/// At most so many pull requests are looked through for one page.
inline constexpr std::size_t kPullsLooked = 1'000;

bool fits(const ports::PullRow& row, Wish wish);

ports::PullQuery::Place place_of(const ports::PullRow& row);

struct PullList {
    std::vector<ports::PullRow> rows;
    std::optional<ports::PullQuery::Place> next; // none: nothing is behind them
};

} // namespace baton::hud
