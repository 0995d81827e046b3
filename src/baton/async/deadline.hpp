#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

namespace baton::async {

/// Whether this is what a wait throws when its coroutine was cancelled.
inline bool is_cancellation(const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (const boost::system::system_error& error) {
        return error.code() == boost::asio::error::operation_aborted;
    } catch (...) {
        return false;
    }
}

/// Races `work` against `time_up`, an operation that is started here and ends with something that
/// is false when time ran out. See with_deadline.
template <class T, class Operation>
boost::asio::awaitable<std::optional<T>> before(boost::asio::awaitable<T> work, Operation time_up) {
    namespace asio = boost::asio;
    constexpr std::size_t kTimeUp = 1; // its place in the race
    const auto executor = co_await asio::this_coro::executor;
    auto race = asio::experimental::make_parallel_group(
        asio::co_spawn(executor, std::move(work), asio::deferred), std::move(time_up)
    );
    auto [order, thrown, value, not_up] =
        co_await race.async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
    const bool too_late = order[0] == kTimeUp && !not_up;
    if (thrown && !(too_late && is_cancellation(thrown))) {
        std::rethrow_exception(thrown);
    }
    if (too_late) {
        co_return std::nullopt;
    }
    co_return std::optional<T>(std::move(value));
}

/// The one helper for "this may take so long and no longer": nullopt when time ran out first,
/// whatever the work says after it was told to stop. The work is cancelled and awaited before this
/// returns, so nothing of it goes on. What the work throws is thrown here at once, and a
/// cancellation from outside as operation_aborted; Asio's own `work || timer` would sit out the
/// timer and forget the one, and dress up the other as a new kind of exception. T must be
/// default-constructible.
template <class T>
boost::asio::awaitable<std::optional<T>>
with_deadline(boost::asio::awaitable<T> work, std::chrono::milliseconds wait) {
    const auto executor = co_await boost::asio::this_coro::executor;
    boost::asio::steady_timer timer(executor, wait);
    auto time_up = timer.async_wait(boost::asio::deferred);
    co_return co_await before(std::move(work), std::move(time_up));
}

/// The same by another clock, whose `time_up` returns when time ran out.
template <class T>
boost::asio::awaitable<std::optional<T>>
with_deadline(boost::asio::awaitable<T> work, boost::asio::awaitable<void> time_up) {
    const auto executor = co_await boost::asio::this_coro::executor;
    auto sleeping = boost::asio::co_spawn(executor, std::move(time_up), boost::asio::deferred);
    co_return co_await before(std::move(work), std::move(sleeping));
}

} // namespace baton::async
