// Preloaded into a real `baton serve`, this library sets its clock: so many seconds ahead, or
// behind, as a page in shared memory says (set_clock.hpp). Time that only passes, which waits are
// measured by, is left alone, as it is when somebody sets a real clock.

#include "faults/set_clock.hpp"

#include <dlfcn.h>
#include <sys/time.h>

#include <cstdlib>
#include <ctime>

#include "faults/shared_page.hpp"

namespace {

std::time_t shift() {
    static const auto* const page = [] {
        const char* const path = std::getenv(baton::test::kSetClockVariable);
        return path == nullptr
                   ? nullptr
                   : baton::test::map_page<baton::test::ClockPage>(path).release(); // for ever
    }();
    return page == nullptr ? 0 : page->ahead_s.load();
}

} // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
    using Function = int (*)(clockid_t, timespec*);
    static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "clock_gettime"));
    const int failed = real(clock, now);
    if (failed == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        now->tv_sec += shift();
    }
    return failed;
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
