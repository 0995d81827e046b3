#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/hud/desk.hpp"
#include "baton/hud/levels.hpp"
#include "baton/hud/shown.hpp"
#include "baton/ports/levels.hpp"
#include "baton/wire/ladder_json.hpp"

#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace baton::hud {

namespace {

constexpr std::size_t kEvaluations = 30;
constexpr std::size_t kMoves = 20;
constexpr std::size_t kRedsShown = 20;
constexpr std::size_t kMovesLooked = 2'000; // for one page, hidden ones too

/// One that an older version wrote and this one cannot read is as if it were not there.
std::vector<domain::LadderVerdict> verdicts_of(const std::vector<ports::KeptEvaluation>& evaluations
) {
    std::vector<domain::LadderVerdict> verdicts;
    for (const auto& evaluation : evaluations) {
        if (auto verdict = wire::read_verdict(evaluation.verdict)) {
            verdicts.push_back(*std::move(verdict));
        }
    }
    return verdicts;
}

} // namespace

Desk::Awaitable<LevelFacts>
Desk::level_facts(DownstreamLine line, std::vector<ports::KeptLadder> ladders, std::size_t depth) {
    LevelFacts facts;
    facts.upstream = line.upstream;
    facts.listed = std::move(line.listed);
    const auto kept = std::ranges::find_if(ladders, [&facts](const ports::KeptLadder& one) {
        return one.downstream == facts.listed.repo;
    });
    if (kept != ladders.end()) {
        facts.standing = kept->standing;
        facts.history = kept->history;
    }
    facts.history.day_length = sources_.ladder.day_length;
    BATON_CO_TRY(
        const auto evaluations,
        co_await sources_.levels.evaluations(facts.upstream, facts.listed.repo, depth)
    );
    facts.verdicts = verdicts_of(evaluations);
    ports::TransitionQuery moves{
        .upstream = facts.upstream,
        .downstream = facts.listed.repo,
        .before = std::nullopt,
        .limit = kMoves
    };
    BATON_CO_TRY(facts.moves, co_await sources_.levels.transitions(std::move(moves)));
    co_return facts;
}

Desk::Awaitable<LevelList> Desk::levels(std::optional<RepoName> upstream) {
    LevelList list;
    const auto now = sources_.clock.now();
    BATON_CO_TRY(const auto all, co_await lines(std::move(upstream), std::nullopt));
    for (const auto& in_force : sources_.lists()) {
        const auto is_its = [&in_force](const DownstreamLine& line) {
            return line.upstream == in_force.upstream;
        };
        if (std::ranges::none_of(all, is_its)) {
            continue;
        }
        const ports::ViewWindow newest{.from = now - sources_.ladder.day_length, .until = now};
        BATON_CO_TRY(
            const auto ladders, co_await sources_.levels.ladders(in_force.upstream, newest)
        );
        for (const auto& line : all) {
            if (is_its(line)) {
                BATON_CO_TRY(const auto facts, co_await level_facts(line, ladders, 1));
                list.lines.push_back(level_line_of(facts, sources_.ladder.profile));
            }
        }
        list.upstreams.push_back(
            level_upstream_of(in_force.upstream, list.lines, sources_.ladder, now)
        );
    }
    sort_levels(list.lines);
    co_return list;
}

Desk::Awaitable<LevelPage> Desk::level(RepoName downstream, std::optional<RepoName> upstream) {
    BATON_CO_TRY(auto all, co_await lines(std::move(upstream), std::move(downstream)));
    if (all.empty()) { // the list has just changed
        co_return fail(Errc::unavailable, "the allowlist has just changed: try again");
    }
    auto line = std::move(all.front());
    const auto now = sources_.clock.now();
    const auto& rules = sources_.ladder;
    const auto back = domain::history_days(rules.profile) * rules.day_length;
    const ports::ViewWindow window{.from = now - back - rules.day_length, .until = now};
    BATON_CO_TRY(auto ladders, co_await sources_.levels.ladders(line.upstream, window));
    BATON_CO_TRY(
        auto facts, co_await level_facts(std::move(line), std::move(ladders), kEvaluations)
    );
    const auto as_of = facts.standing ? facts.standing->as_of : std::nullopt;
    auto page = level_page_of(std::move(facts), rules, now);
    if (as_of) {
        ports::RedQuery reds{
            .upstream = page.line.upstream,
            .downstream = page.line.listed.repo,
            .window = {.from = *as_of - ports::kRedDays * rules.day_length, .until = *as_of},
            .newest = kRedsShown
        };
        BATON_CO_TRY(page.reds, co_await sources_.levels.reds(std::move(reds)));
        hide(*page.reds, shown());
    }
    co_return page;
}

Desk::Awaitable<MovePage> Desk::moves(ports::TransitionQuery query) {
    MovePage page;
    const auto seen = shown();
    const auto limit = query.limit;
    for (std::size_t looked = 0; looked < kMovesLooked; looked += limit) {
        BATON_CO_TRY(auto found, co_await sources_.levels.transitions(query));
        const bool is_last = found.size() < limit;
        for (auto& one : found) {
            if (page.rows.size() == limit) {
                page.next = query.before;
                co_return page;
            }
            query.before = one.id;
            if (seen.has(one.upstream, one.downstream)) {
                page.rows.push_back(std::move(one));
            }
        }
        if (is_last) {
            co_return page;
        }
    }
    page.next = query.before;
    co_return page;
}

} // namespace baton::hud
