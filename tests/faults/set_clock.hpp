#pragma once

#include <atomic>
#include <cstdint>

namespace baton::test {

/// Names the file of the page to a process that has libset_clock.so preloaded.
inline constexpr const char* kSetClockVariable = "BATON_SET_CLOCK";

/// A page of memory that the test and the process share; of zeros, the clock is right.
struct ClockPage {
    std::atomic<std::int64_t> ahead_s{0};
};

static_assert(std::atomic<std::int64_t>::is_always_lock_free, "shared by two processes");

} // namespace baton::test
