#pragma once

#include "baton/api/listener.hpp"
#include "baton/base/limits.hpp"
#include "baton/hud/shown.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/views.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace baton::api {

/// Asks the store for news, once for everybody who listens. docs/design/hud.md tells why nothing is
/// missed and nothing comes twice.
class NewsHub {
public:
    static constexpr std::chrono::milliseconds kLook{200};
    static constexpr std::size_t kPage = 1'000;
    /// Streams stay open: they may have half of all connections, so that webhooks find one.
    static constexpr std::size_t kListenersMax = limits::kConnectionsMax / 2;

    struct Surroundings {
        ports::Views& views;
        ports::Clock& clock;
        std::function<hud::Shown()> shown; // what everybody may see now
    };

    explicit NewsHub(Surroundings around);

    /// Looks for ever, until cancelled. Once.
    boost::asio::awaitable<void> run();

    struct Place {
        std::shared_ptr<Listener> listener;
        std::int64_t after{0}; // everything behind this id will be told
    };

    /// nullopt when too many listen already, or when we are stopping.
    std::optional<Place> join(const boost::asio::any_io_executor& executor);
    /// Whether everything up to this id was told to those who listen.
    bool has_told(std::int64_t id) const;
    std::size_t listeners() const;
    void leave(const std::shared_ptr<Listener>& listener);
    /// We are stopping: whoever listens is let go.
    void close();

    /// News as they are sent, of several about one subject only the newest; empty when there is
    /// nothing for everybody to see.
    std::string text_of(const std::vector<ports::News>& news) const;
    static std::string resync_text(std::int64_t newest);

private:
    boost::asio::awaitable<bool> look();
    bool empty() const;
    std::int64_t place_of_all() const;
    void tell_all(const ports::NewsPage& page, std::size_t wanted);

    Surroundings around_;
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<Listener>> listeners_; // guarded, as all below
    std::int64_t after_{0};
    bool closed_{false};
};

} // namespace baton::api
