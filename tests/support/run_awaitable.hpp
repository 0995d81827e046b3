#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <optional>
#include <stdexcept>
#include <utility>

namespace baton::test {

/// Runs one awaitable on an event loop of its own and returns its value. What it throws comes out
/// here; one that never ends is a std::logic_error, because nothing is left that could wake it.
template <class T> T run_awaitable(boost::asio::awaitable<T> work) {
    boost::asio::io_context loop;
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
