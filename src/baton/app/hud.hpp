#pragma once

#include "baton/api/admins.hpp"
#include "baton/api/health.hpp"
#include "baton/api/news_hub.hpp"
#include "baton/base/time.hpp"
#include "baton/config/config.hpp"
#include "baton/hud/desk.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/overview.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"
#include "baton/relay/allowlist_book.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>
#include <vector>

namespace baton::app {

/// What people see of a serving relay: pages, API and stream, put together from the parts they
/// show.
class Hud {
public:
    struct Surroundings {
        const config::Config& config;
        ports::Store& store;
        ports::Views& views;
        ports::Clock& clock;
        const relay::AllowlistBook& allowlists;
        const api::Readiness& readiness;
        bool shadow{false};
    };

    explicit Hud(Surroundings around);

    std::vector<net::Route> routes();
    /// Tells open pages what changes, for ever, until cancelled.
    boost::asio::awaitable<void> run();
    /// The admin tokens of a configuration that was read anew. Any thread.
    void use_tokens(const config::Config& fresh);
    /// We are stopping: open streams end, so that nobody waits for them.
    void close();

private:
    std::vector<hud::ListInForce> lists() const;
    hud::RelayState relay_state() const;

    Surroundings around_;
    TimePoint started_at_;
    hud::Desk desk_;
    api::Admins admins_;
    api::NewsHub hub_;
};

/// Where people see what an API address serves: https://github.com for GitHub's own, the same host
/// for an Enterprise server, nothing for a simulator.
std::string github_page(const std::string& api_url);

} // namespace baton::app
