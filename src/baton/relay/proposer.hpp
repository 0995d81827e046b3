#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/letter.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/github_writing.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/sink.hpp"
#include "baton/wire/proposal.hpp"

#include <boost/asio/awaitable.hpp>

#include <map>
#include <optional>
#include <string>

namespace baton::relay {

/// Puts proposed changes of a list before its keepers, as pull requests: of the notifications it is
/// sent it takes those that propose, at the upstreams it is given, and is done with all others.
///
/// Branch, commit and pull request are found by the proposal's own name before they are made, so
/// that a try that was cut short anywhere is gone on with and nothing is made twice. What GitHub
/// refuses for good (no right, no such branch, a list that a person has to change) ends the letter.
/// Relay's executor.
class Proposer final : public ports::Sink {
public:
    static constexpr const char* kName = "proposals"; // what its letters are addressed to

    struct Settings {
        std::map<RepoName, domain::WatchedFile> lists; // by upstream: where a change is proposed
        std::string page;                              // of the HUD, for links
    };

    struct Surroundings {
        ports::Github& github;
        ports::GithubWriting& writing;
        ports::Levels& levels;
        ports::Clock& clock;
    };

    Proposer(Settings settings, Surroundings around);

    const std::string& name() const override { return name_; }

    boost::asio::awaitable<domain::SinkAnswer> deliver(ports::TakenLetter letter) override;

private:
    /// What one proposal is about; nullopt: it does not hold any more.
    boost::asio::awaitable<Result<std::optional<wire::ProposalFacts>>>
    facts_of(RepoName upstream, RepoName downstream, TimePoint at);
    boost::asio::awaitable<Result<std::string>>
    propose(RepoName upstream, RepoName downstream, TimePoint at);
    /// The list with the change in it, on a branch of its own; false: it stands so already.
    boost::asio::awaitable<Result<bool>>
    commit(wire::ProposalFacts* facts, domain::WatchedFile list);
    boost::asio::awaitable<Result<ports::PullPlace>>
    open(wire::ProposalFacts facts, domain::WatchedFile list);

    Settings settings_;
    Surroundings around_;
    std::string name_{kName};
};

} // namespace baton::relay
