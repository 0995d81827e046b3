#include "baton/relay/ladder_watch.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/relay/ladder_round.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

constexpr Millis kEveryMost{std::chrono::minutes{1}};
constexpr Millis kEveryLeast{50};
constexpr int kLooksADay = 20;
constexpr int kMadeUpFor = 14; // midnights that were missed

bool is_judged(const std::vector<ports::KeptLadder>& ladders, TimePoint as_of) {
    return std::ranges::any_of(ladders, [as_of](const ports::KeptLadder& ladder) {
        return ladder.standing && ladder.standing->as_of == as_of;
    });
}

} // namespace

LadderWatch::LadderWatch(Settings settings, Surroundings around)
    : settings_(std::move(settings))
    , around_(std::move(around)) {}

asio::awaitable<Result<void>> LadderWatch::begin() {
    if (around_.levels == nullptr) {
        co_return Result<void>{};
    }
    for (const auto& upstream : settings_.upstreams) {
        const ports::ViewWindow no_days;
        BATON_CO_TRY(const auto ladders, co_await around_.levels->ladders(upstream, no_days));
        for (const auto& ladder : ladders) {
            if (!ladder.standing) {
                continue;
            }
            learn(upstream, ladder.downstream, *ladder.standing);
            const auto as_of = ladder.standing->as_of;
            if (as_of && *as_of > around_.clock.now()) {
                around_.journal.note(ports::Trouble{
                    .healed = true,
                    .where = "levels",
                    .detail = fmt::format(
                        "{} was judged as of {}, which is still to come: the clock was ahead then; "
                        "it is judged from now on as if it had not been",
                        ladder.downstream.text(),
                        to_rfc3339(*as_of)
                    )
                });
            } else if (as_of) {
                auto& until = judged_until_[upstream];
                until = std::max(until, *as_of);
            }
        }
        around_.book.lower(upstream, lowered_[upstream]);
    }
    co_return Result<void>{};
}

asio::awaitable<void> LadderWatch::run() {
    const auto every =
        std::clamp<Millis>(settings_.day_length / kLooksADay, kEveryLeast, kEveryMost);
    while (around_.levels != nullptr) {
        const auto done = co_await round();
        if (!done) {
            around_.journal.note(
                ports::Trouble{.healed = true, .where = "levels", .detail = done.error().detail}
            );
        }
        co_await around_.clock.sleep_until(around_.clock.now() + every);
    }
}

/// What fails for one upstream holds up no other.
asio::awaitable<Result<void>> LadderWatch::round() {
    Result<void> all;
    for (const auto& upstream : settings_.upstreams) {
        auto judged = co_await catch_up(upstream);
        if (!judged) {
            all = std::move(judged);
        }
    }
    co_return all;
}

asio::awaitable<Result<void>> LadderWatch::catch_up(RepoName upstream) {
    const auto midnights = due(upstream);
    for (const auto as_of : midnights) {
        if (around_.book.find(upstream)) {
            BATON_CO_CHECK(co_await judge(upstream, as_of));
        }
    }
    co_return Result<void>{};
}

/// Each since the last, in order; somebody who is judged for the first time begins with the newest.
std::vector<TimePoint> LadderWatch::due(const RepoName& upstream) const {
    const auto day = settings_.day_length;
    const auto newest = domain::day_of(around_.clock.now(), day);
    const auto known = judged_until_.find(upstream);
    auto first = known == judged_until_.end() ? newest : known->second + day;
    first = std::max(first, newest - (kMadeUpFor - 1) * day);
    std::vector<TimePoint> midnights;
    for (auto as_of = first; as_of <= newest; as_of += day) {
        midnights.push_back(as_of);
    }
    return midnights;
}

asio::awaitable<Result<void>> LadderWatch::judge(RepoName upstream, TimePoint as_of) {
    const auto allowlist = around_.book.find(upstream);
    const auto day = settings_.day_length;
    const auto history = history_window(settings_.profile, as_of, day);
    BATON_CO_TRY(auto ladders, co_await around_.levels->ladders(upstream, history));
    if (is_judged(ladders, as_of)) { // by a hand or another replica, meanwhile
        judged_until_[upstream] = as_of;
        for (const auto& ladder : ladders) {
            if (ladder.standing) {
                learn(upstream, ladder.downstream, *ladder.standing);
            }
        }
        follow(upstream);
        co_return Result<void>{};
    }
    if (!around_.leads()) { // another replica's work: it is looked for again
        co_return Result<void>{};
    }
    ports::EvidenceQuery query{
        .upstream = upstream, .window = evidence_window(as_of, day), .day_length = day
    };
    BATON_CO_TRY(auto evidence, co_await around_.levels->evidence(std::move(query)));
    const ports::ViewWindow yesterday{.from = as_of - day, .until = as_of};
    BATON_CO_TRY(const auto sending, co_await around_.levels->sending(upstream, yesterday));
    const auto probe = settings_.probes.find(upstream);
    LadderRound round{
        .upstream = upstream,
        .probe = probe == settings_.probes.end() ? RepoName() : probe->second,
        .allowlist = *allowlist,
        .profile = settings_.profile,
        .day_length = day,
        .as_of = as_of,
        .now = around_.clock.now(),
        .evidence = std::move(evidence),
        .ladders = std::move(ladders),
        .sending = sending,
    };
    const auto result = co_await judged(std::move(round));
    BATON_CO_CHECK(co_await around_.levels->commit(result.commit));
    judged_until_[upstream] = as_of;
    for (const auto& outcome : result.commit.outcomes) {
        learn(upstream, outcome.downstream, outcome.standing);
    }
    follow(upstream);
    tell(result);
    co_return Result<void>{};
}

/// A second or so for a large upstream: nobody's webhook waits for it.
asio::awaitable<LadderResult> LadderWatch::judged(LadderRound round) {
    if (around_.pool == nullptr) {
        co_return judge_round(std::move(round));
    }
    auto work = [round = std::move(round)]() mutable { return judge_round(std::move(round)); };
    co_return co_await around_.pool->run(std::move(work));
}

void LadderWatch::learn(
    const RepoName& upstream, const RepoName& downstream, const domain::LadderStanding& standing
) {
    auto& lowered = lowered_[upstream];
    lowered.erase(downstream);
    if (standing.effective < standing.listed) {
        lowered[downstream] = standing.effective;
    }
}

void LadderWatch::follow(const RepoName& upstream) {
    around_.book.lower(upstream, lowered_[upstream]);
    around_.on_moved();
}

void LadderWatch::tell(const LadderResult& result) {
    const auto& commit = result.commit;
    for (const auto& outcome : commit.outcomes) {
        for (const auto& kept : outcome.transitions) {
            around_.journal.note(ports::LadderMoved{
                .upstream = commit.upstream,
                .downstream = outcome.downstream,
                .move = std::string(domain::name_of(kept.transition.move)),
                .from = kept.transition.from,
                .to = kept.transition.to,
                .reason = kept.transition.reason,
            });
        }
    }
    around_.journal.note(ports::LifeTurn{
        .what = "levels",
        .detail = fmt::format(
            "{} as of {}: {} looked at, {} of {} violated{}{}",
            commit.upstream.text(),
            to_rfc3339(commit.as_of),
            commit.outcomes.size(),
            result.violated,
            result.judged,
            result.frozen.empty() ? "" : "; nobody moves: ",
            result.frozen
        ),
    });
}

} // namespace baton::relay
