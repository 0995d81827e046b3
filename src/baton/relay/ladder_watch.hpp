#pragma once

#include "baton/async/blocking_pool.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/profile.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/levels.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/relay/ladder_round.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <vector>

namespace baton::relay {

/// Judges everybody once a day, each midnight in its order, and lets the book know who may do less
/// for a while. What it decides is one transaction, from which a start goes on; that a level holds
/// now the reconciler sees by the book. Relay's executor.
class LadderWatch {
public:
    struct Settings {
        std::vector<RepoName> upstreams;
        domain::Profile profile;
        Millis day_length{std::chrono::hours{24}};
        std::map<RepoName, RepoName> probes{}; // by upstream: made to fail, so nobody judges them
    };

    struct Surroundings {
        ports::Levels* levels{nullptr}; // none: nobody is judged
        ports::Clock& clock;
        ports::Journal& journal;
        AllowlistBook& book;
        std::function<void()> on_moved;     // wakes the reconciler and those who tell people
        async::BlockingPool* pool{nullptr}; // where it is judged; none: here, and nothing else runs
        std::function<bool()> leads{[] { return true; }}; // whether this is ours to do
    };

    LadderWatch(Settings settings, Surroundings around);

    /// Before anything is planned: the book learns what holds.
    boost::asio::awaitable<Result<void>> begin();
    boost::asio::awaitable<void> run();
    /// Judges as of every midnight that is due.
    boost::asio::awaitable<Result<void>> round();

private:
    boost::asio::awaitable<Result<void>> judge(RepoName upstream, TimePoint as_of);
    boost::asio::awaitable<Result<void>> catch_up(RepoName upstream);
    boost::asio::awaitable<LadderResult> judged(LadderRound round);
    void learn(
        const RepoName& upstream, const RepoName& downstream, const domain::LadderStanding& standing
    );
    void follow(const RepoName& upstream);
    std::vector<TimePoint> due(const RepoName& upstream) const;
    void tell(const LadderResult& result);

    Settings settings_;
    Surroundings around_;
    std::map<RepoName, TimePoint> judged_until_;
    std::map<RepoName, std::map<RepoName, domain::Level>> lowered_;
};

} // namespace baton::relay
