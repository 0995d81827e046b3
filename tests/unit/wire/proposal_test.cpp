#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"
#include "baton/wire/proposal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace baton::wire {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

ProposalFacts facts() {
    ProposalFacts made{
        .move = 12,
        .upstream = RepoName::parse("up/stream").value(),
        .downstream = RepoName::parse("acme/.github").value(),
        .proposal =
            {.from = domain::Level::l2,
             .to = domain::Level::l3,
             .since = from_ms(1'800'000'000'000),
             .reason = "every criterion is met"},
        .at = from_ms(1'800'000'000'123),
        .as_of = *parse_rfc3339("2027-01-15T00:00:00Z"),
        .profile = "baton/1",
        .digest = "d1",
        .public_url = "https://baton.example",
    };
    made.criteria.push_back({
        .criterion =
            {.id = "l3.pass",
             .figure = domain::Figure::pass_run,
             .window = 14,
             .comparison = domain::Comparison::at_least,
             .target = 0.85,
             .text = "whole runs pass"},
        .measured = {.value = 0.97, .n = 240, .lower = 0.94, .upper = 0.99},
        .met = domain::Met::yes,
        .advice = {},
    });
    return made;
}

TEST(Proposal, HasABranchOfItsOwnThatGitTakes) {
    EXPECT_EQ(proposal_branch(facts()), "baton/level-acme--github-to-L3-12-1800000000123");
    auto other = facts();
    other.move = 13;
    EXPECT_NE(proposal_branch(other), proposal_branch(facts()));
}

TEST(Proposal, SaysWhatIsAskedForWhyAndHowToCheckIt) {
    EXPECT_EQ(proposal_title(facts()), "acme/.github: from L2 to L3");
    EXPECT_THAT(
        proposal_text(facts()),
        AllOf(
            HasSubstr("list `acme/.github` at L3 instead of L2 for `up/stream`: every criterion"),
            HasSubstr("Judged as of 2027-01-15 (UTC) by profile `baton/1`."),
            HasSubstr("| `l3.pass` | whole runs pass | 14 d | >= 85.0 % | 97.0 % | 240 |"),
            HasSubstr("Digest of the days behind it: `d1`"),
            HasSubstr("https://baton.example/b/acme/.github/level"),
            HasSubstr("--as-of 2027-01-15 --out bundle --key PRIVATE.pem")
        )
    );
}

TEST(Proposal, ShowsNoFigureAndNoPageOfAPrivateDownstream) {
    auto secret = facts();
    secret.figures_shown = false;
    EXPECT_THAT(
        proposal_text(secret),
        AllOf(
            Not(HasSubstr("97.0")),
            Not(HasSubstr("baton.example")),
            HasSubstr("in the bundle alone")
        )
    );
}

TEST(Proposal, QuotesAStrangerAsCode) {
    auto made = facts();
    made.proposal.reason = "cc @everybody, fixes #1";
    EXPECT_THAT(proposal_text(made), HasSubstr("`cc @everybody, fixes #1`"));
}

} // namespace
} // namespace baton::wire
