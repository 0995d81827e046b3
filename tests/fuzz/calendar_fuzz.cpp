// A calendar of releases: taken whole, or an error says why; what is taken is in order.

#include "baton/quality/calendar.hpp"
#include "baton/quality/findings.hpp"
#include "baton/wire/calendar.hpp"

#include <cstddef>
#include <cstdint>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace baton;
    using fuzz::promise;
    const auto reading = wire::read_calendar(fuzz::text_of(data, size));
    promise(
        reading.calendar.has_value() != quality::has_errors(reading.findings),
        "taken whole or not at all"
    );
    for (const auto& finding : reading.findings) {
        promise(fuzz::is_inert(quality::to_text(finding, "f")), "what people are told is inert");
    }
    if (!reading.calendar) {
        return 0;
    }
    const auto& releases = reading.calendar->releases;
    for (std::size_t i = 1; i < releases.size(); ++i) {
        promise(releases[i - 1].release < releases[i].release, "oldest first, each once");
        promise(
            reading.calendar->after(releases[i - 1].release) == releases[i].release,
            "each is behind the one before"
        );
    }
    return 0;
}
