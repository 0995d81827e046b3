#include "baton/async/turnstile.hpp"

#include "baton/async/budget.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <optional>
#include <utility>

namespace baton::async {

namespace asio = boost::asio;

Turnstile::Place::Place(Place&& other) noexcept
    : turnstile_(std::exchange(other.turnstile_, nullptr)) {}

Turnstile::Place::~Place() {
    if (turnstile_ != nullptr) {
        turnstile_->leave();
    }
}

asio::awaitable<std::optional<Turnstile::Place>> Turnstile::enter(Budget budget) {
    if (free_ > 0) {
        --free_;
        co_return std::optional<Place>(std::in_place, *this);
    }
    const auto executor = co_await asio::this_coro::executor;
    const auto waiter = std::make_shared<Waiter>(asio::steady_timer(executor, budget.end()));
    line_.push_back(waiter);
    static_cast<void>(co_await waiter->timer.async_wait(asio::as_tuple(asio::use_awaitable)));
    if (waiter->called) {
        co_return std::optional<Place>(std::in_place, *this);
    }
    std::erase(line_, waiter);
    co_return std::nullopt;
}

void Turnstile::leave() {
    if (line_.empty()) {
        ++free_;
        return;
    }
    const auto next = line_.front();
    line_.pop_front();
    next->called = true; // the place passes from hand to hand
    next->timer.cancel();
}

} // namespace baton::async
