#pragma once

#include "baton/domain/attribution.hpp"
#include "baton/domain/figures.hpp"
#include "baton/ports/failures.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::hud {

/// Whose failure a cluster is, by where it was seen in the window.
domain::Whose verdict_of(const ports::ClusterView& cluster);

/// Flaky of passing cells.
domain::Rate flake_rate_of(const ports::FlakyView& job);

/// By the lower end of the interval, so that few samples do not lead the list; then by name.
void rank(std::vector<ports::FlakyView>& jobs);

struct FlakyPage {
    std::vector<ports::FlakyView> rows;
    std::string next; // cursor; empty: this is the last
};

/// What comes behind the cursor; nullopt when that is none.
std::optional<FlakyPage>
page_behind(std::vector<ports::FlakyView> ranked, std::string_view cursor, std::size_t limit);

} // namespace baton::hud
