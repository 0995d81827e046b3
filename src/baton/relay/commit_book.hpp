#pragma once

#include "baton/base/ids.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <memory>
#include <optional>

namespace baton::relay {

/// Whether an upstream has a commit, asked from GitHub and remembered: self-reports of one night
/// name the same commit many times.
class CommitBook {
public:
    struct Surroundings {
        boost::asio::any_io_executor executor; // GitHub's
        ports::Github& github;
        ports::Clock& clock;
    };

    explicit CommitBook(Surroundings around);
    CommitBook(const CommitBook&) = delete;
    CommitBook& operator=(const CommitBook&) = delete;
    ~CommitBook();

    /// nullopt: GitHub could not say within limits::kCommitWait. Any thread.
    boost::asio::awaitable<std::optional<bool>> has(RepoName upstream, HeadSha commit);

    /// Ends what is under way: whoever waits is told nullopt. On the book's executor.
    boost::asio::awaitable<void> close();

private:
    struct State;
    std::shared_ptr<State> state_; // questions that arrive after the end find it closed
};

} // namespace baton::relay
