// Profiles of the ladder: taken whole, or an error says why; what is taken can judge anybody.

#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/profile.hpp"
#include "baton/wire/profile.hpp"

#include <cstddef>
#include <cstdint>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace baton;
    using fuzz::promise;
    const auto reading = wire::read_profile(fuzz::text_of(data, size));
    promise(
        reading.profile.has_value() != domain::has_errors(reading.findings),
        "taken whole or not at all"
    );
    for (const auto& finding : reading.findings) {
        promise(fuzz::is_inert(domain::to_text(finding, "f")), "what people are told is inert");
    }
    if (!reading.profile) {
        return 0;
    }
    const auto& profile = *reading.profile;
    promise(fuzz::is_inert(domain::label_of(profile)), "its label is inert");
    for (const auto days : domain::windows_of(profile)) {
        promise(days > 0, "a window has days");
        promise(domain::history_days(profile) >= days, "and all of them are looked at");
    }
    const TimePoint as_of = from_ms(1'790'000'000'000);
    for (const auto* const criteria :
         {&profile.to_l2,
          &profile.to_l3,
          &profile.to_l4,
          &profile.watch,
          &profile.demotion,
          &profile.at_once,
          &profile.restore}) {
        for (const auto& criterion : *criteria) {
            const auto verdict =
                domain::weigh(criterion, domain::LadderHistory{}, as_of, profile.quantiles);
            promise(
                criterion.least == 0 || verdict.met != domain::Met::yes,
                "who asks for samples is not content with none"
            );
        }
    }
    return 0;
}
