// A baseline manifest and names of tests: read whole, or refused with the line; folding settles.

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/quality/coverage.hpp"
#include "baton/quality/test_ids.hpp"
#include "baton/wire/baseline.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace baton;
    using fuzz::promise;
    const auto text = fuzz::text_of(data, size);
    const std::vector<std::string> devices{"npu", "privateuse1"};
    const auto folded = quality::baseline_id(text, devices);
    promise(quality::baseline_id(folded, devices) == folded, "what is folded stays folded");
    if (const auto shard = quality::shard_in(text)) {
        promise(shard->number >= 1 && shard->number <= shard->count, "a shard is one of them");
        promise(
            quality::missing_shards(std::vector<std::string>{std::string(text)}).size() ==
                (shard->count > 1 ? 1U : 0U),
            "the others are missed"
        );
    }
    const auto baseline = wire::read_baseline(text);
    if (!baseline) {
        promise(baseline.error().code == Errc::invalid, "the file is at fault");
        promise(fuzz::is_inert(baseline.error().detail), "what people are told is inert");
        return 0;
    }
    for (const auto& entry : baseline->entries) {
        promise(!entry.id.empty(), "an entry has an id");
    }
    return 0;
}
