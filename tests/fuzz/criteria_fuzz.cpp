// Criteria: taken whole, or an error says why; what is taken can be checked, scored and shown.

#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/score.hpp"
#include "baton/wire/criteria.hpp"

#include <cstddef>
#include <cstdint>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace baton;
    using fuzz::promise;
    const auto reading = wire::read_criteria(fuzz::text_of(data, size));
    promise(
        reading.set.has_value() != quality::has_errors(reading.findings),
        "taken whole or not at all"
    );
    promise(reading.is_yaml || !reading.set, "what is no YAML is not taken");
    for (const auto& finding : reading.findings) {
        promise(fuzz::is_inert(quality::to_text(finding, "f")), "what people are told is inert");
    }
    if (!reading.set) {
        return 0;
    }
    const auto scored = quality::score(*reading.set, quality::Assessment{});
    promise(scored.proven == 0, "nothing is proven by nothing");
    promise(scored.potential == reading.set->rows_total(), "and everything is unknown");
    promise(!quality::to_markdown(*reading.set).empty(), "it can be shown");
    promise(quality::diff(*reading.set, *reading.set).empty(), "it is what it is");
    return 0;
}
