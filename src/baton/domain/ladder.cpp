#include "baton/domain/ladder.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/figure_text.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/ladder_forecast.hpp"
#include "baton/domain/ladder_weights.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

constexpr std::size_t kTemporariesKept = 16;
constexpr double kHoursADay = 24;

Level below(Level level) {
    return level == Level::l1 ? level : static_cast<Level>(static_cast<int>(level) - 1);
}

/// Makes the moves of one evaluation.
class Judge {
public:
    Judge(const LadderFacts& facts, const Profile& profile, TimePoint as_of)
        : facts_(facts)
        , profile_(profile)
        , as_of_(as_of)
        , weights_(weights_of(facts, profile, as_of)) {
        verdict_.as_of = as_of;
        verdict_.standing = facts.standing.value_or(LadderStanding{
            .listed = facts.listed,
            .effective = facts.listed,
            .since = as_of,
        });
    }

    LadderVerdict judge(const std::string& frozen) && {
        verdict_.violated = weights_.violated();
        verdict_.insufficient = facts_.paused || weights_.tells_nothing();
        verdict_.demotion = weights_.against();
        relist();
        if (!facts_.paused) {
            const auto before = verdict_;
            move();
            if (!frozen.empty()) {
                freeze(before, frozen);
            }
        }
        if (standing().state == LadderState::temporary) {
            append(verdict_.demotion, weights_.restore);
        }
        standing().as_of = as_of_;
        if (standing().state == LadderState::watch) {
            standing().watched_at = as_of_;
        }
        verdict_.next = weights_.next;
        look_ahead();
        return std::move(verdict_);
    }

private:
    LadderStanding& standing() { return verdict_.standing; }

    bool is_within(std::optional<TimePoint> since, int days) const {
        return since && as_of_ - *since < days * facts_.history.day_length;
    }

    void note(LadderMove move, const LadderStanding& from, LadderTransition rest) {
        rest.move = move;
        rest.from_state = from.state;
        rest.to_state = standing().state;
        rest.from = from.effective;
        rest.to = standing().effective;
        verdict_.transitions.push_back(std::move(rest));
    }

    void note_missed(
        LadderMove move, const LadderStanding& from, const std::vector<CriterionVerdict>& why
    ) {
        note(move, from, {.rules = ids_of(missed_of(why)), .reason = missed_text(why)});
    }

    /// A person changed the list: everything begins anew there.
    void relist() {
        if (standing().listed == facts_.listed) {
            return;
        }
        const auto from = standing();
        const bool raised = facts_.listed > from.listed;
        (raised ? standing().raised_at : standing().lowered_at) = as_of_;
        standing().listed = facts_.listed;
        standing().effective = facts_.listed;
        enter(LadderState::ok);
        standing().violated = 0;
        standing().clean = 0;
        standing().ready = 0;
        standing().proposal.reset();
        standing().temporaries.clear();
        standing().watched_at.reset();
        auto reason = fmt::format(
            "the list says {}, it said {}", name_of(facts_.listed), name_of(from.listed)
        );
        note(LadderMove::relisted, from, {.rules = {}, .reason = std::move(reason)});
    }

    void enter(LadderState state) {
        if (standing().state != state) {
            standing().state = state;
            standing().since = as_of_;
        }
    }

    void move() {
        if (facts_.listed >= Level::l3) {
            count();
            if (standing().state == LadderState::temporary) {
                consider_return();
            } else {
                consider_lowering();
            }
        }
        const bool ready = !weights_.next.empty() && all_are(weights_.next, Met::yes);
        auto& streak = standing().ready;
        streak = ready ? std::max(streak, 0) + 1 : std::min(streak, 0) - 1;
        consider_proposal();
    }

    /// Too little to tell counts neither way.
    void count() {
        if (weights_.violated()) {
            ++standing().violated;
        } else if (!verdict_.insufficient) {
            standing().violated = 0;
        }
        if (standing().state == LadderState::temporary) {
            if (is_held_down() || any_is(weights_.restore, Met::no)) {
                standing().clean = 0;
            } else if (!verdict_.insufficient && all_are(weights_.restore, Met::yes)) {
                ++standing().clean;
            } else if (!is_within(standing().since, profile_.slow_restore) &&
                       is_clean_with_few(facts_, profile_, as_of_)) {
                ++standing().clean; // or whoever is sent little would never return
            }
        }
    }

