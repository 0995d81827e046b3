#include "baton/api/stream.hpp"

#include "baton/api/listener.hpp"
#include "baton/api/news_hub.hpp"
#include "baton/api/problem.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/net/url.hpp"
#include "baton/ports/views.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::api {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kBehindMax = 10'000; // more is loaded anew rather than told one by one
constexpr std::chrono::milliseconds kHubLook{20};
constexpr int kHubLooks = 100;

/// Gives the place back when the connection ends, however it ends.
class Seat {
public:
    Seat(NewsHub& hub, std::shared_ptr<Listener> listener)
        : hub_(hub)
        , listener_(std::move(listener)) {}

    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    ~Seat() { hub_.leave(listener_); }

    Listener& listener() { return *listener_; }

private:
    NewsHub& hub_;
    std::shared_ptr<Listener> listener_;
};

/// The id after which the caller wants to hear; nullopt: it named none. `invalid`.
Result<std::optional<std::int64_t>> wanted_after(const net::RequestHead& head) {
    const auto from = net::query_value(head.query, "from").value_or("");
    const auto named = std::string(head.headers.find("Last-Event-ID").value_or(from));
    if (named.empty()) {
        return std::nullopt;
    }
    const auto id = whole_number(named);
    if (!id) {
        return fail(Errc::invalid, "from and Last-Event-ID must be an id of this stream");
    }
    return *id;
}

/// An answer may be a little newer than what the hub has told so far; who listens from there waits
/// for the hub, so that nothing comes twice.
asio::awaitable<void> wait_for_hub(NewsHub* hub, std::int64_t id) {
    asio::steady_timer timer(co_await asio::this_coro::executor);
    for (int look = 0; look < kHubLooks && !hub->has_told(id); ++look) {
        timer.expires_after(kHubLook);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

/// What happened after `after`, up to the place from which the hub tells.
asio::awaitable<Result<std::string>>
missed(StreamSurroundings around, std::int64_t after, std::int64_t until) {
    if (after == until) {
        co_return std::string();
    }
    BATON_CO_TRY(auto page, co_await around.views.news(after, kBehindMax));
    if (page.gap || after > until || page.news.size() == kBehindMax) {
        co_return NewsHub::resync_text(until);
    }
    std::erase_if(page.news, [until](const ports::News& news) { return news.id > until; });
    co_return around.hub.text_of(page.news);
}

asio::awaitable<net::Response> listen(StreamSurroundings around, net::Request request) {
    const auto wanted = wanted_after(request.head);
    if (!wanted) {
        co_return problem_of(wanted.error());
    }
    if (*wanted) {
        const auto known = co_await around.views.news(**wanted, 0);
        if (known && !known->gap) { // an id of this store
            co_await wait_for_hub(&around.hub, **wanted);
        }
    }
    auto place = around.hub.join(co_await asio::this_coro::executor);
    if (!place) {
        co_return problem(503, "Too many listen already", "load the page again from time to time");
    }
    auto seat = std::make_shared<Seat>(around.hub, std::move(place->listener));
    const auto before = co_await missed(around, wanted->value_or(place->after), place->after);
    if (!before) {
        co_return problem_of(before.error());
    }
    net::Response response;
    response.content_type = "text/event-stream";
    response.headers.add("Cache-Control", "no-store");
    response.headers.add("X-Accel-Buffering", "no"); // proxies must not hold it back
    response.body = "retry: 1000\n\n" + *before;
    response.more = [seat] { return seat->listener().next(); };
    co_return response;
}

} // namespace

net::Route stream_route(StreamSurroundings around) {
    return {
        .method = "GET",
        .path = "/api/v1/stream",
        .handler = [around](net::Request request) { return listen(around, std::move(request)); },
    };
}

} // namespace baton::api
