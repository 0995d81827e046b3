// Assessments: taken whole, or an error says why; what is taken can be scored and linted.

#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/lint.hpp"
#include "baton/quality/score.hpp"
#include "baton/wire/assessment.hpp"
#include "baton/wire/criteria.hpp"
#include "baton/wire/score_json.hpp"

#include <cstddef>
#include <cstdint>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace baton;
    using fuzz::promise;
    const auto reading = wire::read_assessment(fuzz::text_of(data, size));
    promise(
        reading.assessment.has_value() != quality::has_errors(reading.findings),
        "taken whole or not at all"
    );
    promise(reading.is_yaml || !reading.assessment, "what is no YAML is not taken");
    for (const auto& finding : reading.findings) {
        promise(fuzz::is_inert(quality::to_text(finding, "f")), "what people are told is inert");
    }
    if (!reading.assessment) {
        return 0;
    }
    for (const auto& set : wire::builtin_criteria()) {
        const auto scored = quality::score(set, *reading.assessment);
        promise(0 <= scored.proven, "points are not negative");
        promise(scored.proven <= scored.potential, "what is proven might be");
        promise(scored.potential <= scored.max, "and no more than there is");
        promise(scored.level <= scored.potential_level, "levels follow");
        promise(!wire::score_json(set, *reading.assessment, scored).empty(), "it can be told");
        const auto gap = quality::gap(set, *reading.assessment, scored, set.levels.front().rank);
        promise(
            !gap || !gap->way || gap->way->points >= gap->way->target, "a way leads to its end"
        );
        for (const auto& finding : quality::lint(set, *reading.assessment)) {
            promise(fuzz::is_inert(quality::to_text(finding, "f")), "findings are inert");
        }
    }
    return 0;
}
