#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/figures.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/ports/views.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace baton::hud {

/// One day of one downstream's calendar.
struct NightlyDay {
    TimePoint day{};
    std::optional<Standing> standing; // the worst of its runs; none: one was due and was missed
    std::string event_type;
    std::size_t runs{0};
    std::size_t missed{0};
    HeadSha head; // of the newest run
    std::optional<JobId> failed;
    domain::Cells cells;
};

struct NightlyLine {
    DownstreamLine line;
    std::optional<TimePoint> next; // when the relay starts the next one
    std::size_t missed_ever{0};
    std::size_t passed{0}; // days
    std::size_t ran{0};    // days on which something told something
    std::vector<NightlyDay> days;
};

/// `now`: for what is due next.
NightlyLine nightly_of(DownstreamLine line, ports::NightsView view, TimePoint now);

/// Whether there is anything to show in a calendar.
bool has_nights(const NightlyLine& line);

/// The worst first: by the share of days that passed, then by missed ones.
void sort_nights(std::vector<NightlyLine>& lines);

} // namespace baton::hud
