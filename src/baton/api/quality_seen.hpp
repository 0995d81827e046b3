#pragma once

#include "baton/api/hud_parts.hpp"
#include "baton/base/result.hpp"
#include "baton/hud/quality.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/quality/assessment.hpp"

#include <memory>
#include <string_view>

/// What a request about platforms is about.
namespace baton::api {

quality::Day today(const Around& around);

/// A platform that everybody may see; the line points into the shelf.
struct SeenPlatform {
    std::shared_ptr<const hud::QualityShelf> shelf;
    hud::QualityLine line;
    quality::Day day{};
};

/// not_found.
Result<SeenPlatform> platform_seen(const Around& around, std::string_view id);
/// Its assessment of a release, "2.14"; the newest one when none is named. not_found.
Result<const hud::ShelvedAssessment*>
assessment_of(const SeenPlatform& seen, std::string_view release);
/// not_found.
Result<const hud::ShelvedCriteria*>
criteria_in(const hud::QualityShelf& shelf, std::string_view set, std::string_view version);

} // namespace baton::api
