#include "baton/hud/levels.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"
#include "baton/hud/shown.hpp"
#include "baton/ports/levels.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

using domain::Figure;
using domain::LadderMove;
using domain::LadderState;
using domain::Level;
using domain::Met;

constexpr std::size_t kTrendPoints = 30;
constexpr std::size_t kMovesShown = 20;

std::optional<Level> level_after(Level level) {
    const auto* const found = std::ranges::find(domain::kLevels, level);
    const auto* const after = std::next(found);
    return after == domain::kLevels.end() ? std::nullopt : std::optional(*after);
}

/// The newest move that led to where it stands.
const ports::KeptTransition*
move_into(LadderState state, const std::vector<ports::KeptTransition>& moves) {
    const auto found = std::ranges::find_if(moves, [state](const ports::KeptTransition& one) {
        const auto& move = one.transition;
        return move.to_state == state && move.from_state != state;
    });
    return found == moves.end() ? nullptr : &*found;
}

/// Where the newest proposal was put before the keepers of the list.
std::string pull_of(const std::vector<ports::KeptTransition>& moves) {
    const auto found = std::ranges::find_if(moves, [](const ports::KeptTransition& one) {
        return one.transition.move == LadderMove::proposed;
    });
    return found == moves.end() ? std::string() : found->pull;
}

std::string frozen_at(TimePoint as_of, const std::vector<ports::KeptTransition>& moves) {
    const auto found = std::ranges::find_if(moves, [as_of](const ports::KeptTransition& one) {
        return one.as_of == as_of && one.transition.move == LadderMove::frozen;
    });
    return found == moves.end() ? std::string() : found->transition.reason;
}

std::optional<std::size_t> tenure_of(const LevelFacts& facts, TimePoint as_of) {
    const auto since = domain::listed_level(facts.listed) >= Level::l3
                           ? facts.history.first_at_level3
                           : facts.history.first_at_level2;
    if (!since || *since > as_of || facts.history.day_length <= Millis{0}) {
        return std::nullopt;
    }
    return static_cast<std::size_t>((as_of - *since) / facts.history.day_length);
}

int rank_of(const LevelLine& line) {
    switch (line.standing.state) {
    case LadderState::temporary:
        return 0;
    case LadderState::watch:
        return 1;
    case LadderState::ok:
        break;
    }
    return line.standing.proposal ? 2 : 3;
}

// --- criteria

std::string_view kind_in(const domain::Profile& profile, const std::string& id) {
    const auto has = [&id](const std::vector<domain::Criterion>& all) {
        return std::ranges::find(all, id, &domain::Criterion::id) != all.end();
    };
    if (has(profile.at_once)) {
        return "at_once";
    }
    if (has(profile.watch)) {
        return "watch";
    }
    return has(profile.restore) ? "restore" : "demotion";
}

/// Those of the return aside: who misses them stays lowered, and is not lowered by them.
std::size_t
missed_in(const std::vector<domain::CriterionVerdict>& criteria, const domain::Profile& profile) {
    return static_cast<std::size_t>(std::ranges::count_if(
        criteria,
        [&profile](const domain::CriterionVerdict& one) {
            return one.met == Met::no && kind_in(profile, one.criterion.id) != "restore";
        }
    ));
}

using CriteriaOf = std::vector<domain::CriterionVerdict> domain::LadderVerdict::*;

std::vector<LevelCriterion::Point>
trend_of(const std::string& id, const LevelFacts& facts, CriteriaOf which) {
    std::vector<LevelCriterion::Point> trend;
    for (const auto& verdict : facts.verdicts) {
        const auto& criteria = verdict.*which;
        const auto found = std::ranges::find_if(criteria, [&id](const auto& one) {
            return one.criterion.id == id;
        });
        if (found != criteria.end() && trend.size() < kTrendPoints) {
            trend.push_back({
                .as_of = verdict.as_of,
                .value = domain::compared(found->measured, found->criterion.bound),
                .n = found->measured.n,
                .met = found->met,
            });
        }
    }
    std::ranges::reverse(trend);
    return trend;
}

std::vector<LevelCriterion>
criteria_of(const LevelFacts& facts, const domain::Profile& profile, CriteriaOf which) {
    std::vector<LevelCriterion> all;
    if (facts.verdicts.empty()) {
        return all;
    }
    for (const auto& verdict : facts.verdicts.front().*which) {
        const auto& id = verdict.criterion.id;
        all.push_back({
            .verdict = verdict,
            .kind = which == &domain::LadderVerdict::next ? "next" : kind_in(profile, id),
            .trend = trend_of(id, facts, which),
        });
    }
    return all;
}

