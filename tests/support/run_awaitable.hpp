#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace baton::test {

/// The loop outlives every store and pool of a test: a thread that has just posted a result may
/// still be inside the loop when its caller goes on.
inline boost::asio::io_context& lasting_loop() {
    static boost::asio::io_context loop;
    return loop;
}

/// Runs one awaitable on an event loop and returns its value. What it throws comes out
/// here; one that never ends is a std::logic_error, because nothing is left that could wake it.
template <class T> T run_awaitable(boost::asio::awaitable<T> work) {
    auto& loop = lasting_loop();
    loop.restart();
    std::optional<T> value;
    std::exception_ptr thrown;
    auto done = [&value, &thrown](const std::exception_ptr& error, T result) {
        thrown = error;
        value.emplace(std::move(result));
    };
    boost::asio::co_spawn(loop, std::move(work), std::move(done));
    loop.run();
    if (thrown) {
        std::rethrow_exception(thrown);
    }
    if (!value) {
        throw std::logic_error("the awaitable waits for something that never comes");
    }
    return *std::move(value);
}

} // namespace baton::test
