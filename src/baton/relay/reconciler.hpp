#pragma once

#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/checks.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_book.hpp"

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

/// Works out what should stand on each commit that something happened to, and writes it down: facts
/// in, wishes out. The poster makes GitHub agree. Asks GitHub nothing. Relay's executor.
class Reconciler {
public:
    static constexpr std::size_t kAtOnce = 8; // subjects side by side

    struct Surroundings {
        boost::asio::any_io_executor executor;
        ports::Store& store;
        ports::Clock& clock;
        ports::Journal& journal;
        const AllowlistBook& book;
        std::function<void()> on_wanted; // wakes the poster and the rerunner
    };

    Reconciler(std::map<RepoName, domain::CheckRules> rules, Surroundings around);

    void wake(); // any thread
    /// Looks for ever, until cancelled.
    boost::asio::awaitable<void> run();
    /// Cancels what is looked at side by side; `run` is cancelled by its owner.
    void cancel();

    /// Whatever was under way has ended.
    boost::asio::awaitable<void> join() { return side_by_side_.join(); }

private:
    boost::asio::awaitable<bool> look_at_due(); // true: more is waiting already
    boost::asio::awaitable<void> look_at(ports::Look look);
    boost::asio::awaitable<Result<ports::PostingCommit>> decide(ports::Look look);
    boost::asio::awaitable<Result<void>> look_again_where_lists_changed();
    void trouble(std::string detail);

    std::map<RepoName, domain::CheckRules> rules_;
    Surroundings around_;
    std::map<RepoName, std::shared_ptr<const domain::Allowlist>> seen_lists_;
    std::size_t settled_{0};
    std::unique_ptr<ports::Bell> bell_;
    async::TaskGroup side_by_side_;
};

} // namespace baton::relay
