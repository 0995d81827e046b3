#pragma once

#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/domain/share.hpp"
#include "baton/ports/chance.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/relay/body_cache.hpp"
#include "baton/relay/token_mint.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace baton::relay {

/// Sends what is due: leases it (which records the attempt), calls GitHub, writes down how it
/// ended. What to do next is decided by domain::share_out before and domain::judge after; this is
/// the loop that obeys. Relay's executor.
class Dispatcher {
public:
    struct Settings {
        InstanceId instance;
        std::vector<RepoName> upstreams;
        domain::RetryPolicy retry;
        Millis run_timeout{
        }; // how long a sent dispatch counts as running when nobody says it ended
    };

    struct Surroundings {
        boost::asio::any_io_executor executor;
        ports::Store& store;
        ports::Github& github;
        ports::Clock& clock;
        ports::Chance& chance;
        ports::Journal& journal;
        const AllowlistBook& book;
        const TokenMint& mint;
    };

    Dispatcher(Settings settings, Surroundings around);

    void wake(); // any thread
    /// Sends for ever, until told to finish.
    boost::asio::awaitable<void> run();
    /// Leases nothing new; `run` returns once the attempts under way have ended.
    void finish();
    /// Cuts the attempts under way short: their outcome stays unknown, as after a crash.
    void cancel();

private:
    /// One request under way to a downstream, counted for as long as it lives.
    class Flight {
    public:
        Flight(Dispatcher& dispatcher, const domain::Dispatch& dispatch);
        Flight(Flight&& other) noexcept;
        Flight& operator=(Flight&&) = delete;
        ~Flight();

    private:
        Dispatcher* dispatcher_; // null once moved from
        DispatchId id_;
        RepoName downstream_;
    };

    boost::asio::awaitable<TimePoint> send_due();
    void fill_in(domain::Waiting& waiting) const;
    boost::asio::awaitable<void> attempt(ports::LeasedDispatch leased, Flight flight);
    boost::asio::awaitable<domain::Answer> send(domain::Dispatch dispatch);
    boost::asio::awaitable<void> settle(
        ports::LeasedDispatch leased,
        domain::Answer answer,
        domain::Verdict verdict,
        TimePoint began
    );
    boost::asio::awaitable<Result<domain::DispatchState>> write_down(ports::Settlement settlement);
    void learn_from(const domain::Dispatch& dispatch, const domain::Answer& answer);
    /// Why it is not to be sent after all; nullopt: send it.
    std::optional<domain::Verdict> objection(const domain::Dispatch& dispatch) const;
    std::map<RepoName, Millis> own_run_timeouts() const;
    bool is_paused(const RepoName& downstream) const;
    std::size_t flights_of(const std::string& account) const;
    void trouble(std::string detail, bool healed);

    Settings settings_;
    Surroundings around_;
    BodyCache bodies_;
    std::unique_ptr<ports::Bell> bell_;
    bool finishing_{false};
    std::size_t unsettled_{0}; // attempts whose end the store has not taken yet
    std::map<RepoName, std::size_t> in_flight_;
    std::set<DispatchId> under_way_;
    std::set<RepoName> troubled_; // no answer last time: one probe at a time
    async::TaskGroup attempts_;
};

} // namespace baton::relay
