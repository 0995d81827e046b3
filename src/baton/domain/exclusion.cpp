#include "baton/domain/exclusion.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion_index.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

constexpr std::size_t kShortSha = 12;

std::string short_sha(const HeadSha& head) {
    return head.text().substr(0, kShortSha);
}

std::int64_t number_of(DispatchId id) {
    return static_cast<std::int64_t>(id);
}

std::vector<JudgedOutcome> classified(const LadderEvidence& evidence) {
    std::vector<JudgedOutcome> outcomes;
    for (std::size_t i = 0; i < evidence.events.size(); ++i) {
        const auto& event = evidence.events[i];
        if (event.jobs.empty()) {
            outcomes.push_back({.event = i, .outcome = class_of(event)});
        }
        for (const auto& job : event.jobs) {
            outcomes.push_back({
                .event = i,
                .workflow = job.workflow,
                .job = job.name,
                .outcome = class_of(event, job),
            });
        }
    }
    return outcomes;
}

bool is_crowd(Crowds::Crowd others) {
    return others.red >= kOthersRed && others.red * 2 >= others.reported;
}

/// Goes through the rules in their order; each settles what it applies to.
class Court {
public:
    Court(const LadderEvidence& evidence, Millis day_length)
        : evidence_(evidence)
        , outcomes_(classified(evidence))
        , index_(evidence_, outcomes_, day_length) {
        for (const auto& ruling : evidence.rulings) {
            auto& known = rulings_[{ruling.dispatch, ruling.workflow, ruling.job}];
            if (known == nullptr || known->at < ruling.at) {
                known = &ruling;
            }
        }
    }

    std::vector<JudgedOutcome> judge() && {
        rule_by_trunk();
        rule_by_others();
        count_standing_once();
        overrule();
        add_own_verdicts();
        return std::move(outcomes_);
    }

private:
    const LadderEvent& event_of(const JudgedOutcome& one) const {
        return evidence_.events[one.event];
    }

    /// At level 1 nobody is held to account.
    bool is_rehearsal(const JudgedOutcome& one) const { return event_of(one).level == Level::l1; }

    /// Past the end for an event that nobody started.
    std::vector<LadderJob>::const_iterator job_of(const JudgedOutcome& one) const {
        return std::ranges::find_if(event_of(one).jobs, [&one](const LadderJob& of) {
            return of.workflow == one.workflow && of.name == one.job;
        });
    }

    static void
    settle(JudgedOutcome& one, ExclusionRule rule, bool excluded, std::string evidence) {
        one.rule = rule;
        one.excluded = excluded;
        one.evidence = std::move(evidence);
    }

    /// `trunk` and `standing`; what is left has a green base or none.
    void rule_by_trunk() {
        Crowds crowds(index_.heads());
        for (std::size_t i = 0; i < outcomes_.size(); ++i) {
            if (is_trunk(event_of(outcomes_[i])) && has_reported(outcomes_[i].outcome)) {
                crowds.add(index_.key(i), event_of(outcomes_[i]), is_red(outcomes_[i].outcome));
            }
        }
        for (std::size_t i = 0; i < outcomes_.size(); ++i) {
            auto& one = outcomes_[i];
            if (!is_red(one.outcome) || is_rehearsal(one)) {
                continue;
            }
            const auto base = index_.base_of(i);
            const auto& key = index_.key(i);
            const auto& event = event_of(one);
            const bool red_base = base && base->red;
            if (has_reported(one.outcome)) {
                if (is_trunk(event) && is_crowd(crowds.others(key.head, key.owner))) {
                    settle(one, ExclusionRule::trunk, true, crowd_text(crowds, event.head, key));
                    continue;
                }
                if (red_base && is_crowd(crowds.others(base->head, key.owner))) {
                    auto at = key;
                    at.head = base->head;
                    const auto& head = evidence_.events[base->event].head;
                    settle(one, ExclusionRule::trunk, true, crowd_text(crowds, head, at));
                    continue;
                }
            }
            if (red_base) {
                const auto& before = evidence_.events[base->event];
                settle(
                    one,
                    ExclusionRule::standing,
                    false,
                    fmt::format(
                        "it was red before on trunk commit {} (dispatch {})",
                        short_sha(before.head),
                        number_of(before.id)
                    )
                );
            }
        }
    }

    static std::string
    crowd_text(const Crowds& crowds, const HeadSha& head, const OutcomeKey& key) {
        const auto others = crowds.others(key.head, key.owner);
        return fmt::format(
            "{} of {} others that reported on commit {} are red: {}",
            others.red,
            others.reported,
            short_sha(head),
            crowds.red_ones(key.head, key.owner)
        );
    }

    /// `pull_request`, `alone`, `false_alarm` and `unknown`.
    void rule_by_others() {
        Crowds crowds(index_.heads());
        for (std::size_t i = 0; i < outcomes_.size(); ++i) {
            const auto& one = outcomes_[i];
            if (event_of(one).pr && has_reported(one.outcome)) {
                const bool red = is_red(one.outcome) && one.rule != ExclusionRule::standing;
                crowds.add(index_.key(i), event_of(one), red);
            }
        }
        for (std::size_t i = 0; i < outcomes_.size(); ++i) {
            auto& one = outcomes_[i];
            if (!is_red(one.outcome) || one.rule || is_rehearsal(one)) {
                continue;
            }
            const auto& key = index_.key(i);
            const auto& event = event_of(one);
            if (event.pr && has_reported(one.outcome) &&
                is_crowd(crowds.others(key.head, key.owner))) {
                const auto text = crowd_text(crowds, event.head, key);
                settle(one, ExclusionRule::pull_request, true, text);
            } else if (is_repeatable(i)) {
                settle_alone(i);
            } else {
                settle(one, ExclusionRule::unknown, false, unknown_text(i));
            }
        }
    }

