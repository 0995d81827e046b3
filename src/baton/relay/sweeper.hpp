#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_book.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace baton::relay {

/// Goes round every half minute and does what nobody else comes to do: results that did not come in
/// time become results themselves, commits that GitHub could not vouch for are asked for again, and
/// listed repositories are pinned to their numbers. Relay's executor.
class Sweeper {
public:
    struct Settings {
        std::vector<RepoName> upstreams;
        Millis start_timeout{};
        Millis run_timeout{};
        std::vector<std::string> sinks; // told of each job that the relay ends
    };

    struct Surroundings {
        ports::Store& store;
        ports::Github& github;
        ports::Clock& clock;
        ports::Journal& journal;
        const AllowlistBook& book;
        std::function<void()> on_recorded;                // wakes who follows results
        std::function<bool()> leads{[] { return true; }}; // whether this is ours to do
    };

    Sweeper(Settings settings, Surroundings around);

    /// Goes round for ever. Not at once: whoever waited for the door to open may still come in.
    boost::asio::awaitable<void> run();

    /// One round; each part goes on when another fails.
    boost::asio::awaitable<void> round();

private:
    boost::asio::awaitable<Result<void>> sweep();
    boost::asio::awaitable<Result<void>> recheck_commits();
    boost::asio::awaitable<Result<std::vector<domain::Job>>> next_to_recheck();
    boost::asio::awaitable<Result<void>> pin_repositories();
    boost::asio::awaitable<Result<bool>> pin(RepoName repo);
    ports::SweepQuery question() const;
    void tell(const ports::Swept& swept);
    std::vector<RepoName> unpinned() const;
    void trouble(std::string detail);

    Settings settings_;
    Surroundings around_;
    std::set<RepoName> pinned_;
    std::set<JobId> asked_in_vain_; // commits that wait for their next turn behind the others
    std::map<RepoName, TimePoint> ask_again_; // repositories that GitHub could not tell about
};

} // namespace baton::relay
