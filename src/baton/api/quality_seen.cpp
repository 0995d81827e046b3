#include "baton/api/quality_seen.hpp"

#include "baton/api/hud_parts.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/hud/quality.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/quality/assessment.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace baton::api {

namespace {

auto nobody_knows(std::string_view what) {
    return fail(Errc::not_found, fmt::format("{} is not known here", inert(what)));
}

} // namespace

quality::Day today(const Around& around) {
    return std::chrono::floor<std::chrono::days>(around->clock.now());
}

Result<SeenPlatform> platform_seen(const Around& around, std::string_view id) {
    auto shelf = around->quality();
    const auto day = today(around);
    auto line = hud::quality_line_of(*shelf, id, around->desk.shown(), day);
    if (!line) {
        return nobody_knows(id);
    }
    return SeenPlatform{.shelf = std::move(shelf), .line = *std::move(line), .day = day};
}

Result<const hud::ShelvedAssessment*>
assessment_of(const SeenPlatform& seen, std::string_view release) {
    const auto& newest = seen.line.newest();
    if (release.empty()) {
        return &newest;
    }
    const auto& id = newest.assessment.platform.id;
    const auto parsed = quality::parse_release(release);
    const auto* const one = parsed ? seen.shelf->find(id, *parsed) : nullptr;
    if (one == nullptr) {
        return nobody_knows(fmt::format("{} at {}", id, release));
    }
    return one;
}

Result<const hud::ShelvedCriteria*>
criteria_in(const hud::QualityShelf& shelf, std::string_view set, std::string_view version) {
    const auto found = shelf.criteria.find(std::pair(std::string(set), std::string(version)));
    if (found == shelf.criteria.end()) {
        return nobody_knows(fmt::format("{}/{}", set, version));
    }
    return &found->second;
}

} // namespace baton::api
