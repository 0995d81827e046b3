#include "baton/api/actors.hpp"

#include "baton/api/problem.hpp"
#include "baton/api/slowdown.hpp"
#include "baton/base/text.hpp"
#include "baton/net/http.hpp"
#include "baton/ports/journal.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <utility>

namespace baton::api {

namespace asio = boost::asio;

asio::awaitable<tl::expected<Actor, net::Response>> Actors::actor_of(net::RequestHead head) {
    const auto address = address_of(head);
    // Before the token is looked at: a good one waits too.
    const bool room = co_await slowdown_.wait(address, around_.clock.now());
    if (!room) {
        auto busy =
            problem(429, "Too many requests", "too many wrong tokens came from your address");
        busy.headers.add("Retry-After", "1");
        co_return tl::unexpected(std::move(busy));
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
