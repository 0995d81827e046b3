#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/figure_text.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/profile.hpp"
#include "baton/hud/levels.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/levels.hpp"
#include "baton/wire/ladder_json.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::api {

namespace json = boost::json;

namespace {

json::value level_or_null(std::optional<domain::Level> level) {
    return level ? json::value(domain::name_of(*level)) : json::value(nullptr);
}

json::array texts_json(const std::vector<std::string>& texts) {
    return array_of(texts, [](const std::string& text) { return json::value(text); });
}

json::object measure_json(const domain::Measured& measured) {
    return {
        {"value", json_of(measured.value)},
        {"n", measured.n},
        {"lower", json_of(measured.lower)},
        {"upper", json_of(measured.upper)},
    };
}

json::object figure_json(const domain::CriterionVerdict& verdict) {
    const auto& criterion = verdict.criterion;
    return {
        {"id", criterion.id},
        {"figure", domain::name_of(criterion.figure)},
        {"window", criterion.window},
        {"comparison", domain::name_of(criterion.comparison)},
        {"target", criterion.target},
        {"unit", domain::name_of(domain::unit_of(criterion.figure))},
        {"bound", domain::name_of(criterion.bound)},
        {"measured", json_of(verdict.measured.value)},
        {"n", verdict.measured.n},
        {"lower", json_of(verdict.measured.lower)},
        {"upper", json_of(verdict.measured.upper)},
        {"met", domain::name_of(verdict.met)},
    };
}

json::object point_json(const hud::LevelCriterion::Point& point) {
    return {
        {"as_of", to_rfc3339(point.as_of)},
        {"value", json_of(point.value)},
        {"n", point.n},
        {"met", domain::name_of(point.met)},
    };
}

json::object criterion_json(const hud::LevelCriterion& criterion) {
    auto shown = figure_json(criterion.verdict);
    shown["kind"] = criterion.kind;
    shown["text"] = criterion.verdict.criterion.text;
    shown["least"] = criterion.verdict.criterion.least;
    shown["advice"] = criterion.verdict.advice;
    shown["trend"] = array_of(criterion.trend, point_json);
    return shown;
}

json::value address_json(const std::string& url) {
    return url.empty() ? json::value(nullptr) : json::value(url);
}

json::value
proposal_json(const std::optional<domain::LevelProposal>& proposal, const std::string& pull) {
    if (!proposal) {
        return nullptr;
    }
    return json::object{
        {"from", domain::name_of(proposal->from)},
        {"to", domain::name_of(proposal->to)},
        {"since", to_rfc3339(proposal->since)},
        {"reason", proposal->reason},
        {"pull_request", address_json(pull)},
    };
}

json::object streaks_json(const domain::LadderStanding& standing) {
    return {
        {"violated", standing.violated},
        {"clean", standing.clean},
        {"ready", standing.ready < 0 ? 0 : standing.ready},
    };
}

json::object line_json(const hud::LevelLine& line) {
    const auto& standing = line.standing;
    const auto evaluated = [&standing](TimePoint when) {
        return standing.as_of ? json::value(to_rfc3339(when)) : json::value(nullptr);
    };
    return {
        {"upstream", line.upstream.text()},
        {"repo", line.listed.repo.text()},
        {"device", line.listed.device},
        {"level", domain::name_of(standing.listed)},
        {"effective_level", domain::name_of(standing.effective)},
        {"state", domain::name_of(standing.state)},
        {"since", evaluated(standing.since)},
        {"as_of", json_of(standing.as_of)},
        {"reason", line.reason},
        {"rules", texts_json(line.rules)},
        {"violated", line.violated},
        {"insufficient", line.insufficient},
        {"frozen", line.frozen},
        {"streaks", streaks_json(standing)},
        {"next_level", level_or_null(line.next_level)},
        {"met", line.met},
        {"asked", line.asked},
        {"ready_for", level_or_null(line.ready_for)},
        {"proposal", proposal_json(standing.proposal, line.pull)},
        {"earliest", json_of(line.earliest)},
        {"forecast", line.forecast},
        {"tenure_days", line.tenure_days ? json::value(*line.tenure_days) : json::value(nullptr)},
    };
}

json::object profile_json(const domain::Profile& profile) {
    return {
        {"label", domain::label_of(profile)},
        {"text", profile.text},
        {"temporary_after", profile.temporary_after},
        {"temporary_events", profile.temporary_events},
        {"restore_after", profile.restore_after},
        {"raise_after", profile.raise_after},
        {"lower_after", profile.lower_after},
        {"cool_down", profile.cool_down},
        {"excluded_max", profile.excluded_max},
    };
}

json::object upstream_json(const hud::LevelUpstream& upstream) {
    return {
        {"upstream", upstream.upstream.text()},
        {"as_of", json_of(upstream.as_of)},
        {"next_at", json_of(upstream.next_at)},
        {"day_ms", upstream.day_length.count()},
        {"profile", profile_json(upstream.profile)},
        {"frozen", upstream.frozen},
    };
}

/// Figures that an older version wrote and this one cannot read are left out.
json::object move_json(const ports::KeptTransition& kept) {
    const auto& move = kept.transition;
    const auto figures = wire::read_figures(kept.figures);
    return {
        {"id", kept.id},
        {"at", to_rfc3339(kept.at)},
        {"as_of", to_rfc3339(kept.as_of)},
        {"upstream", kept.upstream.text()},
        {"downstream", kept.downstream.text()},
        {"move", domain::name_of(move.move)},
        {"from_state", domain::name_of(move.from_state)},
        {"to_state", domain::name_of(move.to_state)},
        {"from_level", domain::name_of(move.from)},
        {"to_level", domain::name_of(move.to)},
        {"rules", texts_json(move.rules)},
        {"reason", move.reason},
        {"figures", figures ? array_of(*figures, figure_json) : json::array()},
        {"digest", kept.digest},
        {"profile", kept.profile},
        {"actor", kept.actor},
        {"pull_request", address_json(kept.pull)},
    };
}

json::object rates_json(const hud::LevelRates& rates) {
    return {
        {"window", rates.window},
        {"raw", measure_json(rates.raw)},
        {"adjusted", measure_json(rates.adjusted)},
        {"run", measure_json(rates.run)},
        {"excluded", measure_json(rates.excluded)},
    };
}

json::object red_json(const ports::RedOutcome& red, const RepoName& upstream) {
    return {
        {"at", to_rfc3339(red.sent_at)},
        {"number", number_or_null(red.pr)},
        {"sha", red.head.text()},
        {"event_type", red.event_type},
        {"workflow", red.workflow},
        {"job", red.job},
        {"outcome", domain::name_of(red.outcome)},
        {"rule", domain::name_of(red.rule)},
        {"provisional", red.provisional},
        {"evidence", red.evidence},
        {"link",
         red.pr ? fmt::format(
                      "/pr/{}/{}?sha={}",
                      upstream.text(),
                      static_cast<std::int64_t>(*red.pr),
                      red.head.text()
                  )
                : std::string()},
    };
}

json::value exclusions_json(const hud::LevelPage& page) {
    if (!page.reds) {
        return nullptr;
    }
    json::array rules;
    std::size_t excluded = 0;
    for (const auto& one : page.reds->by_rule) {
        excluded += one.excluded;
        rules.push_back(json::object{
            {"rule", domain::name_of(one.rule)}, {"red", one.red}, {"excluded", one.excluded}
        });
    }
    return json::object{
        {"window", ports::kRedDays},
        {"from", to_rfc3339(page.reds->window.from)},
        {"until", to_rfc3339(page.reds->window.until)},
        {"excluded", excluded},
        {"decided", page.decided},
        {"by_rule", std::move(rules)},
        {"newest",
         array_of(
             page.reds->newest,
             [&page](const ports::RedOutcome& red) { return red_json(red, page.line.upstream); }
         )},
    };
}

} // namespace

