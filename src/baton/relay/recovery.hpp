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
#include <map>
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
        bool asks{true}; // false: a shadow, that follows the log and asks for nothing
    };

    struct Surroundings {
        boost::asio::any_io_executor executor;
        ports::Store& store;
        ports::Github& github;
        ports::Clock& clock;
        ports::Journal& journal;
        std::function<void()> on_rebuilt;                 // wakes the planner
        std::function<bool()> leads{[] { return true; }}; // whether this is ours to do
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

    /// What `run` does each time: closes an old hole, walks, tells, and writes the accounts of days
    /// that ended.
    boost::asio::awaitable<Result<Report>> round();

    /// One walk, from where the last one ended; `since` set: that far back, whatever was looked
    /// through before. One that breaks off is taken up where it stopped.
    boost::asio::awaitable<Result<Report>> walk(std::optional<TimePoint> since);

    /// What such a walk would find. Asks for nothing and writes nothing.
    boost::asio::awaitable<Result<Report>> look(std::optional<TimePoint> since);

    void cancel(); // what is asked for side by side

private:
    /// How far a reading of the log has come.
    struct Reading {
        TimePoint since;                 // where it will end
        std::string cursor;              // of the next page; empty: the newest
        std::optional<TimePoint> newest; // by GitHub's clock
        std::size_t lines{0};            // in this walk
    };

    using Taker = std::function<boost::asio::awaitable<Result<void>>(std::vector<domain::HookTry>)>;

    boost::asio::awaitable<Result<TimePoint>> start_of(std::optional<TimePoint> since);
    /// Page after page until `since`; `reading` tells how far it came when that fails.
    boost::asio::awaitable<Result<void>> read_log(std::shared_ptr<Reading> reading, Taker take);
    boost::asio::awaitable<void> rebuild_what_the_log_forgot(TimePoint now);

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
    boost::asio::awaitable<Result<void>> account_for_days(TimePoint now);
    void trouble(std::string detail);

    Settings settings_;
    Surroundings around_;
    std::shared_ptr<Reading> unfinished_;
    std::map<RepoName, TimePoint> to_rebuild_; // upstreams, and since when
    std::size_t rebuilt_{0};
    std::optional<TimePoint> accounted_; // the day whose accounts before it are written
    async::TaskGroup side_by_side_;
};

} // namespace baton::relay
