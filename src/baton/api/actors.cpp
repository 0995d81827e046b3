#include "baton/api/actors.hpp"

#include "baton/api/problem.hpp"
#include "baton/api/slowdown.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/net/http.hpp"
#include "baton/ports/journal.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fmt/format.h>

#include <utility>

namespace baton::api {

namespace asio = boost::asio;

asio::awaitable<tl::expected<Actor, net::Response>> Actors::actor_of(net::RequestHead head) {
    const auto address = address_of(head);
    const auto delay = slowdown_.delay_for(address, around_.clock.now());
    if (delay != Millis{0}) { // before the token is looked at: a good one waits too
        asio::steady_timer timer(co_await asio::this_coro::executor, delay);
        co_await timer.async_wait(asio::use_awaitable);
    }
    auto holder = around_.admins.holder(head);
    if (holder) {
        co_return Actor{.name = *std::move(holder)};
    }
    if (head.headers.count("Authorization") > 0) {
        slowdown_.note_refusal(address, around_.clock.now());
        around_.journal.note(ports::Trouble{
            .healed = true,
            .where = "admin tokens",
            .detail =
                fmt::format("a wrong one came from {}, for {}", inert(address), inert(head.path)),
        });
    }
    auto response = problem(
        401,
        "Not allowed",
        around_.admins.empty()
            ? "this relay has no admin tokens: set admin_tokens in its configuration"
            : "send an admin token of this relay as `Authorization: Bearer TOKEN`"
    );
    response.headers.add("WWW-Authenticate", "Bearer");
    co_return tl::unexpected(std::move(response));
}

} // namespace baton::api
