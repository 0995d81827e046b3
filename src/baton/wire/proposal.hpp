#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/profile.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// A proposed change of the list as a pull request: docs/design/proposals.md. Equal facts are equal
/// bytes.
namespace baton::wire {

struct ProposalFacts {
    std::int64_t move{0}; // its line in the ledger of levels
    RepoName upstream;
    RepoName downstream;
    domain::LevelProposal proposal;
    TimePoint at{}; // when it was decided
    TimePoint as_of{};
    std::string profile; // "baton/1"
    std::string digest;  // of the days behind it
    std::vector<domain::CriterionVerdict> criteria;
    bool figures_shown{true}; // not those of private ones
    std::string public_url;   // of the relay's pages; empty: no links
};

/// One name for each proposal, whoever asks and however often: what was begun is found by it.
std::string proposal_branch(const ProposalFacts& facts);

/// Also the first line of the commit.
std::string proposal_title(const ProposalFacts& facts);

/// Markdown: what is asked for and why, each criterion, the digest, and how to check all of it.
std::string proposal_text(const ProposalFacts& facts);

} // namespace baton::wire
