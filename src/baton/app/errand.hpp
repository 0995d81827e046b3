#pragma once

#include "baton/app/system_clock.hpp"
#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/github/app_client.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <memory>
#include <utility>

namespace baton::app {

/// GitHub with the App's credentials, on an event loop of its own: for commands that run beside the
/// relay and end when their work does.
class Errand {
public:
    /// `invalid` names what is wrong with the App's key or the address.
    static Result<std::unique_ptr<Errand>> begin(const config::Config& config);

    boost::asio::any_io_executor executor() { return loop_.get_executor(); }

    SystemClock& clock() { return clock_; }

    github::RestGithub& github() { return *github_; }

    /// Runs `work` to its end.
    template <class T> T run(boost::asio::awaitable<T> work) {
        auto done = boost::asio::co_spawn(loop_, std::move(work), boost::asio::use_future);
        loop_.run();
        return done.get();
    }

private:
    Errand() = default;

    boost::asio::io_context loop_{1};
    SystemClock clock_{loop_.get_executor()};
    std::unique_ptr<github::RestGithub> github_;
};

} // namespace baton::app
