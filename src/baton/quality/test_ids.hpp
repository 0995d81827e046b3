#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Names of tests, so that those of different backends can be compared with one list.
namespace baton::quality {

/// `FILE::CLASS::NAME`, or `CLASS::NAME` as a JUnit reader tells it, in the spelling of baseline
/// manifests: a class that names its module (`test_ops.TestCommon`) becomes file and class, the
/// device is folded: `TestCommonXPU` is `TestCommon<DEV>`, `test_add_xpu_float32` is
/// `test_add_<dev>_float32`. Devices are told in lower case.
std::string baseline_id(std::string_view id, std::span<const std::string> devices);

/// `tests (2 of 3)`, `ops-2-of-3.xml`, `shard 2/3`: part of something.
struct Shard {
    std::string of; // the name, with * for the number
    int number{0};
    int count{0};
};

std::optional<Shard> shard_in(std::string_view name);

/// What is not there of anything that is there in part, a sentence each, sorted: "tests (* of 3):
/// 2 is missing".
std::vector<std::string> missing_shards(std::span<const std::string> names);

} // namespace baton::quality
