#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/error_code.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace baton::net {

/// Finds the addresses of one host. Waiting for it can be cancelled at any time; the system's own
/// lookup cannot, so it goes on in the background and whoever asks next shares it. One executor
/// (one thread).
class Lookup {
public:
    struct Found {
        boost::system::error_code error;
        std::vector<boost::asio::ip::tcp::endpoint> endpoints;
    };

    Lookup(const boost::asio::any_io_executor& executor, std::string host, std::uint16_t port)
        : state_(std::make_shared<State>(executor))
        , host_(std::move(host))
        , port_(port) {}

    boost::asio::awaitable<Found> endpoints() {
        boost::system::error_code not_literal;
        const auto literal = boost::asio::ip::make_address(host_, not_literal);
        if (!not_literal) {
            co_return Found{.error = {}, .endpoints = {{literal, port_}}};
        }
        const auto state = state_;
        if (!state->running) {
            begin();
        }
        while (state->running) { // a cancelled waiter leaves by the exception of its next wait
            static_cast<void>(
                co_await state->done.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable))
            );
        }
        co_return state->found;
    }

private:
    struct State {
        explicit State(const boost::asio::any_io_executor& executor)
            : resolver(executor)
            , done(executor) {}

        boost::asio::ip::tcp::resolver resolver;
        boost::asio::steady_timer done; // never expires; cancelled when the answer is there
        bool running{false};
        Found found;
    };

    void begin() {
        using Resolver = boost::asio::ip::tcp::resolver;
        state_->running = true;
        state_->done.expires_at(boost::asio::steady_timer::time_point::max());
        auto finish = [state = state_](
                          const boost::system::error_code& error, const Resolver::results_type& list
                      ) {
            state->running = false;
            state->found.error = error;
            state->found.endpoints.assign(list.begin(), list.end());
            state->done.cancel();
        };
        state_->resolver.async_resolve(host_, std::to_string(port_), std::move(finish));
    }

    std::shared_ptr<State> state_; // shared with the lookup under way, which may outlive us
    std::string host_;
    std::uint16_t port_;
};

} // namespace baton::net
