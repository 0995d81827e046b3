#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/api/quality_json.hpp"
#include "baton/api/quality_seen.hpp"
#include "baton/base/result.hpp"
#include "baton/hud/quality.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/net/server.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/history.hpp"
#include "baton/quality/readings.hpp"
#include "baton/quality/score.hpp"
#include "baton/wire/gap_json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::api {

namespace json = boost::json;

namespace {

json::object cell_json(const hud::QualityCell& cell) {
    const auto& [path, set, assessment, score, gaps, findings] = *cell.of;
    return {
        {"release", quality::to_text(assessment.release)},
        {"grade", level_name(*set, score.level)},
        {"rank", score.level},
        {"potential_grade", level_name(*set, score.potential_level)},
        {"proven", score.proven},
        {"potential", score.potential},
        {"max", score.max},
        {"exempt", score.exempt},
        {"p0", p0_json(score.p0)},
        {"reading_sensitive", score.reading_sensitive},
        {"status", name_of(assessment.assessed.status)},
        {"assessed_on", day_json(assessment.assessed.on)},
        {"documented", level_name(*set, cell.documented)},
        {"documented_rank", cell.documented},
        {"decision", decision_json(assessment.decision)},
        {"expired", cell.expired},
        {"errors", cell.errors},
        {"warnings", cell.warnings},
    };
}

json::value trend_json(const std::optional<hud::QualityTrend>& trend) {
    if (!trend) {
        return nullptr;
    }
    return json::object{
        {"since", quality::to_text(trend->since)},
        {"ranks", trend->ranks},
        {"proven", trend->proven},
    };
}

json::object line_json(const hud::QualityLine& line) {
    const auto& newest = line.newest();
    const auto& platform = newest.assessment.platform;
    return {
        {"id", platform.id},
        {"name", platform.name},
        {"vendor", platform.vendor},
        {"class", platform.family},
        {"os", platform.os},
        {"device", platform.backend.device},
        {"repo", platform.backend.repo},
        {"downstream", line.downstream ? json::value(line.downstream->text()) : nullptr},
        {"set", newest.set->set},
        {"version", newest.set->version},
        {"levels", levels_json(*newest.set)},
        {"documented", level_name(*newest.set, line.documented)},
        {"documented_rank", line.documented},
        {"stale", line.stale},
        {"trend", trend_json(line.trend)},
        {"due", day_json(newest.assessment.process.due)},
        {"overdue", line.overdue},
        {"releases", array_of(line.releases, cell_json)},
    };
}

json::object reached_json(const hud::QualityReached& reached) {
    json::array levels;
    for (std::size_t at = 0; at < reached.platforms.size(); ++at) {
        const auto& level = reached.set->levels[at];
        levels.push_back(json::object{
            {"rank", level.rank}, {"name", level.name}, {"platforms", reached.platforms[at]}
        });
    }
    return {{"criteria", quality::label_of(*reached.set)}, {"levels", std::move(levels)}};
}

/// One release of the history; what was assessed has its points beside it.
json::object point_json(const hud::QualityLine& line, const quality::HistoryPoint& point) {
    const auto& set = *line.newest().set;
    const auto cell = std::ranges::find_if(line.releases, [&](const hud::QualityCell& one) {
        return point.rank && one.of->assessment.release == point.release;
    });
    const bool assessed = cell != line.releases.end();
    return {
        {"release", quality::to_text(point.release)},
        {"grade", point.rank ? json::value(level_name(set, *point.rank)) : nullptr},
        {"rank", point.rank ? json::value(*point.rank) : nullptr},
        {"documented", level_name(set, point.documented)},
        {"documented_rank", point.documented},
        {"stale", point.stale},
        {"proven", assessed ? json::value(cell->of->score.proven) : nullptr},
        {"max", assessed ? json::value(cell->of->score.max) : nullptr},
        {"p0", assessed ? json::value(p0_json(cell->of->score.p0)) : nullptr},
    };
}

json::object process_json(const hud::QualityLine& line) {
    const auto& process = line.newest().assessment.process;
    return {
        {"steps",
         array_of(
             hud::process_of(process),
             [](const quality::ProcessEntry& entry) {
                 return json::object{
                     {"step", quality::name_of(entry.step)},
                     {"on", day_json(entry.on)},
                     {"link", safe_link(entry.link)},
                     {"outcome", entry.outcome},
                 };
             }
         )},
        {"due", day_json(process.due)},
        {"overdue", line.overdue},
    };
}

json::object criteria_line_json(const hud::ShelvedCriteria& one, const hud::QualityShelf& shelf) {
    const auto& set = one.set;
    const auto follows = [&set](const auto& platform) {
        return platform.second.rbegin()->second.set == &set;
    };
    return {
        {"set", set.set},
        {"version", set.version},
        {"title", set.title},
        {"items", set.items.size()},
        {"rows_total", set.rows_total()},
        {"printed_total", set.printed_total ? json::value(*set.printed_total) : nullptr},
        {"levels",
         array_of(set.levels, [](const quality::Level& level) { return json::value(level.name); })},
        {"builtin", one.builtin},
        {"platforms", std::ranges::count_if(shelf.platforms, follows)},
        {"digest", set.digest},
    };
}

std::string_view missing_name(quality::Missing missing) {
    switch (missing) {
    case quality::Missing::carry:
        return "carry";
    case quality::Missing::fail:
        return "fail";
    case quality::Missing::break_pair:
        break;
    }
    return "break";
}

template <class Map> json::array pairs_json(const Map& all, std::string_view key) {
    json::array pairs;
    for (const auto& [name, value] : all) {
        pairs.push_back(json::object{{"name", name}, {key, value}});
    }
    return pairs;
}

json::object source_json(const quality::Source& source) {
    return {
        {"repo", source.repo},
        {"pull", source.pull == 0 ? json::value(nullptr) : json::value(source.pull)},
        {"commit", source.commit},
        {"url", safe_link(source.url)},
    };
}

json::object section_json(const quality::CriteriaSet& set, const quality::Section& section) {
    return {
        {"id", section.id},
        {"title", section.title},
        {"rows", set.rows_of(section.id)},
        {"printed", section.printed ? json::value(*section.printed) : nullptr},
    };
}

json::object rules_json(const hud::ShelvedAssessment& one) {
    return {
        {"printed_total", one.set->total(quality::Base::printed)},
        {"rows_total", one.set->rows_total()},
        {"exempt", name_of(one.set->exempt)},
        {"reading", quality::name_of(one.score.reading)},
    };
}

json::object assessed_json(const quality::Assessed& assessed) {
    return {
        {"on", day_json(assessed.on)},
        {"by", texts_json(assessed.by)},
        {"status", name_of(assessed.status)},
        {"requests", assessed.requests},
    };
}

} // namespace

