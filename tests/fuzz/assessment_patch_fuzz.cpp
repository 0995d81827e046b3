// An assessment that its author wrote in some way, and what was measured put into it: claims take
// the place of `unknown`, and everything that somebody said stays.

#include "baton/base/result.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/filling.hpp"
#include "baton/quality/metric.hpp"
#include "baton/wire/assessment.hpp"
#include "baton/wire/assessment_patch.hpp"
#include "baton/wire/criteria.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

quality::Metric metric(const char* name, std::int64_t num, std::int64_t den) {
    quality::Metric one;
    one.name = name;
    one.num = num;
    one.den = den;
    one.n = den;
    return one;
}

/// A snapshot in which TEST-1 and TEST-4 were measured.
const quality::Snapshot& snapshot() {
    static const quality::Snapshot taken{
        .repo = "acme/backend",
        .upstream = "up/stream",
        .as_of = *quality::parse_day("2026-10-12"),
        .relay_level = 3,
        .baseline = {},
        .files = {},
        .metrics = {metric("ut_coverage", 60, 100), metric("ops_coverage", 5, 10)},
        .reporting = {},
    };
    return taken;
}

/// What people wrote beside a claim.
void check_words(const quality::Claim& before, const quality::Claim& after) {
    promise(after.note == before.note || before.note.empty(), "notes stay");
    promise(after.plan == before.plan && after.reason == before.reason, "plans and reasons stay");
    promise(after.checks == before.checks && after.needs == before.needs, "checks and needs stay");
    promise(after.effort == before.effort, "efforts stay");
    promise(after.review.has_value() == before.review.has_value(), "reviews stay");
}

void check_patched(
    const quality::Assessment& before,
    const quality::Assessment& after,
    const quality::Filling& filling
) {
    promise(after.claims.size() == before.claims.size(), "nothing is claimed that was not there");
    for (const auto& old : before.claims) {
        const auto* const now = after.claim(old.item);
        promise(now != nullptr, "every item stays");
        const auto filled = std::ranges::find(filling.claims, old.item, &quality::Claim::item);
        const bool meant = filled != filling.claims.end();
        promise(now->kind == (meant ? filled->kind : old.kind), "only what was unknown is claimed");
        promise(!meant || old.kind == quality::ClaimKind::unknown, "nobody's word is taken away");
        check_words(old, *now);
    }
    for (const auto& old : before.evidence) {
        promise(after.find_evidence(old.id) != nullptr, "evidence stays");
    }
    const auto& facts = before.facts;
    promise(!facts.relay_level || after.facts.relay_level == facts.relay_level, "facts stay");
    promise(facts.baseline.empty() || after.facts.baseline == facts.baseline, "all of them");
    promise(after.platform.id == before.platform.id, "it is about the same platform");
    promise(after.set == before.set && after.version == before.version, "by the same criteria");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::text_of(data, size);
    const auto reading = wire::read_assessment(text);
    if (!reading.assessment) {
        return 0;
    }
    static const auto& set = *wire::builtin_criteria_set("pytorch-cpq/2025.11-124");
    const auto filling = quality::fill(set, *reading.assessment, snapshot(), "relay");
    const quality::SnapshotEvidence evidence{
        .id = "relay", .file = "ev/metrics.json", .digest = std::string(64, 'a')
    };
    const wire::AssessmentPatch patch{
        .snapshot = snapshot(), .evidence = evidence, .filling = filling
    };
    promise(!wire::yaml_of(patch).empty(), "what was measured can be printed");
    const auto patched = wire::patched(text, patch);
    if (!patched) {
        promise(patched.error().code == Errc::invalid, "a person has to look");
        promise(fuzz::is_inert(patched.error().detail), "what people are told is inert");
        return 0;
    }
    const auto again = wire::read_assessment(*patched);
    promise(again.assessment.has_value(), "a patched assessment is a good one");
    check_patched(*reading.assessment, *again.assessment, filling);
    return 0;
}