std::vector<LevelRates>
rates_of(const LevelFacts& facts, const domain::Profile& profile, TimePoint as_of) {
    std::vector<LevelRates> all;
    for (const auto days : domain::windows_of(profile)) {
        const domain::LadderWindow window{
            .from = as_of - days * facts.history.day_length, .until = as_of
        };
        const auto figure = [&](Figure one) {
            return domain::measure(one, facts.history, window, profile.quantiles);
        };
        all.push_back({
            .window = days,
            .raw = figure(Figure::pass_raw),
            .adjusted = figure(Figure::pass_adj),
            .run = figure(Figure::pass_run),
            .excluded = figure(Figure::excluded_share),
        });
    }
    return all;
}

} // namespace

LevelLine level_line_of(const LevelFacts& facts, const domain::Profile& profile) {
    LevelLine line;
    line.upstream = facts.upstream;
    line.listed = facts.listed;
    line.standing.listed = domain::listed_level(facts.listed);
    line.standing.effective = domain::listed_level(facts.listed);
    line.next_level = level_after(domain::listed_level(facts.listed));
    if (!facts.standing) {
        return line;
    }
    line.standing = *facts.standing;
    line.next_level = level_after(line.standing.listed);
    if (const auto* move = move_into(line.standing.state, facts.moves)) {
        line.reason = move->transition.reason;
        line.rules = move->transition.rules;
    }
    if (line.standing.proposal) {
        line.pull = pull_of(facts.moves);
    }
    if (line.standing.as_of) {
        line.frozen = frozen_at(*line.standing.as_of, facts.moves);
        line.tenure_days = tenure_of(facts, *line.standing.as_of);
    }
    if (!facts.verdicts.empty()) {
        const auto& verdict = facts.verdicts.front();
        line.violated = missed_in(verdict.demotion, profile);
        line.insufficient = verdict.insufficient;
        line.asked = verdict.next.size();
        line.met = static_cast<std::size_t>(
            std::ranges::count(verdict.next, Met::yes, &domain::CriterionVerdict::met)
        );
        line.ready_for = verdict.ready_for;
        line.earliest = verdict.earliest;
        line.forecast = verdict.forecast;
    }
    return line;
}

void sort_levels(std::vector<LevelLine>& lines) {
    std::ranges::sort(lines, {}, [](const LevelLine& line) {
        return std::tuple(
            rank_of(line),
            -static_cast<int>(line.standing.listed),
            std::string_view(line.listed.repo.text()),
            std::string_view(line.upstream.text())
        );
    });
}

LevelUpstream level_upstream_of(
    const RepoName& upstream,
    const std::vector<LevelLine>& lines,
    const LadderRules& rules,
    TimePoint now
) {
    LevelUpstream shown;
    shown.upstream = upstream;
    shown.profile = rules.profile;
    shown.day_length = rules.day_length;
    for (const auto& line : lines) {
        if (line.upstream == upstream && line.standing.as_of) {
            shown.as_of =
                std::max(shown.as_of.value_or(*line.standing.as_of), *line.standing.as_of);
        }
    }
    for (const auto& line : lines) {
        if (line.upstream == upstream && line.standing.as_of == shown.as_of &&
            !line.frozen.empty()) {
            shown.frozen = line.frozen;
        }
    }
    if (shown.as_of && *shown.as_of + rules.day_length > now) {
        shown.next_at = *shown.as_of + rules.day_length;
    }
    return shown;
}

LevelPage level_page_of(LevelFacts facts, const LadderRules& rules, TimePoint now) {
    LevelPage page;
    page.line = level_line_of(facts, rules.profile);
    page.evaluation = level_upstream_of(facts.upstream, {page.line}, rules, now);
    page.next = criteria_of(facts, rules.profile, &domain::LadderVerdict::next);
    page.demotion = criteria_of(facts, rules.profile, &domain::LadderVerdict::demotion);
    if (page.line.standing.as_of) {
        const auto as_of = *page.line.standing.as_of;
        page.rates = rates_of(facts, rules.profile, as_of);
        const domain::LadderWindow counted{
            .from = as_of - ports::kRedDays * facts.history.day_length, .until = as_of
        };
        page.decided =
            domain::measure(Figure::excluded_share, facts.history, counted, rules.profile.quantiles)
                .n;
    }
    page.history = std::move(facts.moves);
    page.history.resize(std::min(page.history.size(), kMovesShown));
    return page;
}

void hide(ports::RedView& reds, const Shown& shown) {
    for (auto& red : reds.newest) {
        red.evidence = shown.discreet(std::move(red.evidence));
    }
}

} // namespace baton::hud
