#pragma once

#include "baton/async/budget.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

namespace baton::async {

/// Lets so many in at once; whoever comes next waits in line, for as long as its budget lasts. One
/// executor, one thread.
class Turnstile {
public:
    explicit Turnstile(std::size_t places)
        : free_(places) {}

    Turnstile(const Turnstile&) = delete;
    Turnstile& operator=(const Turnstile&) = delete;

    /// A place inside, given back when it goes.
    class Place {
    public:
        explicit Place(Turnstile& turnstile)
            : turnstile_(&turnstile) {}

        Place(Place&& other) noexcept;
        Place& operator=(Place&&) = delete;
        ~Place();

    private:
        Turnstile* turnstile_; // null once moved from
    };

    /// nullopt: the budget was spent, or the caller cancelled, before there was a place.
    boost::asio::awaitable<std::optional<Place>> enter(Budget budget);

private:
    struct Waiter {
        explicit Waiter(boost::asio::steady_timer alarm)
            : timer(std::move(alarm)) {}

        boost::asio::steady_timer timer;
        bool called{false}; // a place was handed over
    };

    void leave();

    std::size_t free_;
    std::deque<std::shared_ptr<Waiter>> line_;
};

} // namespace baton::async
