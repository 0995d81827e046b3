#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/level.hpp"
#include "baton/wire/profile.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ladder/quarter.hpp"
#include "sim/options.hpp"

namespace baton::test {

namespace {

using namespace std::chrono_literals;
using domain::LadderMove;

constexpr int kBackWithin = 28; // days after it recovered

/// One of five failures among fewer than 20 jobs a day takes longer to tell from chance than the
/// weeks it has.
bool is_certain(const Truth& truth) {
    return truth.bad_rate < 0.75 || truth.share * kEventsADay * truth.jobs >= 20;
}

const Moved* first(const Lived& lived, LadderMove move, int from) {
    const auto found = std::ranges::find_if(lived.moves, [&](const Moved& moved) {
        return moved.move == move && moved.day >= from;
    });
    return found == lived.moves.end() ? nullptr : &*found;
}

std::size_t count(const Lived& lived, LadderMove move) {
    return static_cast<std::size_t>(std::ranges::count(lived.moves, move, &Moved::move));
}

bool is_lowered_on(const Lived& lived, int day) {
    bool lowered = false;
    for (const auto& moved : lived.moves) {
        if (moved.day <= day && moved.move == LadderMove::demoted) {
            lowered = true;
        } else if (moved.day <= day && moved.move == LadderMove::returned) {
            lowered = false;
        }
    }
    return lowered;
}

struct Days {
    std::vector<int> all;

    int at(double p) {
        std::ranges::sort(all);
        const auto last = all.size() - 1;
        return all.empty() ? 0 : all[static_cast<std::size_t>(p * static_cast<double>(last))];
    }
};

/// What many quarters have in common.
struct Tally {
    std::size_t quarters{0};
    std::size_t outcomes{0};
    std::size_t frozen_days{0};
    std::size_t healthy{0};
    std::size_t healthy_watched{0};
    std::map<double, std::pair<std::size_t, std::size_t>> middling; // rate: demoted, all
    std::map<double, Days> noticed;                                 // by rate
    Days dead;
    Days dead_l2;
    Days returned;
    std::size_t raised{0};
    std::size_t uncertain{0};
    std::size_t uncertain_noticed{0};