    /// What looks back further than what brings it back would only keep it down for the past.
    bool is_held_down() const {
        int longest = 0;
        for (const auto& restore : profile_.restore) {
            longest = std::max(longest, restore.window);
        }
        return std::ranges::any_of(weights_.lowering(), [longest](const CriterionVerdict& one) {
            return one.met == Met::no && (longest == 0 || one.criterion.window <= longest);
        });
    }

    void consider_return() {
        const bool is_due = !is_within(standing().since, profile_.temporary_least);
        if (standing().clean < profile_.restore_after || !is_due) {
            return;
        }
        const auto from = standing();
        standing().effective = standing().listed;
        standing().raised_at = as_of_;
        enter(LadderState::ok);
        auto reason = fmt::format("{} clean evaluations in a row", from.clean);
        note(LadderMove::returned, from, {.rules = {}, .reason = std::move(reason)});
    }

    bool is_lowered() const {
        if (any_is(weights_.at_once, Met::no)) {
            return true;
        }
        const auto& standing = verdict_.standing;
        if (!any_is(weights_.demotion, Met::no) || standing.violated < profile_.temporary_after ||
            is_within(standing.raised_at, profile_.cool_down)) {
            return false;
        }
        const auto since = since_raised(facts_);
        return std::ranges::any_of(weights_.demotion, [&](const CriterionVerdict& one) {
            const LadderWindow window{
                .from = as_of_ - (one.criterion.window * facts_.history.day_length),
                .until = as_of_,
            };
            const auto sent = measure(Figure::events, since, window, profile_.quantiles).n;
            return one.met == Met::no && sent >= profile_.temporary_events;
        });
    }

    void consider_lowering() {
        const auto from = standing();
        if (is_lowered()) {
            standing().effective = below(standing().listed);
            standing().lowered_at = as_of_;
            standing().clean = 0;
            standing().temporaries.push_back(as_of_);
            if (standing().temporaries.size() > kTemporariesKept) {
                standing().temporaries.erase(standing().temporaries.begin());
            }
            enter(LadderState::temporary);
            note_missed(LadderMove::demoted, from, weights_.lowering());
        } else if (weights_.troubled() && from.state == LadderState::ok) {
            enter(LadderState::watch);
            note_missed(LadderMove::watched, from, weights_.against());
        } else if (!weights_.troubled() && !verdict_.insufficient &&
                   from.state == LadderState::watch) {
            enter(LadderState::ok);
            note(LadderMove::calmed, from, {.rules = {}, .reason = "nothing is violated any more"});
        }
    }

    /// By what came since it was lowered: a bad day that is over is no reason.
    bool is_still_violated() const {
        auto since = facts_;
        std::erase_if(since.history.days, [this](const LadderDay& day) {
            return day.day < verdict_.standing.since;
        });
        return weights_.violated() && weights_of(since, profile_, as_of_).violated();
    }

    /// Why the list should say less; empty: it should not.
    std::string lowering_reason() const {
        const auto& standing = verdict_.standing;
        if (facts_.listed == Level::l2) {
            const LadderWindow window{
                .from = as_of_ - (profile_.silent_lower * facts_.history.day_length),
                .until = as_of_,
            };
            const auto silence =
                measure(Figure::silence, facts_.history, window, profile_.quantiles);
            return silence.value.value_or(0) >= kHoursADay * profile_.silent_lower
                       ? fmt::format(
                             "{} events were not answered since {} ago",
                             silence.n,
                             figure_text(Figure::silence, *silence.value)
                         )
                       : "";
        }
        const auto recent = std::ranges::count_if(standing.temporaries, [this](TimePoint began) {
            return is_within(began, profile_.lower_window);
        });
        if (facts_.listed >= Level::l3 && recent >= profile_.lower_count) {
            return fmt::format("{} temporary demotions in {} days", recent, profile_.lower_window);
        }
        if (standing.state != LadderState::temporary) {
            return "";
        }
        const auto notice =
            add_working_days(standing.since, profile_.lower_after, facts_.history.day_length);
        if (as_of_ >= notice && is_still_violated()) {
            return fmt::format(
                "still violated {} working days after the temporary demotion", profile_.lower_after
            );
        }
        const bool told = standing.proposal && standing.proposal->to < standing.listed;
        return told ? standing.proposal->reason : ""; // until it returns
    }

