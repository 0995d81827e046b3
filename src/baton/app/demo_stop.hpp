#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace baton::app::demo {

/// Ctrl-C, SIGTERM and SIGHUP as a condition that can be waited for. The first one asks politely;
/// at the second the process ends at once, after `at_once` has put the terminal right.
class StopSign {
public:
    StopSign();
    StopSign(const StopSign&) = delete;
    StopSign& operator=(const StopSign&) = delete;
    ~StopSign();

    void raise(); // any thread
    bool raised() const;
    /// True when it was raised by then.
    bool wait_until(std::chrono::steady_clock::time_point when);
    /// Waits so long, raised or not.
    void rest_until(std::chrono::steady_clock::time_point when);
    /// For the second signal; runs on another thread, whatever goes on elsewhere.
    void at_once(std::function<void()> work);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace baton::app::demo
