#include "serve_signals.hpp"

#include "baton/base/limits.hpp"

#include <boost/asio/post.hpp>
#include <boost/system/error_code.hpp>

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>

#include "command.hpp"

namespace baton::program {

namespace {

constexpr std::chrono::milliseconds kBefore{500}; // for ending itself

[[noreturn]] void end_now(int exit_code, const std::string& sentence) {
    ::alarm(1); // should nobody read what is said either
    complain(sentence);
    std::_Exit(exit_code);
}

} // namespace

ServeSignals::ServeSignals()
    : signals_(loop_, SIGTERM, SIGINT, SIGHUP)
    , bell_(loop_)
    , thread_([this] {
        hear();
        loop_.run();
    }) {}

ServeSignals::~ServeSignals() {
    loop_.stop();
    thread_.join();
}

void ServeSignals::begin_work() {
    const std::lock_guard lock(mutex_);
    works_ = true;
}

ServeSignals::Word ServeSignals::next() {
    std::unique_lock lock(mutex_);
    said_.wait(lock, [this] { return stop_ || reload_; });
    if (stop_) {
        return Word::stop;
    }
    reload_ = false;
    return Word::reload;
}

bool ServeSignals::is_asked_to_stop() {
    const std::lock_guard lock(mutex_);
    return stop_;
}

void ServeSignals::end_in_time(int exit_code) {
    boost::asio::post(loop_, [this, exit_code] { set_bell(exit_code); });
}

void ServeSignals::hear() {
    signals_.async_wait([this](const boost::system::error_code& failed, int number) {
        if (failed) {
            return;
        }
        if (number == SIGHUP) {
            const std::lock_guard lock(mutex_);
            reload_ = true;
        } else {
            obey_stop();
        }
        said_.notify_all();
        hear();
    });
}

void ServeSignals::obey_stop() {
    {
        const std::lock_guard lock(mutex_);
        if (!works_) { // held: whoever begins to work finds itself ended
            end_now(Exit::ok, "asked to stop before it served; nothing was taken");
        }
        stop_ = true;
    }
    set_bell(Exit::ok);
}

/// The first one counts.
void ServeSignals::set_bell(int exit_code) {
    if (std::exchange(bell_is_set_, true)) {
        return;
    }
    bell_.expires_after(limits::kDrainWait - kBefore);
    bell_.async_wait([exit_code](const boost::system::error_code& failed) {
        if (!failed) {
            end_now(exit_code, "the store does not answer; it is left as it is");
        }
    });
}

} // namespace baton::program