    std::string raising_reason() const {
        const auto& standing = verdict_.standing;
        const bool told = standing.proposal && standing.proposal->to > standing.listed;
        if (facts_.listed > Level::l2 || standing.state != LadderState::ok ||
            is_within(standing.lowered_at, profile_.cool_down)) {
            return "";
        }
        if (standing.ready >= profile_.raise_after) {
            return fmt::format(
                "every criterion of {} is met",
                name_of(static_cast<Level>(static_cast<int>(facts_.listed) + 1))
            );
        }
        return told && standing.ready > -profile_.raise_after ? standing.proposal->reason : "";
    }

    void consider_proposal() {
        auto wanted = std::optional<LevelProposal>{};
        if (auto lower = lowering_reason(); !lower.empty()) {
            wanted = {
                .from = facts_.listed,
                .to = below(facts_.listed),
                .since = as_of_,
                .reason = std::move(lower),
            };
        } else if (auto raise = raising_reason(); !raise.empty()) {
            wanted = {
                .from = facts_.listed,
                .to = static_cast<Level>(static_cast<int>(facts_.listed) + 1),
                .since = as_of_,
                .reason = std::move(raise),
            };
        }
        auto& known = standing().proposal;
        const bool same = known && wanted && known->to == wanted->to;
        if (known && !same) {
            auto reason =
                fmt::format("{} to {} does not hold", name_of(known->from), name_of(known->to));
            known.reset();
            note(LadderMove::withdrawn, standing(), {.rules = {}, .reason = std::move(reason)});
        }
        if (wanted && !same) {
            const bool lower = wanted->to < wanted->from;
            auto reason = fmt::format(
                "{} to {}: {}", name_of(wanted->from), name_of(wanted->to), wanted->reason
            );
            known = std::move(wanted);
            note(
                LadderMove::proposed,
                standing(),
                {.rules = ids_of(lower ? missed_of(weights_.lowering()) : weights_.next),
                 .reason = std::move(reason)}
            );
            verdict_.transitions.back().from = known->from; // of the list: nothing moves by itself
            verdict_.transitions.back().to = known->to;
        }
    }

    /// What would have moved is told, and stays.
    void freeze(const LadderVerdict& before, const std::string& frozen) {
        std::string held;
        std::vector<std::string> rules;
        for (auto i = before.transitions.size(); i < verdict_.transitions.size(); ++i) {
            const auto& moved = verdict_.transitions[i];
            held += fmt::format("{}{}", held.empty() ? "" : ", ", name_of(moved.move));
            rules.insert(rules.end(), moved.rules.begin(), moved.rules.end());
        }
        verdict_ = before;
        if (!held.empty()) {
            note(
                LadderMove::frozen,
                standing(),
                {.rules = std::move(rules), .reason = fmt::format("{}: {}", held, frozen)}
            );
        }
    }

    void look_ahead() {
        if (!weights_.next.empty() && all_are(weights_.next, Met::yes)) {
            verdict_.ready_for = static_cast<Level>(static_cast<int>(facts_.listed) + 1);
        }
        if (facts_.listed > Level::l2) {
            verdict_.forecast = facts_.listed == Level::l3 && verdict_.ready_for
                                    ? "ready: level 4 is the upstream's choice"
                                    : "";
            return;
        }
        const auto& criteria = criteria_above(facts_.listed, profile_);
        auto met = first_met(criteria, facts_.history, as_of_, profile_.quantiles);
        if (criteria.empty() || !met) {
            verdict_.forecast = missed_text(weights_.next);
            return;
        }
        const auto day = facts_.history.day_length;
        const int more = *met == as_of_ ? profile_.raise_after - std::max(standing().ready, 0)
                                        : profile_.raise_after - 1;
        *met += std::max(more, 0) * day;
        if (standing().lowered_at) {
            met = std::max(*met, *standing().lowered_at + (profile_.cool_down * day));
        }
        verdict_.earliest = met;
        verdict_.forecast =
            verdict_.ready_for ? "every criterion is met"
                               : "if everything passes from now on, as often and as fast as it did";
    }

    const LadderFacts& facts_;
    const Profile& profile_;
    TimePoint as_of_;
    LadderWeights weights_;
    LadderVerdict verdict_;
};

} // namespace

LadderVerdict judge_level(
    const LadderFacts& facts, const Profile& profile, TimePoint as_of, const std::string& frozen
) {
    return Judge(facts, profile, as_of).judge(frozen);
}

} // namespace baton::domain
