#pragma once

#include "baton/async/budget.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace baton::async {

/// Lets many callers who want the same thing at the same time wait for one who gets it. One
/// executor, one thread.
template <class Value> class SingleFlight {
public:
    /// The value of `work`, or of the same work that somebody else with this key has under way:
    /// then `work` is dropped unstarted. If that one is cancelled, one of those who wait goes
    /// instead. nullopt when `budget` is spent, or the caller was cancelled, before somebody else
    /// was done; own work must bring its own end.
    boost::asio::awaitable<std::optional<Value>>
    run(std::string key, boost::asio::awaitable<Value> work, Budget budget) {
        namespace asio = boost::asio;
        while (true) {
            const auto known = flights_.find(key);
            if (known == flights_.end()) {
                break;
            }
            const auto flight = known->second;
            const auto executor = co_await asio::this_coro::executor;
            const auto timer = std::make_shared<asio::steady_timer>(executor, budget.end());
            flight->waiting.push_back(timer);
            static_cast<void>(co_await timer->async_wait(asio::as_tuple(asio::use_awaitable)));
            if (flight->value) {
                co_return flight->value;
            }
            const auto state = co_await asio::this_coro::cancellation_state;
            if (state.cancelled() != asio::cancellation_type::none || budget.spent()) {
                co_return std::nullopt;
            }
        }
        Leader leader(&flights_, std::move(key));
        leader.flight->value = co_await std::move(work);
        co_return leader.flight->value;
    }

private:
    struct Flight {
        std::optional<Value> value;
        std::vector<std::shared_ptr<boost::asio::steady_timer>> waiting;
    };

    using Flights = std::unordered_map<std::string, std::shared_ptr<Flight>>;

    /// Takes its flight off the board and wakes everybody, also when its coroutine is thrown out.
    struct Leader {
        Leader(Flights* board, std::string name)
            : flights(board)
            , key(std::move(name))
            , flight(std::make_shared<Flight>()) {
            flights->emplace(key, flight);
        }

        Leader(const Leader&) = delete;
        Leader& operator=(const Leader&) = delete;

        ~Leader() {
            flights->erase(key);
            for (const auto& timer : flight->waiting) {
                timer->cancel();
            }
        }

        Flights* flights;
        std::string key;
        std::shared_ptr<Flight> flight;
    };

    Flights flights_;
};

} // namespace baton::async
