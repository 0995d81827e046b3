#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace baton::api {

/// One open page. What is told to it waits here until its connection has room. `tell` and `end` may
/// be called from any thread, `next` on the connection's own.
class Listener : public std::enable_shared_from_this<Listener> {
public:
    static constexpr std::size_t kBacklogMax = std::size_t{256} * 1024;
    static constexpr std::chrono::seconds kHeartbeat{15};

    explicit Listener(const boost::asio::any_io_executor& executor)
        : wake_(executor) {}

    /// False when it reads so slowly that it has to begin anew; then nothing more is told.
    bool tell(std::string_view text);
    void end();

    /// What was told since; a comment when nothing was for a while; nullopt: it is over.
    boost::asio::awaitable<std::optional<std::string>> next();

private:
    std::optional<std::string> take();
    void wake();

    boost::asio::steady_timer wake_; // only on its executor
    std::mutex mutex_;
    std::string backlog_; // guarded, as the next one
    bool over_{false};
};

} // namespace baton::api
