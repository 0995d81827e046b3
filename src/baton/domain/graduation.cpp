#include "baton/domain/graduation.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/event_verdict.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/outage.hpp"
#include "baton/domain/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <ratio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

constexpr Millis kWeek{std::chrono::hours{168}};

/// One nightly, and what came of it.
struct Night {
    const LadderEvent* event{nullptr};
    EventVerdict verdict;
};

bool is_planned(TimePoint when, const std::vector<TimeSpan>& planned) {
    return std::ranges::any_of(planned, [when](const TimeSpan& span) {
        return span.from <= when && when < span.until;
    });
}

std::vector<Night> nights_of(const GraduationFacts& facts) {
    std::vector<Night> nights;
    for (const auto& event : facts.events) {
        const bool inside = event.sent_at >= facts.from && event.sent_at < facts.as_of;
        if (event.event_type != "nightly" || !inside || event.paused ||
            is_planned(event.sent_at, facts.planned)) {
            continue;
        }
        Night night{.event = &event, .verdict = verdict_of(event, facts.required_jobs)};
        if (night.verdict.counts()) {
            nights.push_back(std::move(night));
        }
    }
    std::ranges::sort(nights, {}, [](const Night& night) {
        return std::pair(night.event->sent_at, night.event->id);
    });
    return nights;
}

void count_jobs(const Night& night, Graduation& into) {
    for (const auto& job : night.event->jobs) {
        if (job.attempts.empty()) {
            continue;
        }
        const auto outcome = class_of(*night.event, job);
        into.flaky.n += is_green(outcome) ? 1 : 0;
        into.flaky.k += outcome == OutcomeClass::flake ? 1 : 0;
        if (job.attempts.front().queue) {
            into.queue.push_back(*job.attempts.front().queue);
        }
        const auto& last = job.attempts.back();
        if (last.started_at && last.ended_at && *last.ended_at >= *last.started_at) {
            into.ran.push_back(*last.ended_at - *last.started_at);
        }
    }
}

void count_night(const GraduationFacts& facts, const Night& night, Graduation& into) {
    const bool passed = night.verdict.passed();
    const bool machines = night.verdict.any(is_infra);
    ++into.nightlies;
    ++into.passed.n;
    into.passed.k += passed ? 1 : 0;
    ++into.machines.n;
    into.machines.k += machines ? 1 : 0;
    into.passed_tests.n += machines ? 0 : 1;
    into.passed_tests.k += passed ? 1 : 0;
    const bool missed = std::ranges::all_of(night.verdict.classes, [](OutcomeClass outcome) {
        return outcome == OutcomeClass::missing;
    });
    into.missed += missed ? 1 : 0;
    const auto week = static_cast<std::size_t>((night.event->sent_at - facts.from) / kWeek);
    ++into.weeks.at(week).passed.n;
    into.weeks.at(week).passed.k += passed ? 1 : 0;
    count_jobs(night, into);
}

std::string share_text(const BoundedShare& share) {
    const auto value = share.value();
    return value ? fmt::format("{:.1f} % ({} of {})", *value * 100, share.k, share.n) : "nothing";
}

std::string hours_text(Millis length) {
    return fmt::format("{:.1f} h", std::chrono::duration<double, std::ratio<3600>>(length).count());
}

std::vector<GraduationCriterion> criteria_of(const Graduation& all) {
    const bool enough = all.nightlies >= kGraduationNightlies;
    const BoundedShare answered{.k = all.nightlies - all.missed, .n = all.nightlies};
    const auto longest = longest_of(all.outages);
    const auto if_enough = [enough](bool met) {
        return enough ? std::optional(met) : std::nullopt;
    };
    return {
        {.id = "nightlies",
         .text = fmt::format("at least {} nightlies to tell from", kGraduationNightlies),
         .measured = std::to_string(all.nightlies),
         .met = if_enough(true)},
        {.id = "passed",
         .text = fmt::format("{:.0f} % of them pass, whatever the cause", kGraduationPassed * 100),
         .measured = share_text(all.passed),
         .met = if_enough(all.passed.value().value_or(0) >= kGraduationPassed)},
        {.id = "answered",
         .text = fmt::format("{:.0f} % of them are started", kGraduationAnswered * 100),
         .measured = share_text(answered),
         .met = if_enough(answered.value().value_or(0) >= kGraduationAnswered)},
        {.id = "flaky",
         .text = "fewer than 5 % of the jobs that pass needed a second attempt",
         .measured = share_text(all.flaky),
         .met = if_enough(is_flaky_share_low(all.flaky.k, all.flaky.n))},
        {.id = "outage",
         .text = fmt::format("no outage longer than {}", hours_text(kOutageMax)),
         .measured = all.outages.empty() ? "none" : hours_text(longest),
         .met = if_enough(longest <= kOutageMax)},
    };
}

} // namespace

Graduation graduation_of(const GraduationFacts& facts) {
    Graduation all;
    for (auto from = facts.from; from < facts.as_of; from += kWeek) {
        all.weeks.push_back({.from = from, .passed = {}});
    }
    std::vector<ExpectedRun> runs;
    for (const auto& night : nights_of(facts)) {
        count_night(facts, night, all);
        runs.push_back(expected_run(*night.event, night.verdict));
    }
    std::ranges::sort(all.queue);
    std::ranges::sort(all.ran);
    all.outages = outages_of(std::move(runs), facts.planned, facts.as_of);
    all.images = facts.images;
    std::ranges::sort(all.images);
    const auto doubled = std::ranges::unique(all.images);
    all.images.erase(doubled.begin(), doubled.end());
    all.images_told = {
        .k = std::min(facts.images.size(), facts.images_asked), .n = facts.images_asked
    };
    all.criteria = criteria_of(all);
    const auto is_met = [](const GraduationCriterion& criterion) { return *criterion.met; };
    if (all.nightlies >= kGraduationNightlies) {
        all.ready = std::ranges::all_of(all.criteria, is_met);
    }
    return all;
}

std::vector<std::string> image_digests_in(std::string_view environment) {
    constexpr std::string_view kMark = "sha256:";
    constexpr std::size_t kDigits = 64;
    std::vector<std::string> found;
    for (auto at = environment.find(kMark); at != std::string_view::npos;
         at = environment.find(kMark, at + 1)) {
        const auto rest = environment.substr(at + kMark.size());
        const auto end = std::min(rest.find_first_not_of("0123456789abcdef"), rest.size());
        const auto digest = std::string(environment.substr(at, kMark.size() + kDigits));
        if (end == kDigits && std::ranges::find(found, digest) == found.end()) {
            found.push_back(digest);
        }
    }
    return found;
}

} // namespace baton::domain
