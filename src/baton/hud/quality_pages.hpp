#pragma once

#include "baton/hud/quality.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/page.hpp"
#include "baton/quality/report.hpp"

#include <string_view>

/// The pages under /quality for those who read text: what the command line's reports are made by.
namespace baton::hud {

/// What the command line reports about an assessment, as of today; `one` is of the line's platform.
/// It refers to the shelf.
quality::Report report_of(
    const QualityShelf& shelf,
    const QualityLine& line,
    const ShelvedAssessment& one,
    quality::Day today
);

/// Platforms by releases. Links begin with `url`, the relay's own address.
quality::Page matrix_page(const QualityShelf& shelf, const QualityList& list, std::string_view url);

/// Which criteria there are.
quality::Page criteria_page(const QualityShelf& shelf, std::string_view url);

} // namespace baton::hud
