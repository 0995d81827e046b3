#pragma once

#include "baton/api/actors.hpp"
#include "baton/api/admins.hpp"
#include "baton/api/health.hpp"
#include "baton/api/hud.hpp"
#include "baton/api/news_hub.hpp"
#include "baton/api/refusal_keeper.hpp"
#include "baton/async/task_group.hpp"
#include "baton/base/time.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/quota.hpp"
#include "baton/hud/desk.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/levels.hpp"
#include "baton/hud/overview.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"
#include "baton/relay/allowlist_book.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
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
        ports::Operators& operators;
        ports::Levels& levels;
        hud::LadderRules ladder; // by what downstreams are judged
        ports::Clock& clock;
        ports::Journal& journal;
        const ports::Github& github; // asked on the relay's executor only
        const relay::AllowlistBook& allowlists;
        const api::Readiness& readiness;
        std::function<void()> wake; // the relay looks at once; any thread
        bool shadow{false};
    };

    explicit Hud(Surroundings around);

    std::vector<net::Route> routes();
    /// Tells open pages what changes, writes refused reports down and looks at GitHub's quotas, for
    /// ever, until the group is cancelled. On the relay's executor.
    void start(async::TaskGroup& group);

    /// A report was refused. Any thread.
    void keep(ports::Refusal refusal) { refusals_.note(std::move(refusal)); }

    /// Admin tokens and platforms of a configuration that was read anew; files that are faulty are
    /// shown, not complained about. Any thread.
    void reload(const config::Config& fresh);
    /// We are stopping: open streams end, so that nobody waits for them.
    void close();

private:
    void read_quality(const config::Quality& folders);
    std::vector<hud::ListInForce> lists() const;
    hud::RelayState relay_state() const;
    api::RelayFacts facts() const;
    std::shared_ptr<const hud::QualityShelf> quality() const;
    boost::asio::awaitable<void> watch_quotas();

    Surroundings around_;
    TimePoint started_at_;
    hud::Desk desk_;
    api::Admins admins_;
    api::Actors actors_;
    api::NewsHub hub_;
    api::RefusalKeeper refusals_;
    mutable std::mutex mutex_;
    std::vector<domain::QuotaView> quotas_;            // guarded
    std::shared_ptr<const hud::QualityShelf> quality_; // guarded
};

/// Where people see what an API address serves: https://github.com for GitHub's own, the same host
/// for an Enterprise server, nothing for a simulator.
std::string github_page(const std::string& api_url);

} // namespace baton::app
