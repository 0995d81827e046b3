#include "baton/hud/nightly.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/cron.hpp"
#include "baton/domain/figures.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/ports/views.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

TimePoint day_of(TimePoint when) {
    return std::chrono::floor<std::chrono::days>(when);
}

/// A run's own standing; the days' worst comes first in this order.
int badness(Standing standing) {
    switch (standing) {
    case Standing::failure:
        return 0;
    case Standing::timed_out:
        return 1;
    case Standing::silent:
    case Standing::undelivered:
        return 2;
    case Standing::action_required:
        return 3;
    case Standing::running:
    case Standing::waiting:
        return 4;
    case Standing::flaky:
        return 5;
    case Standing::success:
        return 6;
    default:
        return 7; // tells nothing
    }
}

bool is_passed(Standing standing) {
    return standing == Standing::success || standing == Standing::flaky;
}

bool tells(Standing standing) {
    return badness(standing) <= 2 || is_passed(standing);
}

void add(NightlyDay& day, ports::NightView run, const DownstreamLine& line) {
    const auto standing = standing_of(
        run.cells, {.level = line.listed.level, .state = run.state, .silent = run.silent}
    );
    if (!day.standing || badness(standing) < badness(*day.standing)) {
        day.standing = standing;
    }
    ++day.runs;
    day.cells = day.cells + domain::cells_of(run.cells);
    day.event_type = std::move(run.event_type);
    day.head = std::move(run.head);
    if (run.failed) {
        day.failed = run.failed;
    }
}

double share_passed(const NightlyLine& line) {
    return line.ran == 0 ? 1.0 : static_cast<double>(line.passed) / static_cast<double>(line.ran);
}

} // namespace

NightlyLine nightly_of(DownstreamLine line, ports::NightsView view, TimePoint now) {
    NightlyLine nightly;
    std::map<TimePoint, NightlyDay> by_day;
    for (auto& run : view.runs) {
        add(by_day[day_of(run.at)], std::move(run), line);
    }
    for (const auto due : view.missed) {
        ++by_day[day_of(due)].missed;
    }
    for (auto& [at, day] : by_day) {
        day.day = at;
        nightly.passed += day.standing && is_passed(*day.standing) ? 1U : 0U;
        nightly.ran += day.standing && tells(*day.standing) ? 1U : 0U;
        nightly.days.push_back(std::move(day));
    }
    nightly.missed_ever = view.missed_ever;
    if (const auto schedule = domain::Cron::parse(line.listed.schedule);
        !line.listed.schedule.empty() && schedule) {
        nightly.next = schedule->next_after(now);
    }
    nightly.line = std::move(line);
    return nightly;
}

bool has_nights(const NightlyLine& line) {
    return !line.days.empty() || !line.line.listed.schedule.empty();
}

void sort_nights(std::vector<NightlyLine>& lines) {
    std::ranges::sort(lines, [](const NightlyLine& a, const NightlyLine& b) {
        const auto key = [](const NightlyLine& line) {
            return std::tuple(share_passed(line), -static_cast<double>(line.missed_ever));
        };
        return key(a) != key(b) ? key(a) < key(b) : a.line.listed.repo < b.line.listed.repo;
    });
}

} // namespace baton::hud
