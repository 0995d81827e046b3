#pragma once

#include <cstdint>

namespace baton::test {

/// What the command line asked for.
struct Options {
    std::uint64_t first_seed{1};
    std::uint64_t seeds{200};
    bool chronicle{false};
    std::uint64_t walk_stride{23}; // of the fault walks: 1 visits every call
};

Options& options();

} // namespace baton::test