Answer levels(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(auto upstream, upstream_in(query, around));
    BATON_CO_TRY(const auto list, co_await around->desk.levels(std::move(upstream)));
    co_return json::object{
        {"upstreams", array_of(list.upstreams, upstream_json)},
        {"rows", array_of(list.lines, line_json)},
    };
}

Answer level(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(auto downstream, query.captured_repo(0));
    BATON_CO_TRY(auto upstream, upstream_in(query, around));
    BATON_CO_TRY(
        const auto page, co_await around->desk.level(std::move(downstream), std::move(upstream))
    );
    co_return json::object{
        {"evaluation", upstream_json(page.evaluation)},
        {"standing", line_json(page.line)},
        {"next", array_of(page.next, criterion_json)},
        {"demotion", array_of(page.demotion, criterion_json)},
        {"rates", array_of(page.rates, rates_json)},
        {"exclusions", exclusions_json(page)},
        {"history", array_of(page.history, move_json)},
    };
}

Answer level_transitions(Around around, net::Request request) {
    const HudQuery query(request);
    ports::TransitionQuery wanted;
    BATON_CO_TRY(wanted.upstream, upstream_in(query, around));
    BATON_CO_TRY(wanted.downstream, query.repository("downstream"));
    BATON_CO_TRY(wanted.before, query.number("cursor"));
    BATON_CO_TRY(wanted.limit, query.limit());
    BATON_CO_TRY(const auto page, co_await around->desk.moves(std::move(wanted)));
    co_return json::object{
        {"rows", array_of(page.rows, move_json)},
        {"next", cursor_behind(page.next.has_value(), std::to_string(page.next.value_or(0)))},
    };
}

} // namespace baton::api
