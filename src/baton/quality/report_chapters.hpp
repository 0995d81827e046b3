#pragma once

#include "baton/quality/page.hpp"
#include "baton/quality/report.hpp"

/// The chapters of a report, one function each. Only the report's own .cpp files include this.
namespace baton::quality {

Chapter verdict_chapter(const Report& report);
Chapter p0_chapter(const Report& report);
Chapter sections_chapter(const Report& report);
Chapter items_chapter(const Report& report);

Chapter gap_chapter(const Report& report);
Chapter risk_chapter(const Report& report);
Chapter changes_chapter(const Report& report);
Chapter metrics_chapter(const Report& report);

Chapter exemptions_chapter(const Report& report);
Chapter interpretations_chapter(const Report& report);
Chapter reproduce_chapter(const Report& report);
Chapter record_chapter(const Report& report);

} // namespace baton::quality
