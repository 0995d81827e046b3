#include "baton/relay/ladder_round.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/profile.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/relay/ladder_digest.hpp"
#include "baton/relay/ladder_notes.hpp"
#include "baton/wire/ladder_json.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace baton::relay {

namespace {

/// One listed downstream on its way through an evaluation.
struct Judging {
    const domain::Downstream* listed{nullptr};
    std::vector<domain::LadderDay> counted;
    std::vector<ports::RedOutcome> red;
    domain::LadderFacts facts;
};

std::map<RepoName, const ports::KeptLadder*> by_downstream(const LadderRound& round) {
    std::map<RepoName, const ports::KeptLadder*> kept;
    for (const auto& ladder : round.ladders) {
        kept[ladder.downstream] = &ladder;
    }
    return kept;
}

std::vector<domain::LadderDay> counted_days(
    const LadderRound& round,
    const std::vector<domain::JudgedOutcome>& outcomes,
    const domain::Downstream& listed
) {
    auto days = domain::days_of(
        round.evidence, outcomes, listed.repo, listed.required_jobs, round.day_length
    );
    const auto from = round.as_of - kCountedDays * round.day_length;
    std::erase_if(days, [&](const domain::LadderDay& day) {
        return day.day < from || day.day >= round.as_of;
    });
    return days;
}

/// Of the days that are counted anew, by downstream.
std::map<RepoName, std::vector<ports::RedOutcome>>
reds_in(const LadderRound& round, const std::vector<domain::JudgedOutcome>& outcomes) {
    std::map<RepoName, std::vector<ports::RedOutcome>> reds;
    const auto from = round.as_of - kCountedDays * round.day_length;
    for (const auto& outcome : outcomes) {
        const auto& event = round.evidence.events.at(outcome.event);
        if (!outcome.rule || event.sent_at < from) {
            continue;
        }
        reds[event.downstream].push_back({
            .dispatch = event.id,
            .sent_at = event.sent_at,
            .pr = event.pr,
            .head = event.head,
            .event_type = event.event_type,
            .workflow = outcome.workflow,
            .job = outcome.job,
            .outcome = outcome.outcome,
            .rule = *outcome.rule,
            .excluded = outcome.excluded,
            .provisional = outcome.provisional,
            .evidence = outcome.evidence,
        });
    }
    return reds;
}

domain::LadderFacts facts_about(
    const LadderRound& round,
    const domain::Downstream& listed,
    const ports::KeptLadder* kept,
    const std::vector<domain::LadderDay>& counted
) {
    domain::LadderFacts facts;
    facts.listed = domain::listed_level(listed);
    facts.paused = domain::is_paused(listed, round.as_of);
    if (kept != nullptr) {
        facts.history = kept->history;
        facts.standing = kept->standing;
    }
    facts.history.day_length = round.day_length;
    auto& days = facts.history.days;
    const auto from = round.as_of - kCountedDays * round.day_length;
    std::erase_if(days, [&](const domain::LadderDay& day) { return day.day >= from; });
    days.insert(days.end(), counted.begin(), counted.end());
    return facts;
}

/// Those that a move rests on, out of all that were looked at.
std::vector<domain::CriterionVerdict>
behind(const domain::LadderTransition& transition, const domain::LadderVerdict& verdict) {
    std::vector<domain::CriterionVerdict> found;
    const auto rests_on = [&](const domain::CriterionVerdict& one) {
        return std::ranges::find(transition.rules, one.criterion.id) != transition.rules.end();
    };
    std::ranges::copy_if(verdict.demotion, std::back_inserter(found), rests_on);
    std::ranges::copy_if(verdict.next, std::back_inserter(found), rests_on);
    return found;
}

ports::LadderOutcome
outcome_of(const LadderRound& round, const Judging& one, const domain::LadderVerdict& verdict) {
    const auto digest = digest_of(one.facts.history.days);
    const auto& downstream = one.listed->repo;
    ports::LadderOutcome outcome{
        .downstream = downstream,
        .standing = verdict.standing,
        .evaluation =
            ports::KeptEvaluation{
                .upstream = round.upstream,
                .downstream = downstream,
                .as_of = round.as_of,
                .profile = domain::label_of(round.profile),
                .verdict = wire::verdict_json(verdict),
                .digest = digest,
            },
        .transitions = {},
    };
    for (const auto& transition : verdict.transitions) {
        outcome.transitions.push_back({
            .upstream = round.upstream,
            .downstream = downstream,
            .at = round.now,
            .as_of = round.as_of,
            .transition = transition,
            .profile = domain::label_of(round.profile),
            .figures = wire::figures_json(behind(transition, verdict)),
            .digest = digest,
            .actor = round.actor,
        });
    }
    return outcome;
}

std::vector<Judging> everybody(const LadderRound& round) {
    const auto outcomes = domain::judge_outcomes(round.evidence, round.day_length);
    const auto kept = by_downstream(round);
    const DayRows rows(round.evidence, outcomes, round.day_length);
    auto reds = reds_in(round, outcomes);
    std::vector<Judging> all;
    for (const auto& listed : round.allowlist.downstreams()) {
        if (listed.repo == round.probe) {
            continue;
        }
        const auto known = kept.find(listed.repo);
        Judging one{
            .listed = &listed,
            .counted = counted_days(round, outcomes, listed),
            .red = std::move(reds[listed.repo]),
            .facts = {}
        };
        for (auto& day : one.counted) {
            day.digest = rows.digest_of(listed.repo, day);
        }
        one.facts =
            facts_about(round, listed, known == kept.end() ? nullptr : known->second, one.counted);
        all.push_back(std::move(one));
    }
    return all;
}

} // namespace

ports::ViewWindow evidence_window(TimePoint as_of, Millis day_length) {
    return {.from = as_of - kEvidenceDays * day_length, .until = as_of};
}

ports::ViewWindow
history_window(const domain::Profile& profile, TimePoint as_of, Millis day_length) {
    const auto days = std::max(kCountedDays, domain::history_days(profile));
    return {.from = as_of - days * day_length, .until = as_of};
}

LadderResult judge_round(LadderRound round) {
    domain::FreezeFacts health{
        .dispatches = round.sending.dispatches, .unsent = round.sending.unsent
    };
    domain::add_probe(
        health,
        round.evidence.events,
        round.probe,
        {.from = round.as_of - round.day_length, .until = round.as_of}
    );
    std::erase_if(round.evidence.events, [&round](const domain::LadderEvent& event) {
        return event.downstream == round.probe;
    });
    const auto all = everybody(round);
    LadderResult result;
    for (const auto& one : all) {
        if (domain::is_judged(one.facts)) {
            ++result.judged;
            result.violated += domain::is_violated(one.facts, round.profile, round.as_of) ? 1U : 0U;
        }
    }
    health.judged = result.judged;
    health.violated = result.violated;
    result.frozen = domain::freeze_reason(health, round.profile);
    auto& commit = result.commit;
    commit.upstream = round.upstream;
    commit.as_of = round.as_of;
    commit.counted_from = round.as_of - kCountedDays * round.day_length;
    commit.now = round.now;
    LadderNotes notes(round.upstream, round.now, round.day_length);
    for (const auto& one : all) {
        const auto verdict =
            domain::judge_level(one.facts, round.profile, round.as_of, result.frozen);
        commit.days.push_back({.downstream = one.listed->repo, .days = one.counted, .red = one.red}
        );
        commit.outcomes.push_back(outcome_of(round, one, verdict));
        notes.add(*one.listed, one.facts.standing, commit.outcomes.back());
    }
    commit.notifications = std::move(notes).take();
    return result;
}

} // namespace baton::relay