    /// Told of tests, green on trunk before, and red again when it was run again: chance and
    /// machines seldom do that.
    bool is_repeatable(std::size_t outcome) const {
        const auto& one = outcomes_[outcome];
        const auto& event = event_of(one);
        if (!event.pr || one.outcome != OutcomeClass::test) {
            return false;
        }
        const auto base = index_.base_of(outcome);
        const auto job = job_of(one);
        const auto red = std::ranges::count_if(job->attempts, [](const LadderAttempt& attempt) {
            return attempt.conclusion == Conclusion::failure && attempt.tests_told;
        });
        return base && !base->red && red >= 2;
    }

    void settle_alone(std::size_t outcome) {
        auto& one = outcomes_[outcome];
        const auto& event = event_of(one);
        const auto number = static_cast<std::int64_t>(*event.pr);
        const auto found = evidence_.pulls.find(*event.pr);
        const auto end = found == evidence_.pulls.end() ? PullEnd{} : found->second;
        if (index_.has_newer_pass(outcome)) {
            const auto text = fmt::format("red twice; a newer head of #{} passed", number);
            settle(one, ExclusionRule::alone, true, text);
            return;
        }
        if (end.closed_at) {
            const auto text = fmt::format("red twice; #{} was closed unmerged", number);
            settle(one, ExclusionRule::alone, true, text);
            return;
        }
        const auto red = end.merged_at ? index_.trunk_after(outcome, *end.merged_at) : std::nullopt;
        if (!red) {
            const auto text = fmt::format("red twice, green on trunk: waits for #{}", number);
            settle(one, ExclusionRule::alone, true, text);
            one.provisional = true;
        } else if (*red) {
            const auto text = fmt::format("red twice; trunk was red after #{} was merged", number);
            settle(one, ExclusionRule::alone, true, text);
        } else {
            const auto text = fmt::format("trunk passed after #{} was merged", number);
            settle(one, ExclusionRule::false_alarm, false, text);
        }
    }

    std::string unknown_text(std::size_t outcome) const {
        const auto base = index_.base_of(outcome);
        if (!base) {
            return "nothing on trunk to compare it with";
        }
        const auto& before = evidence_.events[base->event];
        return fmt::format(
            "trunk commit {} passed (dispatch {}), and too few others are red",
            short_sha(before.head),
            number_of(before.id)
        );
    }

    void count_standing_once() {
        std::vector<std::size_t> standing;
        for (std::size_t i = 0; i < outcomes_.size(); ++i) {
            if (outcomes_[i].rule == ExclusionRule::standing) {
                standing.push_back(i);
            }
        }
        std::ranges::sort(standing, {}, [this](std::size_t i) {
            const auto& event = event_of(outcomes_[i]);
            return std::tuple(event.sent_at, event.id);
        });
        std::set<std::pair<std::uint32_t, std::int64_t>> counted;
        for (const auto i : standing) {
            const auto& key = index_.key(i);
            outcomes_[i].repeated = !counted.emplace(key.cell, key.day).second;
        }
    }

    void overrule() {
        for (auto& one : outcomes_) {
            if (rulings_.empty() || !is_red(one.outcome)) {
                continue;
            }
            const auto found = rulings_.find({event_of(one).id, one.workflow, one.job});
            if (found != rulings_.end()) {
                const auto& said = *found->second;
                const auto text = fmt::format("{} said so: {}", said.by, said.reason);
                settle(one, ExclusionRule::overruled, said.excluded, text);
                one.repeated = false;
                one.provisional = false;
            }
        }
    }

    /// What the downstream says of its own failure is shown, and decides nothing.
    void add_own_verdicts() {
        for (auto& one : outcomes_) {
            if (!one.rule) {
                continue;
            }
            const auto job = job_of(one);
            if (job != event_of(one).jobs.end() && !job->attempts.back().triage.empty()) {
                one.evidence += fmt::format("; its own verdict: {}", job->attempts.back().triage);
            }
        }
    }

    const LadderEvidence& evidence_;
    std::vector<JudgedOutcome> outcomes_;
    OutcomeIndex index_;
    std::map<std::tuple<DispatchId, std::string, std::string>, const LadderRuling*> rulings_;
};

} // namespace

std::string_view name_of(ExclusionRule rule) {
    switch (rule) {
    case ExclusionRule::trunk:
        return "trunk";
    case ExclusionRule::standing:
        return "standing";
    case ExclusionRule::pull_request:
        return "pull_request";
    case ExclusionRule::alone:
        return "alone";
    case ExclusionRule::false_alarm:
        return "false_alarm";
    case ExclusionRule::overruled:
        return "overruled";
    case ExclusionRule::unknown:
        return "unknown";
    }
    return "";
}

std::optional<ExclusionRule> exclusion_rule_named(std::string_view name) {
    const auto* const found =
        std::ranges::find(kExclusionRules, name, [](ExclusionRule rule) { return name_of(rule); });
    return found == kExclusionRules.end() ? std::nullopt : std::optional(*found);
}

std::vector<JudgedOutcome> judge_outcomes(const LadderEvidence& evidence, Millis day_length) {
    return Court(evidence, day_length).judge();
}

} // namespace baton::domain
