#include "baton/api/listener.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::api {

namespace asio = boost::asio;

bool Listener::tell(std::string_view text) {
    {
        const std::scoped_lock lock(mutex_);
        if (over_ || backlog_.size() + text.size() > kBacklogMax) {
            return false;
        }
        backlog_ += text;
    }
    wake();
    return true;
}

void Listener::end() {
    {
        const std::scoped_lock lock(mutex_);
        over_ = true;
    }
    wake();
}

void Listener::wake() {
    asio::post(wake_.get_executor(), [self = shared_from_this()] { self->wake_.cancel(); });
}

/// Empty: nothing to say yet.
std::optional<std::string> Listener::take() {
    const std::scoped_lock lock(mutex_);
    if (over_ && backlog_.empty()) {
        return std::nullopt;
    }
    return std::exchange(backlog_, {});
}

asio::awaitable<std::optional<std::string>> Listener::next() {
    auto told = take();
    if (!told || !told->empty()) {
        co_return told;
    }
    wake_.expires_after(kHeartbeat);
    static_cast<void>(co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable)));
    told = take();
    if (told && told->empty()) {
        told = ":\n\n"; // a comment: we are still here
    }
    co_return told;
}

} // namespace baton::api
