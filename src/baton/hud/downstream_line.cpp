#include "baton/hud/downstream_line.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/operating.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace baton::hud {

namespace {

template <class All> auto* found_for(const All& all, const domain::Pairing& pairing) {
    const auto found = std::ranges::find_if(all, [&pairing](const auto& one) {
        return one.upstream == pairing.upstream && one.downstream == pairing.downstream;
    });
    return found == all.end() ? nullptr : &*found;
}

void add_gate(DownstreamLine& line, const DownstreamFacts& facts, const domain::Pairing& pairing) {
    if (line.listed.level < domain::Level::l4 || line.suspended) { // who is sent nothing has no say
        return;
    }
    line.gate = GateState::counted;
    line.gate_rule = fmt::format(
        "When nobody starts within {} or ends within {}, its part of the gate is neutral: silence "
        "holds up no merge.",
        to_text(facts.gate_rules.start),
        to_text(facts.gate_rules.run)
    );
    if (const auto* held = found_for(facts.gate_suspensions, pairing)) {
        line.gate = GateState::suspended;
        line.gate_reason = held->reason;
        line.gate_since = held->since;
    }
}

void add_figures(
    DownstreamLine& line, const DownstreamFacts& facts, const domain::Pairing& pairing
) {
    if (const auto* view = found_for(facts.views, pairing)) {
        line.ended = view->ended;
        line.silent = view->silent;
        line.pending = view->pending;
        line.running = view->running;
        line.last_result_at = view->last_result_at;
        line.last_sent_at = view->last_sent_at;
    }
    const auto figures =
        std::ranges::find(facts.figures, pairing.downstream, &ports::DownstreamFigures::downstream);
    if (figures != facts.figures.end()) {
        line.trouble = figures->last_error;
    }
}

DownstreamLine
line_of(const RepoName& upstream, const domain::Downstream& listed, const DownstreamFacts& facts) {
    const domain::Pairing pairing{.upstream = upstream, .downstream = listed.repo};
    DownstreamLine line;
    line.upstream = upstream;
    line.listed = listed;
    if (const auto* held = domain::suspension_of(facts.suspensions, pairing, facts.now)) {
        line.suspended = true;
        line.suspended_since = held->since;
        line.held = fmt::format("{} (by {})", domain::to_text(*held), held->actor);
    } else if (domain::is_paused(listed, facts.now)) {
        line.held = domain::to_text(*listed.pause);
    }
    add_gate(line, facts, pairing);
    add_figures(line, facts, pairing);
    return line;
}

} // namespace

bool is_blocking_unknown(const DownstreamLine& line) {
    return line.gate == GateState::counted && line.silent > 0 && line.last_sent_at &&
           (!line.last_result_at || *line.last_result_at < *line.last_sent_at);
}

namespace {

/// Smaller comes first.
auto rank_of(const DownstreamLine& line) {
    const auto rate = domain::rates_of(line.ended).final_attempt;
    return std::tuple(
        -static_cast<int>(line.listed.level),
        !rate.value,
        rate.value.value_or(1.0),
        line.upstream.key(),
        line.listed.repo.key()
    );
}

} // namespace

std::string_view name_of(GateState state) {
    switch (state) {
    case GateState::not_counted:
        return "not_counted";
    case GateState::counted:
        return "counted";
    case GateState::suspended:
        break;
    }
    return "suspended";
}

std::vector<DownstreamLine> lines_of(const DownstreamFacts& facts) {
    std::vector<DownstreamLine> lines;
    for (const auto& list : facts.lists) {
        if (!list.allowlist) {
            continue;
        }
        for (const auto& listed : list.allowlist->downstreams()) {
            if (listed.visibility == domain::Visibility::open) {
                lines.push_back(line_of(list.upstream, listed, facts));
            }
        }
    }
    std::ranges::sort(lines, {}, rank_of);
    return lines;
}

} // namespace baton::hud
