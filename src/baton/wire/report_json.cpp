#include "baton/wire/report_json.hpp"

#include "baton/quality/assessment.hpp"
#include "baton/quality/calendar.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/report.hpp"
#include "baton/quality/score.hpp"
#include "baton/quality/trust.hpp"
#include "baton/wire/gap_json.hpp"
#include "baton/wire/score_json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

namespace json = boost::json;
using quality::Report;

template <class T> json::value or_null(const std::optional<T>& value) {
    return value ? json::value(*value) : json::value(nullptr);
}

json::value day_or_null(const std::optional<quality::Day>& day) {
    return day ? json::value(quality::to_text(*day)) : json::value(nullptr);
}

json::array texts(const std::vector<std::string>& all) {
    json::array out;
    for (const auto& text : all) {
        out.emplace_back(text);
    }
    return out;
}

json::array evidence_json(const Report& report) {
    json::array out;
    for (const auto& item : report.items) {
        for (const auto& use : item.evidence) {
            out.emplace_back(json::object{
                {"id", use.evidence->id},
                {"item", item.item->id},
                {"type", use.evidence->type},
                {"public", use.evidence->open},
                {"trust", quality::tier_of(quality::trust_of(*use.evidence))},
                {"age_days", or_null(use.age_days)},
                {"expires", day_or_null(use.expires)},
                {"expired", use.expired},
            });
        }
    }
    return out;
}

json::array metrics_json(const Report& report) {
    json::array out;
    for (const auto& metric : report.metrics) {
        out.emplace_back(json::object{
            {"item", metric.item},
            {"metric", metric.name},
            {"value", metric.value},
            {"asked", metric.asked},
            {"state", name_of(metric.state)},
            {"n", or_null(metric.n)},
            {"permille", or_null(metric.permille)},
            {"low_permille", or_null(metric.low_permille)},
            {"high_permille", or_null(metric.high_permille)},
        });
    }
    return out;
}

json::object record_json(const quality::Assessment& assessment) {
    json::object support;
    for (const auto& entry : assessment.support) {
        support[entry.feature] =
            json::object{{"support", name_of(entry.support)}, {"note", entry.note}};
    }
    json::array steps;
    for (const auto& entry : assessment.process.steps) {
        steps.emplace_back(json::object{
            {"step", name_of(entry.step)},
            {"on", day_or_null(entry.on)},
            {"link", entry.link},
            {"outcome", entry.outcome},
        });
    }
    return {
        {"support", std::move(support)},
        {"process",
         json::object{{"due", day_or_null(assessment.process.due)}, {"steps", std::move(steps)}}},
    };
}

json::value listed_json(const std::optional<quality::CalendarRelease>& listed) {
    if (!listed) {
        return nullptr;
    }
    return json::object{
        {"release", quality::to_text(listed->release)},
        {"on", quality::to_text(listed->on)},
        {"planned", listed->planned},
    };
}

json::object points_json(const quality::Points& points) {
    return {{"proven", points.proven}, {"potential", points.potential}, {"max", points.max}};
}

json::object change_json(const quality::LevelChange& change) {
    return {{"before", change.before}, {"after", change.after}};
}

} // namespace

json::object changes_object(const quality::Changes& changes) {
    json::array items;
    for (const auto& item : changes.items) {
        items.emplace_back(json::object{
            {"item", item.item},
            {"title", item.title},
            {"before", points_json(item.before)},
            {"after", points_json(item.after)},
            {"difference", item.after.proven - item.before.proven},
            {"cause", name_of(item.cause)},
            {"detail", item.detail},
        });
    }
    return {
        {"schema", "cpq-diff/1"},
        {"from", to_text(changes.from)},
        {"to", to_text(changes.to)},
        {"level", change_json(changes.level)},
        {"documented", changes.documented ? json::value(change_json(*changes.documented)) : nullptr
        },
        {"criteria", change_json(changes.criteria)},
        {"before", points_json(changes.before)},
        {"after", points_json(changes.after)},
        {"items", std::move(items)},
    };
}

std::string report_json(const Report& report) {
    auto out = score_object(report.set, report.assessment, report.score);
    out["as_of"] = quality::to_text(report.as_of);
    out["stale"] = report.expired;
    out["documented"] = json::object{
        {"level", quality::level_name(report.set, report.documented.rank)},
        {"rank", report.documented.rank},
        {"stale", report.documented.stale},
        {"in_a_row", report.documented.in_a_row},
        {"needed", report.documented.needed},
        {"earliest", listed_json(report.documented.earliest)},
    };
    out["evidence"] = evidence_json(report);
    out["gap"] = report.gap ? json::value(gap_object(report.set, *report.gap)) : nullptr;
    out["changes"] = report.changes ? json::value(changes_object(*report.changes)) : nullptr;
    out["metrics"] = metrics_json(report);
    json::object interpretations;
    for (const auto& interpretation : report.interpretations) {
        interpretations[interpretation.number] = texts(interpretation.items);
    }
    out["interpretations"] = std::move(interpretations);
    auto record = record_json(report.assessment);
    for (auto& [key, value] : record) {
        out[key] = std::move(value);
    }
    return json::serialize(out) + "\n";
}

} // namespace baton::wire
