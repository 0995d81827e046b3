#include "levels_print.hpp"

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/figure_text.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"
#include "baton/ports/levels.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/core.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "print.hpp"

namespace baton::program {

namespace json = boost::json;

namespace {

/// Time at a level is counted from its beginning, whatever the window.
std::string window_text(const domain::Criterion& criterion) {
    const bool is_tenure = criterion.figure == domain::Figure::tenure_l2 ||
                           criterion.figure == domain::Figure::tenure_l3;
    return is_tenure ? std::string() : fmt::format(" in {} days", criterion.window);
}

} // namespace

std::string asked_text(const domain::Criterion& criterion) {
    return fmt::format(
        "{} {}{}{}",
        name_of(criterion.comparison),
        figure_text(criterion.figure, criterion.target),
        window_text(criterion),
        criterion.bound == domain::Bound::none
            ? ""
            : fmt::format(" ({} bound)", name_of(criterion.bound))
    );
}

std::string measured_text(const domain::CriterionVerdict& verdict) {
    const auto& measured = verdict.measured;
    if (!measured.value) {
        return "unknown";
    }
    auto text = figure_text(verdict.criterion.figure, *measured.value);
    if (measured.lower && measured.upper) {
        text += fmt::format(" ({:.1f} to {:.1f})", *measured.lower * 100, *measured.upper * 100);
    }
    return text;
}

std::string level_text(const domain::LadderStanding& standing) {
    return standing.effective == standing.listed
               ? std::string(name_of(standing.listed))
               : fmt::format(
                     "{}, {} for now", name_of(standing.listed), name_of(standing.effective)
                 );
}

std::string date_text(TimePoint when) {
    constexpr std::size_t kDateBytes = 10;
    return to_rfc3339(when).substr(0, kDateBytes);
}

std::string criteria_table(const std::vector<domain::CriterionVerdict>& all) {
    Table table({"CRITERION", "FIGURE", "ASKED", "MEASURED", "N", "", "WHAT WOULD CHANGE IT"});
    for (const auto& one : all) {
        table.add(
            {one.criterion.id,
             std::string(name_of(one.criterion.figure)),
             asked_text(one.criterion),
             measured_text(one),
             std::to_string(one.measured.n),
             std::string(name_of(one.met)),
             one.advice.empty() ? "-" : one.advice}
        );
    }
    return table.text();
}

json::value time_json(const std::optional<TimePoint>& when) {
    return when ? json::value(to_rfc3339(*when)) : json::value(nullptr);
}

json::object transition_json(const domain::LadderTransition& moved) {
    json::array rules;
    for (const auto& rule : moved.rules) {
        rules.emplace_back(json_text(rule));
    }
    return {
        {"move", name_of(moved.move)},
        {"from_state", name_of(moved.from_state)},
        {"to_state", name_of(moved.to_state)},
        {"from", name_of(moved.from)},
        {"to", name_of(moved.to)},
        {"rules", rules},
        {"reason", json_text(moved.reason)},
    };
}

json::object json_of(const ports::KeptTransition& kept) {
    auto out = transition_json(kept.transition);
    out["id"] = kept.id;
    out["as_of"] = to_rfc3339(kept.as_of);
    out["at"] = to_rfc3339(kept.at);
    out["profile"] = json_text(kept.profile);
    out["digest"] = kept.digest;
    out["actor"] = json_text(kept.actor);
    out["pull_request"] =
        kept.pull.empty() ? json::value(nullptr) : json::value(json_text(kept.pull));
    return out;
}

json::object json_of(const domain::LadderStanding& standing) {
    json::object out{
        {"listed", name_of(standing.listed)},
        {"effective", name_of(standing.effective)},
        {"state", name_of(standing.state)},
        {"since", to_rfc3339(standing.since)},
        {"as_of", time_json(standing.as_of)},
        {"proposal", nullptr},
    };
    if (standing.proposal) {
        out["proposal"] = json::object{
            {"from", name_of(standing.proposal->from)},
            {"to", name_of(standing.proposal->to)},
            {"since", to_rfc3339(standing.proposal->since)},
            {"reason", json_text(standing.proposal->reason)},
        };
    }
    return out;
}

} // namespace baton::program
