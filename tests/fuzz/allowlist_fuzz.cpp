// An allowlist, as anybody with a pull request may write it: every byte gets an answer, and a list
// that is taken can be written down and read again.

#include "baton/base/limits.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"
#include "baton/wire/allowlist.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

/// As it is printed: level by level, whatever the order of the levels in the file.
domain::Allowlist without_lines(const domain::Allowlist& list) {
    domain::Allowlist plain;
    for (const auto level : domain::kLevels) {
        for (auto downstream : list.downstreams()) {
            if (downstream.level == level) {
                downstream.line = 0;
                promise(plain.add(std::move(downstream)), "a repository stands once");
            }
        }
    }
    return plain;
}

void check_findings(const wire::AllowlistReading& reading, std::string_view text) {
    const auto lines = std::ranges::count(text, '\n') + 1;
    promise(reading.findings.size() <= limits::kFindingsMax, "findings are bounded");
    promise(
        reading.allowlist.has_value() != domain::has_errors(reading.findings),
        "a list is taken whole, or an error says why not"
    );
    for (const auto& finding : reading.findings) {
        promise(finding.line >= 0 && finding.line <= lines + 1, "a finding lies inside the file");
        promise(finding.column >= 0, "at a column");
        promise(!finding.message.empty(), "and says something");
        for (const char c : finding.message) {
            promise(static_cast<unsigned char>(c) >= ' ', "in inert words");
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto text = fuzz::text_of(data, size);
    const auto reading = wire::read_allowlist(text);
    check_findings(reading, text);
    if (!reading.allowlist) {
        return 0;
    }
    promise(
        reading.allowlist->downstreams().size() <= limits::kDownstreamsMax, "a list is bounded"
    );
    const auto list = without_lines(*reading.allowlist);
    const auto printed = wire::to_yaml(list);
    const auto again = wire::read_allowlist(printed);
    promise(again.allowlist.has_value(), "a printed list can be read");
    promise(without_lines(*again.allowlist) == list, "and is the same list");
    promise(wire::to_yaml(*again.allowlist) == printed, "in its one spelling");
    return 0;
}