    std::string text() {
        auto lines = fmt::format(
            "quarters {}, outcomes {}, frozen days {}\nhealthy {}: demoted 0, watched {} times\n",
            quarters,
            outcomes,
            frozen_days,
            healthy,
            healthy_watched
        );
        for (const auto& [rate, of] : middling) {
            lines += fmt::format("rate {}: demoted {} of {}\n", rate, of.first, of.second);
        }
        for (auto& [rate, days] : noticed) {
            lines += fmt::format(
                "bad, rate {}: demoted after {} days (median), {} (95 %), {} (most)\n",
                rate,
                days.at(0.5),
                days.at(0.95),
                days.at(1)
            );
        }
        lines += fmt::format(
            "dead at level 3: demoted after {} to {} days; at level 2: proposed after {} to {}\n"
            "returned {} days after recovery (median), {} (95 %), {} (most)\nraised {}\n"
            "rate 0.8 with fewer than 20 jobs a day: {} of {} demoted before they recovered\n",
            dead.at(0),
            dead.at(1),
            dead_l2.at(0),
            dead_l2.at(1),
            returned.at(0.5),
            returned.at(0.95),
            returned.at(1),
            raised,
            uncertain_noticed,
            uncertain
        );
        return lines;
    }
};

void check_healthy(const Lived& lived, Tally& tally) {
    ++tally.healthy;
    tally.healthy_watched += count(lived, LadderMove::watched);
    if (const auto* moved = first(lived, LadderMove::demoted, 0)) {
        ADD_FAILURE() << lived.truth.name.text() << " passes " << lived.truth.rate
                      << " and was demoted on day " << moved->day << ": " << moved->reason;
    }
    if (const auto* moved = first(lived, LadderMove::proposed, 0)) {
        EXPECT_GT(*moved->proposed, lived.truth.level) << moved->reason;
        ++tally.raised;
    }
}

void check_dead(const Lived& lived, Tally& tally) {
    const auto since = *lived.unanswered;
    const bool judged = lived.truth.level >= domain::Level::l3;
    const auto limit = judged ? 72h : 7 * 24h;
    // the first evaluation after the limit, or the one that follows it
    const auto latest = static_cast<int>((since + limit - kStart) / kDay) + 2;
    if (latest > kQuarterDays) {
        return;
    }
    const auto moved = std::ranges::find_if(lived.moves, [&](const Moved& one) {
        const bool lowers = judged ? one.move == LadderMove::demoted
                                   : one.proposed && *one.proposed < lived.truth.level;
        return lowers && one.day >= lived.truth.bad_from;
    });
    if (moved == lived.moves.end() || moved->day > latest) {
        ADD_FAILURE() << lived.truth.name.text() << " died on day " << lived.truth.bad_from
                      << " and nothing was done until day " << latest;
        return;
    }
    (judged ? tally.dead : tally.dead_l2).all.push_back(moved->day - lived.truth.bad_from);
}

void check_bad(const Lived& lived, Tally& tally) {
    const auto& truth = lived.truth;
    const auto* const demoted = first(lived, LadderMove::demoted, 0);
    const bool is_seen = demoted != nullptr && demoted->day <= truth.bad_until;
    if (!is_certain(truth)) {
        tally.uncertain += 1;
        tally.uncertain_noticed += is_seen ? 1 : 0;
    } else if (!is_seen || demoted->day <= truth.bad_from) {
        ADD_FAILURE() << fmt::format(
            "{} passed {} from day {}, {:.0f} events a day, {} jobs: demoted {}",
            truth.name.text(),
            truth.bad_rate,
            truth.bad_from,
            truth.share * kEventsADay,
            truth.jobs,
            is_seen ? "too early" : "never"
        );
    }
    if (!is_seen) {
        return;
    }
    tally.noticed[truth.bad_rate].all.push_back(demoted->day - truth.bad_from);
    EXPECT_FALSE(is_lowered_on(lived, truth.bad_until + kBackWithin))
        << truth.name.text() << " recovered on day " << truth.bad_until << " and is not back";
    // who had luck is back already
    if (const auto* const returned = first(lived, LadderMove::returned, truth.bad_until)) {
        tally.returned.all.push_back(returned->day - truth.bad_until);
        EXPECT_EQ(first(lived, LadderMove::demoted, returned->day), nullptr) << "after it returned";
    }
}

/// Up and down no faster than the rules allow.
void check_flapping(const Lived& lived, const domain::Profile& profile) {
    std::optional<int> up;
    std::optional<int> down;
    for (const auto& moved : lived.moves) {
        if (moved.move == LadderMove::demoted) {
            EXPECT_TRUE(!up || moved.at_once || moved.day - *up >= profile.cool_down);
            down = moved.day;
        } else if (moved.move == LadderMove::returned) {
            EXPECT_GE(moved.day - down.value_or(moved.day), profile.restore_after);
            up = moved.day;
        }
    }
    EXPECT_LE(count(lived, LadderMove::demoted), 3U) << lived.truth.name.text();
}

TEST(LadderQuarter, TreatsEverybodyAsTheyDeserve) {
    const auto& profile = *wire::builtin_profile(wire::kDefaultProfile);
    Tally tally;
    for (std::uint64_t i = 0; i < options().seeds; ++i) {
        const auto seed = options().first_seed + i;
        SCOPED_TRACE(fmt::format("seed {}", seed));
        const auto report = Quarter(seed, profile).live();
        ++tally.quarters;
        tally.frozen_days += report.frozen_days;
        for (const auto& lived : report.downstreams) {
            tally.outcomes += lived.outcomes;
            check_flapping(lived, profile);
            switch (lived.truth.nature) {
            case Nature::healthy:
                check_healthy(lived, tally);
                break;
            case Nature::middling:
                tally.middling[lived.truth.rate].first += count(lived, LadderMove::demoted) > 0;
                ++tally.middling[lived.truth.rate].second;
                break;
            case Nature::bad:
                check_bad(lived, tally);
                break;
            case Nature::dead:
                check_dead(lived, tally);
                break;
            }
        }
    }
    fmt::print("{}", tally.text());
}

} // namespace

} // namespace baton::test
