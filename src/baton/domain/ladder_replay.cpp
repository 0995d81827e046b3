#include "baton/domain/ladder_replay.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/profile.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

/// Without the days that had not been yet.
LadderFacts facts_at(const ReplayedDownstream& one, const Replay& so_far, TimePoint as_of) {
    LadderFacts facts{.listed = one.listed, .history = one.history};
    std::erase_if(facts.history.days, [as_of](const LadderDay& day) { return day.day >= as_of; });
    if (so_far.standing.as_of) {
        facts.standing = so_far.standing;
    }
    return facts;
}

} // namespace

std::vector<Replay>
replay(const std::vector<ReplayedDownstream>& all, const Profile& profile, LadderWindow range) {
    std::vector<Replay> replays;
    for (const auto& one : all) {
        replays.push_back({.downstream = one.downstream, .listed = one.listed});
    }
    if (all.empty()) {
        return replays;
    }
    const auto day = all.front().history.day_length;
    for (auto as_of = range.from + day; as_of <= range.until; as_of += day) {
        std::vector<LadderFacts> facts;
        FreezeFacts freeze;
        for (std::size_t i = 0; i < all.size(); ++i) {
            facts.push_back(facts_at(all[i], replays[i], as_of));
            freeze.judged += is_judged(facts[i]) ? 1 : 0;
            freeze.violated += is_violated(facts[i], profile, as_of) ? 1 : 0;
        }
        const auto frozen = freeze_reason(freeze, profile);
        for (std::size_t i = 0; i < all.size(); ++i) {
            auto verdict = judge_level(facts[i], profile, as_of, frozen);
            for (auto& moved : verdict.transitions) {
                replays[i].moves.push_back({.as_of = as_of, .transition = std::move(moved)});
            }
            ++replays[i].days[verdict.standing.effective];
            replays[i].standing = std::move(verdict.standing);
        }
    }
    return replays;
}

} // namespace baton::domain
