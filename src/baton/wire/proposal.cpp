#include "baton/wire/proposal.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/markdown.hpp"
#include "baton/wire/bundle_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace baton::wire {

namespace {

constexpr std::size_t kSentenceMost = 500;

/// What git and every shell take in a name.
std::string plain(std::string text) {
    std::ranges::replace_if(
        text,
        [](char c) {
            const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            return !letter && !(c >= '0' && c <= '9') && c != '_';
        },
        '-'
    );
    return text;
}

std::string evidence(const ProposalFacts& facts) {
    if (!facts.figures_shown) {
        return "It is not listed as open, so its figures are in the bundle alone.\n\n";
    }
    return criteria_table(facts.criteria) + "\n";
}

std::string page_line(const ProposalFacts& facts) {
    if (facts.public_url.empty() || !facts.figures_shown) {
        return {};
    }
    return fmt::format("- Its page: {}/b/{}/level\n", facts.public_url, facts.downstream.text());
}

} // namespace

std::string proposal_branch(const ProposalFacts& facts) {
    return fmt::format(
        "baton/level-{}-to-{}-{}-{}",
        plain(facts.downstream.text()),
        name_of(facts.proposal.to),
        facts.move,
        to_ms(facts.at)
    );
}

std::string proposal_title(const ProposalFacts& facts) {
    return fmt::format(
        "{}: from {} to {}",
        facts.downstream.text(),
        name_of(facts.proposal.from),
        name_of(facts.proposal.to)
    );
}

std::string proposal_text(const ProposalFacts& facts) {
    auto out = fmt::format(
        "Baton proposes to list `{}` at {} instead of {} for `{}`: {}\n\n",
        facts.downstream.text(),
        name_of(facts.proposal.to),
        name_of(facts.proposal.from),
        facts.upstream.text(),
        domain::inert_sentence(facts.proposal.reason, kSentenceMost)
    );
    out += fmt::format(
        "Judged as of {} (UTC) by profile `{}`.\n\n", day_text(facts.as_of), facts.profile
    );
    out += evidence(facts);
    out += "## Checking this\n\n";
    out += fmt::format("- Digest of the days behind it: `{}`\n", facts.digest);
    out += page_line(facts);
    out += fmt::format(
        "- The relay's operator writes the whole evidence, signed, with `baton levels bundle {} "
        "--upstream {} --as-of {} --out bundle --key PRIVATE.pem`; `verdict.json` has the same "
        "digest as `days_digest`.\n"
        "- `baton levels verify bundle --key PUBLIC.pem` tells whether anybody changed it; it "
        "needs neither a store nor a network.\n\n",
        facts.downstream.text(),
        facts.upstream.text(),
        day_text(facts.as_of)
    );
    out += "Baton merges nothing: that is for the keepers of this list. Closing it is an answer "
           "too; the same proposal is not opened twice.\n";
    return out;
}

} // namespace baton::wire
