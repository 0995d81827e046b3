#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/level.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/window.hpp"
#include "baton/ports/views.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace baton::hud {

struct TrendDay {
    TimePoint day{};
    domain::Ended ended;
    std::size_t silent{0};
    std::optional<domain::Spread> queue; // of one downstream only, as the next
    std::optional<domain::Spread> run;
};

/// How one downstream fares, against as many days before.
struct TrendLine {
    RepoName upstream;
    RepoName repo;
    domain::Level level{};
    domain::Ended ended;
    domain::Rate before;
    std::optional<double> change; // of the pass rate; none with too few samples
    std::size_t silent{0};
};

struct TrendFacts {
    Window window;
    std::vector<ports::DaysView> days;  // of the window and of as many days before it
    std::vector<DownstreamLine> lines;  // whom it is about
    std::vector<ports::DayTimes> times; // when it is about one
};

struct Trends {
    Window window;
    std::vector<TrendDay> days;   // oldest first; a day without anything is a gap
    std::vector<TrendLine> lines; // the worst change first
};

/// The days that `trends_of` needs.
ports::ViewWindow with_as_many_before(const Window& window);

Trends trends_of(TrendFacts facts);

} // namespace baton::hud
