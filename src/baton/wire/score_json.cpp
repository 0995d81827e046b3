#include "baton/wire/score_json.hpp"

#include "baton/quality/assessment.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/readings.hpp"
#include "baton/quality/score.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

namespace json = boost::json;

json::value text_or_null(std::string_view text) {
    return text.empty() ? json::value(nullptr) : json::value(text);
}

json::array texts(const std::vector<std::string>& all) {
    json::array out;
    for (const auto& text : all) {
        out.emplace_back(text);
    }
    return out;
}

json::object reading_json(const quality::CriteriaSet& set, const quality::ReadingScore& reading) {
    json::object thresholds;
    for (const auto& threshold : reading.thresholds) {
        thresholds[level_name(set, threshold.rank)] = threshold.points;
    }
    return {
        {"level", level_name(set, reading.level)},
        {"rank", reading.level},
        {"potential_level", level_name(set, reading.potential_level)},
        {"total", reading.total},
        {"thresholds", std::move(thresholds)},
    };
}

json::object item_json(
    const quality::CriteriaSet& set,
    const quality::Assessment& assessment,
    const quality::ItemScore& item
) {
    json::array evidence;
    std::string_view claimed;
    if (const auto* const claim = assessment.claim(item.id)) {
        claimed = name_of(claim->kind);
        for (const auto& reference : claim->evidence) {
            evidence.emplace_back(reference.id);
        }
    }
    return {
        {"id", item.id},
        {"section", item.section},
        {"title", set.find(item.id)->title},
        {"priority", name_of(item.priority)},
        {"claim", text_or_null(claimed)},
        {"state", name_of(item.state)},
        {"proven", item.proven},
        {"potential", item.potential},
        {"max", item.max},
        {"exempt", item.exempt},
        {"earned", texts(item.earned)},
        {"before_review", item.before_review ? json::value(*item.before_review) : nullptr},
        {"evidence", std::move(evidence)},
        {"note", text_or_null(item.note)},
    };
}

} // namespace

json::array warnings_json(const quality::Score& score) {
    json::array all;
    for (const auto& warning : score.warnings) {
        all.emplace_back(json::object{{"item", warning.item}, {"text", warning.text}});
    }
    return all;
}

json::object section_json(const quality::SectionScore& section) {
    return {
        {"id", section.id},
        {"title", section.title},
        {"proven", section.proven},
        {"potential", section.potential},
        {"max", section.max},
        {"exempt", section.exempt},
    };
}

json::object score_object(
    const quality::CriteriaSet& set,
    const quality::Assessment& assessment,
    const quality::Score& score
) {
    json::object readings;
    for (const auto& reading : score.readings) {
        readings[name_of(reading.reading)] = reading_json(set, reading);
    }
    json::array sections;
    for (const auto& section : score.sections) {
        sections.emplace_back(section_json(section));
    }
    json::array items;
    for (const auto& item : score.items) {
        items.emplace_back(item_json(set, assessment, item));
    }
    json::value decision(nullptr);
    if (assessment.decision) {
        decision = json::object{
            {"level", assessment.decision->level},
            {"on",
             assessment.decision->on ? json::value(quality::to_text(*assessment.decision->on))
                                     : nullptr},
            {"by", text_or_null(assessment.decision->by)},
            {"link", text_or_null(assessment.decision->link)},
        };
    }
    return {
        {"schema", "cpq-result/1"},
        {"criteria", json::object{{"label", label_of(set)}, {"digest", set.digest}}},
        {"platform", assessment.platform.id},
        {"name", assessment.platform.name},
        {"release", to_text(assessment.release)},
        {"assessment", assessment.digest},
        {"proven", score.proven},
        {"potential", score.potential},
        {"max", score.max},
        {"printed", set.printed_total ? json::value(*set.printed_total) : nullptr},
        {"exempt", score.exempt},
        {"level", level_name(set, score.level)},
        {"rank", score.level},
        {"potential_level", level_name(set, score.potential_level)},
        {"reading", name_of(score.reading)},
        {"reading_sensitive", score.reading_sensitive},
        {"readings", std::move(readings)},
        {"p0",
         json::object{
             {"met", score.p0.met}, {"total", score.p0.total}, {"open", texts(score.p0.open)}
         }},
        {"warnings", warnings_json(score)},
        {"sections", std::move(sections)},
        {"items", std::move(items)},
        {"decision", std::move(decision)},
    };
}

std::string score_json(
    const quality::CriteriaSet& set,
    const quality::Assessment& assessment,
    const quality::Score& score
) {
    return json::serialize(score_object(set, assessment, score));
}

} // namespace baton::wire
