#include "baton/api/news_hub.hpp"

#include "baton/api/listener.hpp"
#include "baton/ports/views.hpp"
#include "baton/wire/json_text.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::api {

namespace asio = boost::asio;

NewsHub::NewsHub(Surroundings around)
    : around_(std::move(around)) {}

asio::awaitable<void> NewsHub::run() {
    for (;;) {
        const bool more = co_await look();
        if (!more) {
            co_await around_.clock.sleep_until(around_.clock.now() + kLook);
        }
    }
}

/// True when there may be more at once.
asio::awaitable<bool> NewsHub::look() {
    const auto after = place_of_all();
    const auto wanted = empty() ? 0 : kPage; // nobody listens: only how far it is
    const auto page = co_await around_.views.news(after, wanted);
    if (!page) {
        co_return false; // the store is away; what is new stays there
    }
    tell_all(*page);
    co_return page->news.size() == kPage;
}

bool NewsHub::empty() const {
    const std::scoped_lock lock(mutex_);
    return listeners_.empty();
}

std::int64_t NewsHub::place_of_all() const {
    const std::scoped_lock lock(mutex_);
    return after_;
}

void NewsHub::tell_all(const ports::NewsPage& page) {
    const auto text = page.gap ? resync_text(page.newest) : text_of(page.news);
    const std::scoped_lock lock(mutex_);
    after_ = !page.news.empty() && !page.gap ? page.news.back().id : page.newest;
    if (!text.empty()) {
        std::erase_if(listeners_, [&text](const std::shared_ptr<Listener>& listener) {
            const bool kept = listener->tell(text);
            if (!kept) {
                listener->end(); // it comes back with the last id that it read
            }
            return !kept;
        });
    }
}

std::optional<NewsHub::Place> NewsHub::join(const asio::any_io_executor& executor) {
    const std::scoped_lock lock(mutex_);
    if (closed_ || listeners_.size() >= kListenersMax) {
        return std::nullopt;
    }
    listeners_.push_back(std::make_shared<Listener>(executor));
    return Place{.listener = listeners_.back(), .after = after_};
}

void NewsHub::leave(const std::shared_ptr<Listener>& listener) {
    const std::scoped_lock lock(mutex_);
    std::erase(listeners_, listener);
}

void NewsHub::close() {
    std::vector<std::shared_ptr<Listener>> all;
    {
        const std::scoped_lock lock(mutex_);
        closed_ = true;
        all.swap(listeners_);
    }
    for (const auto& listener : all) {
        listener->end();
    }
}

std::string NewsHub::text_of(const std::vector<ports::News>& news) const {
    std::set<std::tuple<std::string, std::string, std::optional<PrNumber>, std::string>> told;
    std::vector<std::string> events;
    for (auto one = news.rbegin(); one != news.rend(); ++one) {
        const bool shown = one->downstream.empty() || around_.shows(one->downstream);
        if (!shown || !told.emplace(one->topic, one->upstream, one->pr, one->downstream).second) {
            continue;
        }
        events.push_back(fmt::format(
            "id: {}\nevent: change\ndata: "
            "{{\"topic\":{},\"upstream\":{},\"number\":{},\"downstream\":{}}}\n\n",
            one->id,
            wire::json_quoted(one->topic),
            wire::json_quoted(one->upstream),
            one->pr ? fmt::to_string(static_cast<std::int64_t>(*one->pr)) : "null",
            wire::json_quoted(one->downstream)
        ));
    }
    std::string text;
    for (auto event = events.rbegin(); event != events.rend(); ++event) {
        text += *event;
    }
    return text;
}

std::string NewsHub::resync_text(std::int64_t newest) {
    return fmt::format("id: {}\nevent: resync\ndata: {{}}\n\n", newest);
}

} // namespace baton::api
