// What another relay sent, as NDJSON or CSV: each line is a dispatch, nothing, or a finding.

#include "baton/base/limits.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/wire/sent_log.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace baton;
    using fuzz::promise;
    const auto text = fuzz::text_of(data, size);
    const auto log = wire::read_sent_log(text);
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
    promise(log.dispatches.size() <= lines, "a line is one dispatch at most");
    promise(log.findings.size() <= limits::kFindingsMax, "findings have a bound");
    for (const auto& finding : log.findings) {
        promise(finding.line >= 1, "a finding has its line");
        promise(fuzz::is_inert(domain::to_text(finding, "f")), "what people are told is inert");
    }
    for (const auto& dispatch : log.dispatches) {
        promise(!dispatch.delivery.empty(), "a dispatch is of a delivery");
    }
    return 0;
}