Answer quality(Around around, net::Request /*request*/) {
    const auto shelf = around->quality();
    const auto list = hud::quality_list_of(*shelf, around->desk.shown(), today(around));
    co_return json::object{
        {"configured", shelf->configured},
        {"releases",
         array_of(
             list.releases,
             [](quality::Release release) { return json::value(quality::to_text(release)); }
         )},
        {"rows", array_of(list.lines, line_json)},
        {"reached", array_of(list.reached, reached_json)},
        {"faulty", files_json(shelf->faulty_assessments)},
    };
}

Answer quality_platform(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto id, query.captured(0));
    BATON_CO_TRY(const auto seen, platform_seen(around, id));
    const auto& line = seen.line;
    const auto& newest = line.newest();
    const auto& platform = newest.assessment.platform;
    co_return json::object{
        {"platform", line_json(line)},
        {"product_version", platform.version},
        {"backend_kind", platform.backend.kind},
        {"package", platform.backend.package},
        {"stack", pairs_json(platform.stack, "version")},
        {"hardware", texts_json(platform.hardware)},
        {"targets", texts_json(platform.targets)},
        {"release", quality::to_text(newest.assessment.release)},
        {"score", score_json(*newest.set, newest.score)},
        {"history",
         array_of(
             line.history,
             [&line](const quality::HistoryPoint& point) { return point_json(line, point); }
         )},
        {"consecutive", newest.set->history.consecutive},
        {"process", process_json(line)},
        {"support",
         array_of(
             newest.assessment.support,
             [](const quality::SupportEntry& entry) {
                 return json::object{
                     {"feature", entry.feature},
                     {"support", quality::name_of(entry.support)},
                     {"note", entry.note},
                 };
             }
         )},
    };
}

