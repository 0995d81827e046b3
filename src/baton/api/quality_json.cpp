#include "baton/api/quality_json.hpp"

#include "baton/api/hud_json.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/readings.hpp"
#include "baton/quality/score.hpp"
#include "baton/wire/score_json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace baton::api {

namespace json = boost::json;

namespace {

json::value number_or_null(std::optional<int> number) {
    return number ? json::value(*number) : json::value(nullptr);
}

json::object finding_json(const quality::Finding& finding) {
    return {
        {"code", finding.code},
        {"severity", finding.severity == quality::Severity::error ? "error" : "warning"},
        {"line", std::max(0, finding.at.line)},
        {"column", std::max(0, finding.at.column)},
        {"message", finding.message},
        {"hint", finding.hint},
    };
}

json::object level_json(const quality::Level& level) {
    const auto& asked = level.require;
    return {
        {"rank", level.rank},
        {"name", level.name},
        {"promise", level.promise},
        {"require",
         json::object{
             {"all_priority",
              asked.all_priority ? json::value(quality::name_of(*asked.all_priority))
                                 : json::value(nullptr)},
             {"percent", number_or_null(asked.percent)},
             {"points", number_or_null(asked.points)},
             {"items", texts_json(asked.items)},
         }},
    };
}

json::object reading_json(const quality::CriteriaSet& set, const quality::ReadingScore& reading) {
    return {
        {"reading", quality::name_of(reading.reading)},
        {"total", reading.total},
        {"grade", level_name(set, reading.level)},
        {"rank", reading.level},
        {"potential_grade", level_name(set, reading.potential_level)},
        {"potential_rank", reading.potential_level},
        {"thresholds",
         array_of(
             reading.thresholds,
             [&set](const quality::Threshold& threshold) {
                 return json::object{
                     {"rank", threshold.rank},
                     {"level", level_name(set, threshold.rank)},
                     {"points", threshold.points},
                 };
             }
         )},
    };
}

int total_of(const quality::Score& score) {
    const auto chosen =
        std::ranges::find(score.readings, score.reading, &quality::ReadingScore::reading);
    return chosen == score.readings.end() ? score.max : chosen->total;
}

} // namespace

json::value day_json(std::optional<quality::Day> day) {
    return day ? json::value(quality::to_text(*day)) : json::value(nullptr);
}

json::array texts_json(const std::vector<std::string>& texts) {
    return array_of(texts, [](const std::string& text) { return json::value(text); });
}

json::array findings_json(std::span<const quality::Finding> findings) {
    return array_of(findings, finding_json);
}

json::array files_json(const std::vector<hud::FaultyFile>& files) {
    return array_of(files, [](const hud::FaultyFile& file) {
        return json::object{{"path", file.path}, {"findings", findings_json(file.findings)}};
    });
}

json::array levels_json(const quality::CriteriaSet& set) {
    return array_of(set.levels, level_json);
}

json::object p0_json(const quality::P0Score& p0) {
    return {{"met", p0.met}, {"total", p0.total}, {"open", texts_json(p0.open)}};
}

json::object score_json(const quality::CriteriaSet& set, const quality::Score& score) {
    return {
        {"proven", score.proven},
        {"potential", score.potential},
        {"max", score.max},
        {"exempt", score.exempt},
        {"p0", p0_json(score.p0)},
        {"warnings", wire::warnings_json(score)},
        {"grade", level_name(set, score.level)},
        {"rank", score.level},
        {"potential_grade", level_name(set, score.potential_level)},
        {"potential_rank", score.potential_level},
        {"reading", quality::name_of(score.reading)},
        {"reading_sensitive", score.reading_sensitive},
        {"percent", quality::percent_text(score.proven, total_of(score))},
        {"readings",
         array_of(
             score.readings,
             [&set](const quality::ReadingScore& reading) { return reading_json(set, reading); }
         )},
        {"sections", array_of(score.sections, wire::section_json)},
    };
}

json::value decision_json(const std::optional<quality::Decision>& decision) {
    if (!decision) {
        return nullptr;
    }
    return json::object{
        {"level", decision->level},
        {"on", day_json(decision->on)},
        {"by", decision->by},
        {"link", safe_link(decision->link)},
    };
}

std::string_view name_of(quality::Status status) {
    switch (status) {
    case quality::Status::submitted:
        return "submitted";
    case quality::Status::reviewed:
        return "reviewed";
    case quality::Status::decided:
        return "decided";
    case quality::Status::draft:
        break;
    }
    return "draft";
}

std::string_view name_of(quality::ExemptPoints exempt) {
    switch (exempt) {
    case quality::ExemptPoints::credit:
        return "credit";
    case quality::ExemptPoints::zero:
        return "zero";
    case quality::ExemptPoints::exclude:
        break;
    }
    return "exclude";
}

} // namespace baton::api
