// Preloaded into a real `baton serve`, this library sets its clock: so many seconds ahead, or
// behind, as a page in shared memory says (set_clock.hpp). Time that only passes, which waits are
// measured by, is left alone, as it is when somebody sets a real clock.

#include "faults/set_clock.hpp"

#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <ctime>

#include "faults/shared_page.hpp"

namespace {

std::atomic<baton::test::ClockPage*> the_page; // none until all libraries are there

[[gnu::constructor]] void open_page() {
    if (const char* const path = std::getenv(baton::test::kSetClockVariable)) {
        the_page = baton::test::map_page<baton::test::ClockPage>(path).release(); // for ever
    }
}

std::time_t shift() {
    const auto* const page = the_page.load();
    return page == nullptr ? 0 : page->ahead_s.load();
}

} // namespace

// The kernel is asked itself: a sanitizer wants to know the time before it lets anybody look a
// function up.
extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
    const auto failed = ::syscall(SYS_clock_gettime, clock, now);
    if (failed == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += shift();
    }
    return static_cast<int>(failed);
}

extern "C" int gettimeofday(timeval* __restrict now, void* __restrict /*zone*/) noexcept {
    timespec exact{};
    const int failed = clock_gettime(CLOCK_REALTIME, &exact);
    *now = {.tv_sec = exact.tv_sec, .tv_usec = exact.tv_nsec / 1000};
    return failed;
}

extern "C" std::time_t time(std::time_t* kept) noexcept {
    timespec exact{};
    clock_gettime(CLOCK_REALTIME, &exact);
    if (kept != nullptr) {
        *kept = exact.tv_sec;
    }
    return exact.tv_sec;
}
