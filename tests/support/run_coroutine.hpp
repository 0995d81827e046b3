#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <optional>
#include <utility>

namespace baton::test {

/// Runs one coroutine on `loop` until nothing is left to do there, and hands out what it returned
/// or threw. nullopt: the loop ran dry before the coroutine ended, so something waits for ever.
template <class T>
std::optional<T> run(boost::asio::io_context& loop, boost::asio::awaitable<T> work) {
    std::optional<T> value;
    std::exception_ptr thrown;
    auto done = [&value, &thrown](const std::exception_ptr& error, T result) {
        thrown = error;
        if (!error) {
            value.emplace(std::move(result));
        }
    };
    boost::asio::co_spawn(loop, std::move(work), std::move(done));
    loop.restart();
    loop.run();
    if (thrown) {
        std::rethrow_exception(thrown);
    }
    return value;
}

/// The same for a coroutine without a value: true when it ended.
inline bool run(boost::asio::io_context& loop, boost::asio::awaitable<void> work) {
    bool ended = false;
    std::exception_ptr thrown;
    auto done = [&ended, &thrown](const std::exception_ptr& error) {
        ended = true;
        thrown = error;
    };
    boost::asio::co_spawn(loop, std::move(work), std::move(done));
    loop.restart();
    loop.run();
    if (thrown) {
        std::rethrow_exception(thrown);
    }
    return ended;
}

} // namespace baton::test