Answer quality_release(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto id, query.captured(0));
    BATON_CO_TRY(const auto name, query.captured(1));
    BATON_CO_TRY(const auto seen, platform_seen(around, id));
    BATON_CO_TRY(const auto* const one, assessment_of(seen, name));
    const auto& [path, set, assessment, score, gaps, findings] = *one;
    co_return json::object{
        {"platform", line_json(seen.line)},
        {"release", quality::to_text(assessment.release)},
        {"released", day_json(assessment.released)},
        {"assessed", assessed_json(assessment.assessed)},
        {"criteria",
         json::object{
             {"set", set->set},
             {"version", set->version},
             {"title", set->title},
             {"digest", set->digest},
         }},
        {"digest", assessment.digest},
        {"path", path},
        {"decision", decision_json(assessment.decision)},
        {"levels", levels_json(*set)},
        {"rules", rules_json(*one)},
        {"score", score_json(*set, score)},
        {"items",
         array_of(
             score.items,
             [one, &seen](const quality::ItemScore& item) {
                 return item_json(*one, item, seen.day);
             }
         )},
        {"gaps",
         array_of(gaps, [set](const quality::Gap& gap) { return wire::gap_object(*set, gap); })},
        {"interpretations",
         array_of(
             hud::interpretations_of(*set),
             [](const hud::QualityInterpretation& rests) {
                 return json::object{{"number", rests.number}, {"items", texts_json(rests.items)}};
             }
         )},
        {"findings", findings_json(findings)},
    };
}

Answer quality_criteria_list(Around around, net::Request /*request*/) {
    const auto shelf = around->quality();
    co_return json::object{
        {"rows",
         array_of(
             shelf->criteria,
             [&shelf](const auto& one) { return criteria_line_json(one.second, *shelf); }
         )},
        {"faulty", files_json(shelf->faulty_criteria)},
    };
}

Answer quality_criteria(Around around, net::Request request) {
    const HudQuery query(request);
    BATON_CO_TRY(const auto name, query.captured(0));
    BATON_CO_TRY(const auto version, query.captured(1));
    const auto shelf = around->quality();
    BATON_CO_TRY(const auto* const found, criteria_in(*shelf, name, version));
    const auto& set = found->set;
    co_return json::object{
        {"criteria", criteria_line_json(*found, *shelf)},
        {"text", set.text},
        {"source", source_json(set.source)},
        {"levels", levels_json(set)},
        {"reading", quality::name_of(set.reading)},
        {"exempt", name_of(set.exempt)},
        {"history",
         json::object{
             {"consecutive", set.history.consecutive},
             {"missing", missing_name(set.history.missing)},
         }},
        {"sections",
         array_of(
             set.sections,
             [&set](const quality::Section& section) { return section_json(set, section); }
         )},
        {"items", array_of(set.items, criterion_json)},
        {"parameters", pairs_json(set.parameters, "value")},
        {"reserved",
         array_of(
             set.reserved,
             [](const quality::Reserved& one) {
                 return json::object{{"id", one.id}, {"why", one.why}};
             }
         )},
        {"findings", findings_json(found->findings)},
    };
}

} // namespace baton::api
