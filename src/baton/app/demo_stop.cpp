#include "baton/app/demo_stop.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/system/error_code.hpp>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace baton::app::demo {

namespace asio = boost::asio;

namespace {

constexpr int kInterrupted = 130; // what shells expect of a program that Ctrl-C ended

} // namespace

class StopSign::Impl {
public:
    Impl()
        : signals_(io_, SIGINT, SIGTERM, SIGHUP)
        , thread_([this] { io_.run(); }) {
        asio::post(io_, [this] { listen(); });
    }

    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    ~Impl() {
        io_.stop();
        thread_.join();
    }

    void raise() {
        {
            const std::scoped_lock lock(mutex_);
            raised_ = true;
        }
        changed_.notify_all();
    }

    bool raised() const {
        const std::scoped_lock lock(mutex_);
        return raised_;
    }

    bool wait_until(std::chrono::steady_clock::time_point when) {
        std::unique_lock lock(mutex_);
        return changed_.wait_until(lock, when, [this] { return raised_; });
    }

    void rest_until(std::chrono::steady_clock::time_point when) {
        std::unique_lock lock(mutex_);
        changed_.wait_until(lock, when, [] { return false; });
    }

    void at_once(std::function<void()> work) {
        const std::scoped_lock lock(mutex_);
        at_once_ = std::move(work);
    }

private:
    void listen() {
        signals_.async_wait([this](const boost::system::error_code& error, int /*number*/) {
            if (error) {
                return;
            }
            if (std::exchange(signalled_, true)) {
                leave();
            }
            raise();
            listen();
        });
    }

    [[noreturn]] void leave() {
        std::function<void()> work;
        {
            const std::scoped_lock lock(mutex_);
            work = at_once_;
        }
        if (work) {
            work();
        }
        std::_Exit(kInterrupted);
    }

    mutable std::mutex mutex_; // guards the two that follow
    bool raised_{false};
    std::function<void()> at_once_;
    std::condition_variable changed_;
    bool signalled_{false}; // on the thread
    asio::io_context io_{1};
    asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
    asio::signal_set signals_;
    std::thread thread_;
};

StopSign::StopSign()
    : impl_(std::make_unique<Impl>()) {}

StopSign::~StopSign() = default;

void StopSign::raise() {
    impl_->raise();
}

bool StopSign::raised() const {
    return impl_->raised();
}

bool StopSign::wait_until(std::chrono::steady_clock::time_point when) {
    return impl_->wait_until(when);
}

void StopSign::rest_until(std::chrono::steady_clock::time_point when) {
    impl_->rest_until(when);
}

void StopSign::at_once(std::function<void()> work) {
    impl_->at_once(std::move(work));
}

} // namespace baton::app::demo
