#include "baton/wire/ladder_json.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/figure_text.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"
#include "baton/wire/json_text.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

namespace {

using domain::CriterionVerdict;
using domain::LadderStanding;
using domain::LadderTransition;

/// An object whose members stand in the order they are put.
class Object {
public:
    Object& put(std::string_view key, std::string_view json) {
        text_ += fmt::format("{}{}:{}", text_.empty() ? "" : ",", json_quoted(key), json);
        return *this;
    }

    Object& text(std::string_view key, std::string_view text) {
        return put(key, json_quoted(text));
    }

    Object& flag(std::string_view key, bool flag) { return put(key, flag ? "true" : "false"); }

    /// The shortest digits that read as the same number.
    template <class T> Object& number(std::string_view key, T number) {
        return put(key, fmt::format("{}", number));
    }

    Object& number(std::string_view key, const std::optional<double>& number) {
        return put(key, number ? fmt::format("{}", *number) : "null");
    }

    Object& time(std::string_view key, const std::optional<TimePoint>& time) {
        return put(key, time ? json_quoted(to_rfc3339(*time)) : "null");
    }

    std::string take() const { return "{" + text_ + "}"; }

private:
    std::string text_;
};

template <class T, class Print> std::string array_of(const std::vector<T>& all, Print print) {
    std::string text;
    for (const auto& one : all) {
        text += (text.empty() ? "" : ",") + print(one);
    }
    return "[" + text + "]";
}

std::string criterion_json(const CriterionVerdict& one) {
    const auto& of = one.criterion;
    return Object()
        .text("id", of.id)
        .text("figure", name_of(of.figure))
        .text("unit", name_of(unit_of(of.figure)))
        .number("window", of.window)
        .text("comparison", name_of(of.comparison))
        .number("target", of.target)
        .number("least", of.least)
        .text("bound", name_of(of.bound))
        .text("text", of.text)
        .number("value", one.measured.value)
        .number("n", one.measured.n)
        .number("lower", one.measured.lower)
        .number("upper", one.measured.upper)
        .text("met", name_of(one.met))
        .text("advice", one.advice)
        .take();
}

std::string proposal_json(const std::optional<domain::LevelProposal>& proposal) {
    if (!proposal) {
        return "null";
    }
    return Object()
        .text("from", name_of(proposal->from))
        .text("to", name_of(proposal->to))
        .time("since", proposal->since)
        .text("reason", proposal->reason)
        .take();
}

std::string standing_json(const LadderStanding& standing) {
    const auto time = [](TimePoint when) { return json_quoted(to_rfc3339(when)); };
    return Object()
        .text("listed", name_of(standing.listed))
        .text("effective", name_of(standing.effective))
        .text("state", name_of(standing.state))
        .time("since", standing.since)
        .time("as_of", standing.as_of)
        .number("violated", standing.violated)
        .number("clean", standing.clean)
        .number("ready", standing.ready)
        .put("temporaries", array_of(standing.temporaries, time))
        .time("raised_at", standing.raised_at)
        .time("lowered_at", standing.lowered_at)
        .put("proposal", proposal_json(standing.proposal))
        .take();
}

std::string transition_json(const LadderTransition& moved) {
    return Object()
        .text("move", name_of(moved.move))
        .text("from_state", name_of(moved.from_state))
        .text("to_state", name_of(moved.to_state))
        .text("from", name_of(moved.from))
        .text("to", name_of(moved.to))
        .put("rules", array_of(moved.rules, [](const auto& id) { return json_quoted(id); }))
        .text("reason", moved.reason)
        .take();
}

} // namespace

std::string verdict_json(const domain::LadderVerdict& verdict) {
    const auto ready = verdict.ready_for ? json_quoted(name_of(*verdict.ready_for)) : "null";
    return Object()
        .time("as_of", verdict.as_of)
        .put("standing", standing_json(verdict.standing))
        .flag("violated", verdict.violated)
        .flag("insufficient", verdict.insufficient)
        .put("ready_for", ready)
        .time("earliest", verdict.earliest)
        .text("forecast", verdict.forecast)
        .put("demotion", array_of(verdict.demotion, criterion_json))
        .put("next", array_of(verdict.next, criterion_json))
        .put("transitions", array_of(verdict.transitions, transition_json))
        .take();
}

std::string figures_json(const std::vector<CriterionVerdict>& criteria) {
    return Object().put("criteria", array_of(criteria, criterion_json)).take();
}

} // namespace baton::wire
