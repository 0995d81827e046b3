#include "baton/api/hud_json.hpp"
#include "baton/api/quality_json.hpp"
#include "baton/domain/profile.hpp"
#include "baton/hud/quality.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/evidence_age.hpp"
#include "baton/quality/score.hpp"
#include "baton/quality/trust.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::api {

namespace json = boost::json;

namespace {

json::value number_or_null(std::optional<int> number) {
    return number ? json::value(*number) : json::value(nullptr);
}

json::object effort_json(const quality::Effort& effort) {
    json::array each;
    for (const auto& [option, work] : effort.each) {
        each.push_back(json::object{{"option", option}, {"effort", work}});
    }
    return {{"whole", number_or_null(effort.whole)}, {"each", std::move(each)}};
}

std::string source_of(const quality::Evidence& evidence) {
    if (!evidence.file.empty()) {
        return evidence.file;
    }
    if (!evidence.run.empty()) {
        return evidence.run;
    }
    if (!evidence.query.empty()) {
        return evidence.query;
    }
    return evidence.window ? quality::to_text(evidence.window->from) + "/" +
                                 quality::to_text(evidence.window->to)
                           : std::string();
}

json::object
evidence_json(const quality::Evidence& evidence, const quality::Item& item, quality::Day today) {
    return {
        {"id", evidence.id},
        {"type", evidence.type},
        {"url", safe_link(evidence.url)},
        {"source", source_of(evidence)},
        {"captured", day_json(quality::day_of(evidence))},
        {"age_days", number_or_null(hud::age_days(evidence, today))},
        {"max_age_days", quality::max_age_days(evidence, item)},
        {"expired", hud::is_expired(evidence, item, today)},
        {"trust", quality::tier_of(quality::trust_of(evidence))},
        {"digest", evidence.sha256.empty() ? evidence.digest : evidence.sha256},
        {"public", evidence.open},
        {"signed_by", evidence.signed_by},
        {"note", evidence.note},
    };
}

std::string_view name_of(quality::CheckState state) {
    switch (state) {
    case quality::CheckState::pass:
        return "pass";
    case quality::CheckState::fail:
        return "fail";
    case quality::CheckState::unknown:
        break;
    }
    return "unknown";
}

std::string_view name_of(quality::ReviewVerdict verdict) {
    switch (verdict) {
    case quality::ReviewVerdict::accept:
        return "accept";
    case quality::ReviewVerdict::reject:
        return "reject";
    case quality::ReviewVerdict::adjust:
        break;
    }
    return "adjust";
}

json::value review_json(const std::optional<quality::Review>& review) {
    if (!review) {
        return nullptr;
    }
    return json::object{
        {"by", review->by},
        {"on", day_json(review->on)},
        {"verdict", name_of(review->verdict)},
        {"points", review->points},
        {"reason", review->reason},
    };
}

json::value value_json(const std::optional<quality::Value>& value) {
    if (!value) {
        return nullptr;
    }
    json::array figures;
    for (const auto& [name, amount] : value->figures) {
        figures.push_back(json::object{{"name", name}, {"value", quality::to_text(amount)}});
    }
    return json::object{
        {"num", value->num ? json::value(*value->num) : json::value(nullptr)},
        {"den", value->den ? json::value(*value->den) : json::value(nullptr)},
        {"figures", std::move(figures)},
    };
}

json::array checks_json(const quality::Claim& claim) {
    json::array all;
    for (const auto& [id, state] : claim.checks) {
        all.push_back(json::object{{"id", id}, {"state", name_of(state)}});
    }
    return all;
}

/// What the assessment says of the item beside its points.
void put_claim(
    json::object& shown,
    const hud::ShelvedAssessment& one,
    const quality::Item& item,
    quality::Day today
) {
    static const quality::Claim kSilent{};
    const auto* said = one.assessment.claim(item.id);
    const auto& claim = said == nullptr ? kSilent : *said;
    json::array evidence;
    for (const auto& reference : claim.evidence) {
        if (const auto* known = one.assessment.find_evidence(reference.id)) {
            evidence.push_back(evidence_json(*known, item, today));
        }
    }
    shown["claim"] =
        said == nullptr ? json::value(nullptr) : json::value(quality::name_of(claim.kind));
    shown["reason"] = claim.reason;
    shown["note"] = claim.note;
    shown["plan"] = claim.plan;
    shown["rest_unknown"] = claim.rest_unknown;
    shown["blocked"] = claim.blocked;
    shown["blocked_options"] = texts_json(claim.blocked_options);
    shown["requires"] = texts_json(claim.needs);
    shown["effort"] = effort_json(claim.effort);
    shown["checks"] = checks_json(claim);
    shown["value"] = value_json(claim.value);
    shown["evidence"] = std::move(evidence);
    shown["review"] = review_json(claim.review);
}

} // namespace

json::object criterion_json(const quality::Item& item) {
    json::array limits;
    if (item.automatic) {
        for (const auto& limit : item.automatic->limits) {
            limits.push_back(json::object{
                {"figure", limit.figure},
                {"comparison", domain::name_of(limit.comparison)},
                {"bound", quality::to_text(limit.bound)},
            });
        }
    }
    return {
        {"id", item.id},
        {"section", item.section},
        {"doc_id", item.doc_id},
        {"category", item.category},
        {"title", item.title},
        {"text", item.text},
        {"priority", quality::name_of(item.priority)},
        {"kind", quality::name_of(item.kind)},
        {"max", item.max},
        {"parts",
         array_of(
             item.parts,
             [](const quality::Part& part) {
                 return json::object{{"id", part.id}, {"points", part.points}, {"text", part.text}};
             }
         )},
        {"steps",
         array_of(
             item.steps,
             [](const quality::Step& step) {
                 return json::object{{"percent", step.percent}, {"points", step.points}};
             }
         )},
        {"checks",
         array_of(
             item.checks,
             [](const quality::Check& check) {
                 return json::object{
                     {"id", check.id}, {"text", check.text}, {"only_class", check.only_class}
                 };
             }
         )},
        {"exempt_without", item.exempt_without},
        {"limits", std::move(limits)},
        {"min_den", item.automatic ? item.automatic->min_den : 1},
        {"evidence_types", texts_json(item.evidence.types)},
        {"max_age_days", item.evidence.max_age_days},
        {"effort", effort_json(item.effort)},
        {"remedy", item.remedy},
        {"interpretations", texts_json(item.interpretations)},
    };
}

json::object
item_json(const hud::ShelvedAssessment& one, const quality::ItemScore& scored, quality::Day today) {
    const auto& item = *one.set->find(scored.id);
    json::object shown{
        {"criterion", criterion_json(item)},
        {"state", quality::name_of(scored.state)},
        {"proven", scored.proven},
        {"potential", scored.potential},
        {"max", scored.max},
        {"exempt", scored.exempt},
        {"earned", texts_json(scored.earned)},
        {"before_review", number_or_null(scored.before_review)},
        {"why", scored.note},
        {"may_be_exempt", quality::may_be_exempt(item, one.assessment.platform)},
    };
    put_claim(shown, one, item, today);
    return shown;
}

} // namespace baton::api
