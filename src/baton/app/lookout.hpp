#pragma once

#include "baton/api/health.hpp"
#include "baton/app/system_clock.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/obs/metrics.hpp"
#include "baton/oidc/token_identities.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_book.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <optional>
#include <vector>

namespace baton::app {

/// Looks at the store, GitHub, the allowlists and the issuers' keys every other second: keeps the
/// gauges and /readyz fresh and tells the journal when one of them goes away or comes back. Relay's
/// executor.
class Lookout {
public:
    struct Surroundings {
        ports::Store& store;
        ports::Github& github;
        const relay::AllowlistBook& allowlists;
        const oidc::TokenIdentities* identities; // null: nobody can call back
        SystemClock& clock;
        ports::Journal& journal;
        obs::Metrics& metrics;
        api::Readiness& readiness;
    };

    /// Until the first look every part counts as not ready.
    Lookout(const std::vector<RepoName>& upstreams, Surroundings around);

    boost::asio::awaitable<void> run();

private:
    struct Look {
        TimePoint now;
        std::chrono::steady_clock::time_point passed;
    };

    boost::asio::awaitable<void> look_around();
    boost::asio::awaitable<Result<void>> look_at_store(TimePoint now);
    boost::asio::awaitable<Result<void>> count(TimePoint now);
    void look_at_clock();

    Surroundings around_;
    std::optional<Look> last_look_;
    bool is_ahead_{false}; // of the clock that is gone by, and it was told
};

} // namespace baton::app
