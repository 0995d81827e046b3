#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/breaker.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/notices.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/relay/rights_book.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace baton::relay {

/// Keeps a dead or broken downstream from holding up merges: looks at the newest runs of everyone
/// who blocks, suspends their part of the gate and lets it count again. Sends canaries, so that
/// health is known without pull requests. Relay's executor.
class GateWatch {
public:
    struct Settings {
        std::vector<RepoName> upstreams;
        domain::BreakerRules rules;
        Millis canary_every{0}; // 0: no canaries
    };

    struct Surroundings {
        ports::Store& store;
        ports::Github& github;
        ports::Clock& clock;
        ports::Journal& journal;
        const AllowlistBook& book;
        ports::Notices* notices{nullptr};    // none: nobody outside is told
        std::function<void()> on_moved;      // wakes the reconciler and those who tell people
        std::function<void()> on_dispatched; // wakes the dispatcher
        std::function<bool()> leads{[] { return true; }}; // whether this is ours to do
    };

    GateWatch(Settings settings, Surroundings around);

    boost::asio::awaitable<void> run();

private:
    using Pair = std::pair<RepoName, RepoName>; // upstream, downstream

    boost::asio::awaitable<Result<void>> round();
    boost::asio::awaitable<Result<void>> watch(
        RepoName upstream, domain::Downstream downstream, std::vector<domain::GateSuspension> all
    );
    boost::asio::awaitable<Result<domain::BreakerFacts>> facts_about(
        RepoName upstream,
        domain::Downstream downstream,
        std::optional<domain::GateSuspension> suspension
    );
    boost::asio::awaitable<Result<void>>
    note_concern(RepoName upstream, domain::Downstream downstream);
    std::optional<TimePoint> note_resumed(Pair pair, bool suspended, TimePoint now);
    boost::asio::awaitable<Result<domain::BreakerFacts>> with_authors(domain::BreakerFacts facts);
    boost::asio::awaitable<Result<void>>
    send_canary(RepoName upstream, domain::Downstream downstream);
    void trouble(std::string detail);

    Settings settings_;
    Surroundings around_;
    RightsBook rights_;
    std::set<Pair> suspended_;                // as of the last round
    std::map<Pair, TimePoint> resumed_at_;    // since the start
    std::map<Pair, ports::Concern> concerns_; // as the store has them
};

} // namespace baton::relay
