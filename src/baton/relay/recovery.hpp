#pragma once

#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace baton::relay {

/// Finds what GitHub sent and never reached the ledger, and asks for it again: walks GitHub's
/// delivery log from its newest line back to where the last walk began. A hole that the log no
/// longer covers is closed from the open pull requests. Relay's executor.
class Recovery {
public:
    struct Settings {
        std::vector<RepoName> upstreams;
        Millis every{};
        bool ask{true}; // false: only look, and leave the mark where it is
    };

    struct Surroundings {
        boost::asio::any_io_executor executor;
        ports::Store& store;
        ports::Github& github;
        ports::Clock& clock;
        ports::Journal& journal;
        std::function<void()> on_rebuilt; // wakes the planner
    };

    Recovery(Settings settings, Surroundings around);

    /// A store that never saw a walk begins its account now: what an earlier relay was sent is not
    /// ours. Before anything is taken in.
    boost::asio::awaitable<Result<void>> begin();

    /// Walks a moment after the start and then every `every`, for ever.
    boost::asio::awaitable<void> run();

    struct Report {
        ports::HookLogWalked walked;
        std::size_t rebuilt{0};               // deliveries made from open pull requests
        std::vector<domain::SentHook> astray; // not here when the walk had ended, oldest first
    };

    /// One walk, from where the last one ended; `since` set: that far back, whatever was looked
    /// through before.
    boost::asio::awaitable<Result<Report>> walk(std::optional<TimePoint> since);

    void cancel(); // what is asked for side by side

private:
    struct LogRead {
        std::size_t lines{0};
        std::optional<TimePoint> newest; // by GitHub's clock
    };

    boost::asio::awaitable<Result<LogRead>> read_log(TimePoint since);

    /// What several take from side by side.
    struct Pile {
        std::vector<domain::SentHook> to_ask; // the oldest last
        std::size_t asked{0};
    };

    boost::asio::awaitable<Result<Report>> ask_for_astray();
    boost::asio::awaitable<void> ask_from(std::shared_ptr<Pile> pile);
    boost::asio::awaitable<Result<std::size_t>> rebuild(RepoName upstream, TimePoint since);
    boost::asio::awaitable<Result<bool>>
    rebuild_one(RepoName upstream, ports::PullView pull, TimePoint since);
    boost::asio::awaitable<Result<void>> account_for_yesterday(TimePoint now);
    void trouble(std::string detail);

    Settings settings_;
    Surroundings around_;
    async::TaskGroup side_by_side_;
};

} // namespace baton::relay
