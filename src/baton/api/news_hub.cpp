#include "baton/api/news_hub.hpp"

#include "baton/api/listener.hpp"
#include "baton/base/ids.hpp"
#include "baton/hud/shown.hpp"
#include "baton/ports/views.hpp"
#include "baton/wire/json_text.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
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

namespace {

bool is_shown(const ports::News& news, const hud::Shown& shown) {
    if (news.downstream.empty()) {
        return true;
    }
    const auto upstream = RepoName::parse(news.upstream);
    const auto downstream = RepoName::parse(news.downstream);
    if (news.upstream.empty()) { // of every upstream
        return downstream && shown.everywhere(*downstream);
    }
    return upstream && downstream && shown.has(*upstream, *downstream);
}

} // namespace

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
    tell_all(*page, wanted);
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

void NewsHub::tell_all(const ports::NewsPage& page, std::size_t wanted) {
    const auto text = page.gap ? resync_text(page.newest) : text_of(page.news);
    const std::scoped_lock lock(mutex_);
    if (wanted == 0 && !listeners_.empty()) {
        return; // somebody came meanwhile, and was promised what is behind the old place
    }
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

bool NewsHub::has_told(std::int64_t id) const {
    return place_of_all() >= id;
}

std::size_t NewsHub::listeners() const {
    const std::scoped_lock lock(mutex_);
    return listeners_.size();
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
    const auto shown = around_.shown();
    for (auto one = news.rbegin(); one != news.rend(); ++one) {
        const bool first = told.emplace(one->topic, one->upstream, one->pr, one->downstream).second;
        if (!first || !is_shown(*one, shown)) {
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
