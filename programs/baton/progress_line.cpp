#include "progress_line.hpp"

#include "baton/store/tools.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace baton::program {

namespace {

constexpr std::chrono::milliseconds kPatience{1'000};
constexpr std::chrono::milliseconds kRedraw{100};
constexpr std::size_t kBarColumns = 40;

} // namespace

ProgressLine::ProgressLine()
    : terminal_(::isatty(STDERR_FILENO) == 1)
    , next_(std::chrono::steady_clock::now() + kPatience) {}

ProgressLine::~ProgressLine() {
    if (drawn_) {
        fmt::print(stderr, "\r\x1b[K");
    }
}

void ProgressLine::show(const store::ProgressNow& now) {
    if (!terminal_ || std::chrono::steady_clock::now() < next_) {
        return;
    }
    next_ = std::chrono::steady_clock::now() + kRedraw;
    fmt::print(stderr, "\r{}\x1b[K", progress_text(now));
    static_cast<void>(std::fflush(stderr));
    drawn_ = true;
}

std::string progress_text(const store::ProgressNow& now) {
    if (now.total == 0) {
        return fmt::format("{} ...", now.doing);
    }
    const auto done = std::min(now.done, now.total);
    const auto filled = kBarColumns * done / now.total;
    return fmt::format(
        "{:<9}  [{}{}]  {} %",
        now.doing,
        std::string(filled, '#'),
        std::string(kBarColumns - filled, '.'),
        100 * done / now.total
    );
}

} // namespace baton::program
