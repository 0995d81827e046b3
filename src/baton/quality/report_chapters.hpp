#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/page.hpp"
#include "baton/quality/report.hpp"

#include <string>

/// What pages of a report are made of, one function each. Only the report's own .cpp files include
/// this.
namespace baton::quality {

std::string title_of(const Assessment& assessment); // "Tessera TX1 2026.3, PyTorch 2.14"
Grid summary_of(const Report& report);

Chapter verdict_chapter(const Report& report);
Chapter p0_chapter(const Report& report);
Chapter sections_chapter(const Report& report);
Chapter items_chapter(const Report& report);

Chapter gap_chapter(const Report& report);
Chapter way_chapter(const CriteriaSet& set, const Gap& gap);
Chapter risk_chapter(const Report& report);
Chapter changes_chapter(const Report& report);
/// `against` says what is compared with what.
Chapter changes_chapter(const Changes& changes, std::string against);
Chapter metrics_chapter(const Report& report);

Chapter exemptions_chapter(const Report& report);
Chapter interpretations_chapter(const Report& report);
Chapter reproduce_chapter(const Report& report);
Chapter record_chapter(const Report& report);

} // namespace baton::quality
