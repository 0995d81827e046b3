#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/ladder/quarter.hpp"

// What the upstream sends, and how it is answered.
namespace baton::test {

namespace {

using namespace std::chrono_literals;
using domain::Conclusion;
using domain::LadderEvent;

constexpr int kTrunkCommits = 12; // a day
constexpr int kPulls = 24;        // opened a day; each has 1 to 3 heads
constexpr Millis kStartTimeout{2h};
constexpr Millis kZombieTimeout{6h};

} // namespace

void Quarter::send_day(int day) {
    const auto midnight = kStart + (day * kDay);
    for (int i = 0; i < kPulls; ++i) {
        Pull pull{.number = ++pulls_, .heads = 1 + static_cast<int>(draw() * 3)};
        pull.next = midnight + minutes(between(0, 1439));
        pull.breaks_all = chance(0.04);
        if (!pull.breaks_all && chance(0.03)) {
            pull.breaks_one =
                static_cast<std::size_t>(draw() * static_cast<double>(truths_.size()));
        }
        open_.push_back(pull);
    }
    std::vector<Commit> commits;
    for (int i = 0; i < kTrunkCommits; ++i) {
        commits.push_back(
            {.head = fmt::format("trunk{}", ++commits_),
             .pr = {},
             .at = midnight + minutes(between(0, 1439))}
        );
    }
    for (auto& pull : open_) {
        while (pull.sent < pull.heads && pull.next < midnight + kDay) {
            ++pull.sent;
            const bool repaired = pull.sent == pull.heads && pull.heads > 1;
            Commit commit{
                .head = fmt::format("pull{}.{}", pull.number, pull.sent),
                .pr = pull.number,
                .at = pull.next,
                .breaks_all = pull.breaks_all && !repaired,
                .breaks_one = repaired ? std::nullopt : pull.breaks_one,
            };
            pull.next += minutes(std::exp(between(std::log(10), std::log(2000))));
            if (pull.sent < pull.heads) {
                commit.overtaken_at = pull.next;
            } else {
                auto& end = ends_[PrNumber{pull.number}];
                end.head = HeadSha(commit.head);
                const bool still_broken = commit.breaks_all || (commit.breaks_one && chance(0.5));
                (still_broken || chance(0.2) ? end.closed_at : end.merged_at) =
                    commit.at + minutes(between(200, 3000));
            }
            commits.push_back(commit);
        }
    }
    std::erase_if(open_, [](const Pull& pull) { return pull.sent == pull.heads; });
    std::ranges::sort(commits, {}, &Commit::at);
    for (const auto& commit : commits) {
        send(commit);
    }
}

void Quarter::send(const Commit& commit) {
    const bool broken = is_trunk_broken(commit.at);
    for (std::size_t i = 0; i < truths_.size(); ++i) {
        if (!chance(truths_[i].share)) {
            continue;
        }
        LadderEvent event{
            .id = DispatchId{++dispatches_},
            .downstream = truths_[i].name,
            .event_type = commit.pr ? "pull_request" : "push",
            .pr = commit.pr ? std::optional(PrNumber{*commit.pr}) : std::nullopt,
            .head = HeadSha(commit.head),
            .level = truths_[i].level,
            .sent_at = commit.at + minutes(between(0, 2)),
            .overtaken_at = commit.overtaken_at,
        };
        auto met = commit;
        if (met.breaks_one != i) {
            met.breaks_one.reset();
        }
        answer(event, truths_[i], met, broken);
        events_.push_back(std::move(event));
    }
}

void Quarter::answer(LadderEvent& event, const Truth& truth, const Commit& commit, bool broken) {
    const auto rate = rate_at(truth, event.sent_at);
    const bool dead =
        truth.nature == Nature::dead && event.sent_at >= kStart + (truth.bad_from * kDay);
    const bool down = std::ranges::any_of(truth.outages, [&event](const auto& outage) {
        return outage.first <= event.sent_at && event.sent_at < outage.second;
    });
    // three of ten failures take the whole run; of those, half never start
    const bool whole = chance(0.3 * (1 - rate));
    if (dead || down || (whole && chance(0.5))) {
        event.silent_at = event.sent_at + kStartTimeout;
        return;
    }
    const auto own = whole ? 0 : (rate / (1 - (0.3 * (1 - rate))));
    for (int i = 0; i < truth.jobs; ++i) {
        auto how = whole ? '!' : fate(truth, commit, broken, own);
        const bool stopped = event.overtaken_at && *event.overtaken_at < event.sent_at + 40min;
        how = stopped && chance(0.7) ? 'c' : how;
        event.jobs.push_back(job_of(event, truth, fmt::format("job{}", i), how));
    }
}

/// How a job ends: + passes, ~ passes at its second attempt, - and = fail a test at one or two
/// attempts, ! fails without a test, t times out, z is never heard of again, c is cancelled.
char Quarter::fate(const Truth& truth, const Commit& commit, bool broken, double rate) {
    if ((broken || commit.breaks_all) && chance(0.93)) {
        return chance(0.3) ? '!' : '-';
    }
    if (commit.breaks_one && chance(0.9)) {
        return chance(0.5) ? '=' : '-';
    }
    if (chance(rate)) {
        return chance(0.03) ? '~' : '+';
    }
    const auto kind = draw() + (truth.jobs > 3 ? 0.02 : 0);
    if (kind < 0.5) {
        return '-';
    }
    if (kind < 0.65) {
        return '=';
    }
    if (kind < 0.82) {
        return '!';
    }
    if (kind < 0.9) {
        return 't';
    }
    return kind < 0.94 ? 'z' : 'c';
}

domain::LadderJob
Quarter::job_of(const LadderEvent& event, const Truth& truth, const std::string& name, char how) {
    const auto queue = minutes(between(1, 15));
    const bool late = chance(0.005);
    auto at = event.sent_at + queue;
    domain::LadderJob job{.workflow = "ci", .name = name, .attempts = {}};
    const auto attempt = [&](Conclusion conclusion) {
        const auto runs = late ? minutes(between(600, 1800)) : minutes(between(15, 90));
        job.attempts.push_back({
            .number = static_cast<int>(job.attempts.size()) + 1,
            .conclusion = conclusion,
            .started_at = at,
            .ended_at = at + runs,
            .queue = job.attempts.empty() ? std::optional(queue) : std::nullopt,
            .tests_told = how != '!',
            .device_named = truth.nature != Nature::middling,
        });
        at += runs + 10min;
    };
    switch (how) {
    case '+':
        attempt(Conclusion::success);
        break;
    case '~':
        attempt(Conclusion::failure);
        attempt(Conclusion::success);
        break;
    case '=':
        attempt(Conclusion::failure);
        attempt(Conclusion::failure);
        break;
    case 't':
        attempt(Conclusion::timed_out);
        break;
    case 'z':
        attempt(Conclusion::timed_out);
        job.attempts.back().said_by = domain::SaidBy::relay;
        job.attempts.back().ended_at = event.sent_at + queue + kZombieTimeout;
        break;
    case 'c':
        attempt(Conclusion::cancelled);
        break;
    default:
        attempt(Conclusion::failure);
        break;
    }
    return job;
}

} // namespace baton::test
