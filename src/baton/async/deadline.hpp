#pragma once

#include "baton/base/result.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <optional>
#include <utility>
#include <variant>

namespace baton::async {

/// The one helper for "this may take so long and no longer": nullopt when time ran out. The loser is cancelled and
/// awaited before this returns.
template <class T>
boost::asio::awaitable<std::optional<T>>
with_deadline(boost::asio::awaitable<T> work, std::chrono::milliseconds wait) {
    using boost::asio::experimental::awaitable_operators::operator||;
    const auto executor = co_await boost::asio::this_coro::executor;
    boost::asio::steady_timer timer(executor, wait);
    auto first = co_await (std::move(work) || timer.async_wait(boost::asio::use_awaitable));
    if (first.index() == 0) {
        co_return std::optional<T>(std::get<0>(std::move(first)));
    }
    co_return std::nullopt;
}

} // namespace baton::async
