#include "sim/ladder/quarter.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/profile.hpp"
#include "baton/domain/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::test {

namespace {

using namespace std::chrono_literals;
using domain::Conclusion;
using domain::LadderEvent;
using domain::Level;

const TimePoint kStart = *parse_rfc3339("2026-07-01T00:00:00Z");
constexpr int kTrunkCommits = 12; // a day
constexpr int kPulls = 24;        // opened a day; each has 1 to 3 heads
constexpr Millis kStartTimeout{2h};
constexpr Millis kZombieTimeout{6h};
constexpr int kRecounted = 2; // days; the relay counts 14 anew, which only settles more
constexpr int kEvidence = 4;

constexpr double kHealthyRates[] = {
    0.95, 0.95, 0.95, 0.96, 0.97, 0.97, 0.98, 0.98, 0.99, 0.99, 0.995
};
constexpr double kMiddlingRates[] = {0.85, 0.90, 0.93};
constexpr double kBadRates[] = {0.5, 0.6, 0.7, 0.8};

Millis minutes(double count) {
    return Millis(static_cast<std::int64_t>(count * 60'000));
}

} // namespace

Quarter::Quarter(std::uint64_t seed, const domain::Profile& profile)
    : random_(sim::seed_for(seed, "quarter"))
    , profile_(profile) {
    cast();
    break_trunk();
}

double Quarter::draw() {
    return random_.draw().unit();
}

double Quarter::between(double low, double high) {
    return low + (draw() * (high - low));
}

bool Quarter::chance(double share) {
    return draw() < share;
}

/// Who takes part: volumes from 5 to 60 events a day, 2 to 4 jobs.
void Quarter::cast() {
    const auto add = [this](Nature nature, double rate) {
        const auto place = truths_.size();
        Truth truth;
        truth.name = *RepoName::parse(fmt::format("owner{}/backend", place));
        truth.nature = nature;
        truth.rate = rate;
        truth.level = chance(0.3) ? Level::l4 : Level::l3;
        truth.share = std::exp(between(std::log(5.0 / 60), 0));
        truth.jobs = 2 + static_cast<int>(draw() * 3);
        for (int i = static_cast<int>(draw() * 3); i > 0; --i) {
            const auto from = kStart + minutes(between(0, kQuarterDays * 24.0 * 60));
            truth.outages.emplace_back(from, from + minutes(between(60, 600)));
        }
        truths_.push_back(truth);
        facts_.push_back({.listed = truth.level});
        facts_.back().history.first_at_level2 = kStart - (40 * kDay);
        facts_.back().history.first_at_level3 = kStart - (20 * kDay);
    };
    for (const auto rate : kHealthyRates) {
        add(Nature::healthy, rate);
    }
    for (const auto rate : kMiddlingRates) {
        add(Nature::middling, rate);
    }
    for (const auto rate : kBadRates) {
        add(Nature::bad, 0.98);
        truths_.back().bad_rate = rate;
        truths_.back().bad_from = static_cast<int>(between(12, 20));
        truths_.back().bad_until = static_cast<int>(between(60, 63));
    }
    for (const auto level : {Level::l3, Level::l2}) {
        add(Nature::dead, 0.98);
        truths_.back().level = facts_.back().listed = level;
        truths_.back().bad_from = static_cast<int>(between(20, 70));
    }
    truths_[10].level = facts_[10].listed = Level::l2; // a healthy one that is to be raised
}

void Quarter::break_trunk() {
    for (int i = 0; i < 4; ++i) {
        const auto from = kStart + minutes(between(10, kQuarterDays - 4) * 24 * 60);
        const auto hours = between(4, 48);
        broken_.emplace_back(from, from + minutes(hours * 60));
        report_.trunk_broken_hours += static_cast<int>(hours);
    }
}

bool Quarter::is_trunk_broken(TimePoint when) const {
    return std::ranges::any_of(broken_, [when](const auto& span) {
        return span.first <= when && when < span.second;
    });
}

double Quarter::rate_at(const Truth& truth, TimePoint when) {
    const auto day = (when - kStart) / kDay;
    const bool bad = truth.nature == Nature::bad && day >= truth.bad_from && day < truth.bad_until;
    return bad ? truth.bad_rate : truth.rate;
}

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

/// What the relay knows at `now` of what was sent since `from`.
domain::LadderEvidence Quarter::seen_until(TimePoint now, TimePoint from) const {
    domain::LadderEvidence seen;
    for (const auto& event : events_) {
        if (event.sent_at < from) {
            continue;
        }
        auto one = event;
        if (one.silent_at && *one.silent_at > now) {
            one.silent_at.reset();
        }
        if (one.overtaken_at && *one.overtaken_at > now) {
            one.overtaken_at.reset();
        }
        std::erase_if(one.jobs, [now](const domain::LadderJob& job) {
            return *job.attempts.front().started_at > now;
        });
        for (auto& job : one.jobs) {
            std::erase_if(job.attempts, [now](const domain::LadderAttempt& attempt) {
                return *attempt.started_at > now;
            });
            if (*job.attempts.back().ended_at > now) {
                job.attempts.back().ended_at.reset();
                job.attempts.back().conclusion.reset();
                job.attempts.back().said_by = domain::SaidBy::downstream;
            }
        }
        seen.events.push_back(std::move(one));
    }
    for (const auto& [number, end] : ends_) {
        auto known = end;
        known.merged_at = end.merged_at && *end.merged_at <= now ? end.merged_at : std::nullopt;
        known.closed_at = end.closed_at && *end.closed_at <= now ? end.closed_at : std::nullopt;
        seen.pulls.emplace(number, known);
    }
    return seen;
}

void Quarter::evaluate(int day) {
    const auto as_of = kStart + (day * kDay);
    const auto evidence = seen_until(as_of + 10min, as_of - (kEvidence * kDay));
    const auto outcomes = judge_outcomes(evidence);
    domain::FreezeFacts freeze;
    for (std::size_t i = 0; i < truths_.size(); ++i) {
        auto& days = facts_[i].history.days;
        std::erase_if(days, [&](const domain::LadderDay& known) {
            return known.day >= as_of - (kRecounted * kDay);
        });
        for (auto& counted : days_of(evidence, outcomes, truths_[i].name, {}, kDay)) {
            if (counted.day >= as_of - (kRecounted * kDay) && counted.day < as_of) {
                days.push_back(std::move(counted));
            }
        }
        if (is_judged(facts_[i])) {
            ++freeze.judged;
            freeze.violated += is_violated(facts_[i], profile_, as_of) ? 1 : 0;
        }
    }
    const auto frozen = freeze_reason(freeze, profile_);
    report_.frozen_days += frozen.empty() ? 0 : 1;
    for (std::size_t i = 0; i < truths_.size(); ++i) {
        const auto verdict = judge_level(facts_[i], profile_, as_of, frozen);
        for (const auto& moved : verdict.transitions) {
            Moved note{.day = day, .move = moved.move, .reason = moved.reason};
            note.at_once = std::ranges::any_of(moved.rules, [](const std::string& rule) {
                return rule.starts_with("once.");
            });
            if (moved.move == domain::LadderMove::proposed) {
                note.proposed = verdict.standing.proposal->to;
            }
            report_.downstreams[i].moves.push_back(std::move(note));
        }
        facts_[i].standing = verdict.standing;
    }
    std::erase_if(events_, [&](const LadderEvent& event) {
        return event.sent_at < as_of - (kEvidence * kDay);
    });
    std::erase_if(ends_, [&](const auto& of) {
        const auto& end = of.second;
        return end.closed_at.value_or(end.merged_at.value_or(as_of)) < as_of - (kEvidence * kDay);
    });
}

QuarterReport Quarter::live() && {
    for (const auto& truth : truths_) {
        report_.downstreams.push_back({.truth = truth});
    }
    for (int day = 0; day < kQuarterDays; ++day) {
        send_day(day);
        for (const auto& event : events_) {
            if (event.sent_at < kStart + (day * kDay)) {
                continue;
            }
            for (auto& lived : report_.downstreams) {
                if (lived.truth.name != event.downstream) {
                    continue;
                }
                lived.outcomes += event.jobs.size();
                const bool dead = lived.truth.nature == Nature::dead &&
                                  event.sent_at >= kStart + (lived.truth.bad_from * kDay);
                if (dead && !lived.unanswered) {
                    lived.unanswered = event.sent_at;
                }
            }
        }
        evaluate(day + 1);
    }
    return std::move(report_);
}

} // namespace baton::test
