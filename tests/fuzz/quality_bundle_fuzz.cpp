// A bundle of an assessment that somebody sent: files parted by form feeds, each with its name in
// the first line. What Baton says of it is found out anew, and what Baton makes it finds good.

#include "baton/base/result.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/wire/bundle_files.hpp"
#include "baton/wire/quality_bundle.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

wire::BundleFiles files_in(std::string_view text) {
    wire::BundleFiles files;
    while (!text.empty()) {
        auto file = fuzz::take_until(text, '\f');
        const auto name = fuzz::take_until(file, '\n');
        files.emplace(name, file);
    }
    return files;
}

/// Its files, and everything else as evidence.
wire::QualityBundleInput input_of(wire::BundleFiles files) {
    wire::QualityBundleInput input;
    input.assessed = {.assessment = files["assessment.yml"], .criteria = files["criteria.yml"]};
    input.as_of = quality::parse_day("2026-10-20").value();
    files.erase("assessment.yml");
    files.erase("criteria.yml");
    input.evidence = std::move(files);
    return input;
}

void check_verdict(const wire::QualityVerdict& verdict) {
    promise(0 <= verdict.proven, "points are not negative");
    promise(verdict.proven <= verdict.potential, "what is proven might be");
    promise(verdict.potential <= verdict.max, "and no more than there is");
    for (const auto& difference : verdict.differences) {
        promise(fuzz::is_inert(difference), "what differs is told inertly");
    }
}

void check_made(const wire::BundleFiles& made, const wire::QualityVerdict& before) {
    const auto digests = wire::check_digests(made);
    promise(digests && digests->empty(), "what Baton makes has its digests");
    const auto verdict = wire::check_quality_bundle(made);
    promise(verdict.has_value(), "and can be checked");
    promise(verdict->differences.empty(), "and is found good");
    promise(
        verdict->level == before.level && verdict->proven == before.proven, "and says the same"
    );
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto files = files_in(fuzz::text_of(data, size));
    if (const auto verdict = wire::check_quality_bundle(files)) {
        check_verdict(*verdict);
    } else {
        promise(verdict.error().code == Errc::invalid, "the bundle is at fault");
        promise(fuzz::is_inert(verdict.error().detail), "what people are told is inert");
    }
    const auto input = input_of(files);
    const auto verdict = wire::check_quality_files(input);
    const auto made = wire::make_quality_bundle(input);
    if (verdict) {
        check_verdict(*verdict);
    }
    if (!made) {
        promise(fuzz::is_inert(made.error().detail), "what people are told is inert");
        return 0;
    }
    promise(verdict && verdict->differences.empty(), "nothing is made of files that differ");
    check_made(*made, *verdict);
    return 0;
}
