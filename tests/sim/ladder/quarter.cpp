#include "sim/ladder/quarter.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/profile.hpp"

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
using domain::LadderEvent;
using domain::Level;

constexpr int kRecounted = 2; // days; the relay counts 14 anew, which only settles more
constexpr int kEvidence = 4;

constexpr double kHealthyRates[] = {
    0.95, 0.95, 0.95, 0.96, 0.97, 0.97, 0.98, 0.98, 0.99, 0.99, 0.995
};
constexpr double kMiddlingRates[] = {0.85, 0.90, 0.93};
constexpr double kBadRates[] = {0.5, 0.6, 0.7, 0.8};

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
