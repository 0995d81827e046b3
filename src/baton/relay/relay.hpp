#pragma once

#include "baton/async/blocking_pool.hpp"
#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/profile.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/chance.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/notices.hpp"
#include "baton/ports/quota_exchange.hpp"
#include "baton/ports/sink.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/relay/allowlist_keeper.hpp"
#include "baton/relay/callbacks.hpp"
#include "baton/relay/commit_book.hpp"
#include "baton/relay/courier.hpp"
#include "baton/relay/dispatcher.hpp"
#include "baton/relay/gate_watch.hpp"
#include "baton/relay/intake.hpp"
#include "baton/relay/ladder_watch.hpp"
#include "baton/relay/planner.hpp"
#include "baton/relay/poster.hpp"
#include "baton/relay/pruner.hpp"
#include "baton/relay/reconciler.hpp"
#include "baton/relay/recovery.hpp"
#include "baton/relay/rerunner.hpp"
#include "baton/relay/schedules.hpp"
#include "baton/relay/sweeper.hpp"
#include "baton/relay/token_mint.hpp"
#include "baton/relay/upstream.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace baton::relay {

/// Everything between a verified webhook and a sent dispatch, over ports only: the same object runs
/// in the real process and in the simulation. All of it lives on one executor; only `intake`,
/// `callbacks`, `allowlists` and `wake` may be used from others.
class Relay {
public:
    struct Settings {
        InstanceId instance;
        domain::RetryPolicy retry;
        Millis start_timeout{std::chrono::hours{2}};
        Millis run_timeout{std::chrono::hours{6}};
        domain::GateRules gate{};
        Millis canary_every{0};                   // 0: no canaries
        std::optional<domain::Profile> profile{}; // of the ladder; none: nobody is judged
        Millis day_length{std::chrono::hours{24}};
        std::map<RepoName, RepoName> probes{}; // by upstream
        std::string page{};                    // of the HUD, for links
        std::int64_t app_id{0}; // of our GitHub App; 0: every App's buttons are obeyed
        Millis recovery_every{};
        Millis bodies_for{std::chrono::days{30}};              // payloads are kept so long
        Millis results_for{std::chrono::days{396}};            // and results so long
        int callbacks_per_minute{limits::kCallbacksPerMinute}; // of one downstream
        ports::Mode mode{ports::Mode::live};                   // a shadow is given a ShadowGithub
    };

    struct Surroundings {
        boost::asio::any_io_executor executor;
        ports::Store& store;
        ports::Github& github;
        ports::Clock& clock;
        ports::Chance& chance;
        ports::Journal& journal;
        std::vector<std::shared_ptr<ports::Sink>> sinks{}; // told of each result; a shadow has none
        std::vector<std::shared_ptr<ports::Sink>> receivers{}; // of notifications; nor these
        ports::Levels* levels{nullptr};   // what the ladder reads and keeps; none: nobody is judged
        ports::Notices* notices{nullptr}; // where receivers are known from; none: nobody is told
        async::BlockingPool* pool{nullptr}; // for what takes a while; none: all on the executor
        /// Replicas on one store: whether this one does what only one has to do. None: it is alone.
        std::function<bool()> leads{};
        ports::QuotaExchange* quotas{nullptr}; // what they tell each other of GitHub's limits
        /// Wakes the others for what this one will not do any more.
        std::function<boost::asio::awaitable<Result<void>>()> tell_others{};
    };

    Relay(Settings settings, std::vector<Upstream> upstreams, Surroundings around);

    /// Takes over what a dead process left, recalls allowlists and keys, then starts to plan and
    /// send. On an error nothing runs.
    boost::asio::awaitable<Result<void>> start();

    /// Lets the attempts under way end within `wait`, then cancels what is left and joins
    /// everything.
    boost::asio::awaitable<void> stop(Millis wait);

    /// The process is as good as dead: cancels everything at once and joins it.
    boost::asio::awaitable<void> abandon();

    Intake& intake() { return intake_; }

    Callbacks& callbacks() { return callbacks_; }

    const AllowlistBook& allowlists() const { return book_; }

    void wake(); // any thread: look at once for what another process wrote

private:
    /// The net under each loop: a surprise is told, and a second later the loop goes on.
    boost::asio::awaitable<void> keep_up(std::function<boost::asio::awaitable<void>()> loop);
    boost::asio::awaitable<Result<void>> enter_mode();
    boost::asio::awaitable<Result<void>> adopt();
    boost::asio::awaitable<void> renew_keys();
    boost::asio::awaitable<void>
    mind_replicas(); // keys of theirs, and what they leave when they die
    void note_lead(bool leads);
    boost::asio::awaitable<void> share_quotas(); // apart: it waits for nobody
    boost::asio::awaitable<void> hand_over();
    boost::asio::awaitable<void> cancel_after(Millis wait);
    void wake_tellers(); // any thread: all it wakes stands from the constructor on
    void finish_sending();
    void cancel_sending();

    Settings settings_;
    Surroundings around_;
    AllowlistBook book_;
    TokenMint mint_;
    Dispatcher dispatcher_;
    Planner planner_;
    std::vector<std::unique_ptr<AllowlistKeeper>> keepers_;
    Intake intake_;
    CommitBook commits_;
    Callbacks callbacks_;
    Recovery recovery_;
    Sweeper sweeper_;
    Pruner pruner_;
    Schedules schedules_;
    Reconciler reconciler_;
    Poster poster_;
    Rerunner rerunner_;
    GateWatch gate_watch_;
    LadderWatch ladder_watch_;
    std::vector<std::unique_ptr<Courier>> couriers_;
    async::TaskGroup
        loops_; // keepers, planner, recovery, sweeper, pruner, schedules, reconciler, key renewal
    bool led_{false};          // at the last look, where there are replicas
    async::TaskGroup sending_; // dispatcher, couriers and poster: they are let finish
};

} // namespace baton::relay
