#include "baton/domain/attribution_evidence.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

struct Weights {
    static constexpr int together = 6;
    static constexpr int all_seen = 7;
    static constexpr int half_seen = 4;
    static constexpr int trunk_red = 4;
    static constexpr int new_here = 4;
    static constexpr int job_broken = 5;
    static constexpr int passed_again = 9;
    static constexpr int died_together = 6;
    static constexpr int lost = 5;
    static constexpr int nothing_told = 3;
    static constexpr int sent_again = 2;
    static constexpr int skewed = 1;
};

bool is_elsewhere(const SeenSignature& seen) {
    return !seen.on_trunk.empty() || seen.other_pulls >= kOtherPullsMin;
}

std::string cluster_page(const SeenSignature& seen) {
    return "/clusters/" + to_text(seen.cluster);
}

/// What the signatures of a cell say when they are taken together.
struct Seen {
    std::size_t shared{0};    // on this commit at somebody independent
    std::size_t elsewhere{0}; // on trunk, or on enough other pull requests
    std::size_t trunk{0};     // of those: on trunk
    std::size_t shared_elsewhere{0};
    std::set<RepoName> on_commit;
    std::set<RepoName> anywhere; // but on this commit
    std::size_t other_pulls{0};  // of the signature with the most
    std::string shared_link;     // of the lowest cluster, so that the order does not matter
    std::string elsewhere_link;
};

void keep_lowest(std::string& link, std::string other) {
    link = link.empty() ? std::move(other) : std::min(link, other);
}

Seen taken_together(const FailureFacts& facts) {
    Seen all;
    for (const auto& one : facts.signatures) {
        auto here = one.on_commit;
        here.insert(facts.downstream);
        const bool shared = owners_of(here) > 1;
        const bool elsewhere = is_elsewhere(one);
        all.shared += shared ? 1 : 0;
        all.elsewhere += elsewhere ? 1 : 0;
        all.trunk += one.on_trunk.empty() ? 0 : 1;
        all.shared_elsewhere += shared && elsewhere ? 1 : 0;
        all.other_pulls = std::max(all.other_pulls, one.other_pulls);
        if (shared) {
            all.on_commit.insert(here.begin(), here.end());
            keep_lowest(all.shared_link, cluster_page(one));
        }
        if (elsewhere) {
            all.anywhere.insert(one.on_trunk.begin(), one.on_trunk.end());
            all.anywhere.insert(one.on_pulls.begin(), one.on_pulls.end());
            keep_lowest(all.elsewhere_link, cluster_page(one));
        }
    }
    return all;
}

// --- one function for each rule

std::optional<Evidence> together(const FailureFacts& facts, const Seen& seen) {
    if (seen.shared == 0) {
        return std::nullopt;
    }
    const bool known = seen.shared_elsewhere * 2 >= seen.shared && seen.shared_elsewhere > 0;
    return Evidence{
        .rule = Rule::together,
        .verdict = known ? Whose::trunk : Whose::pr,
        .weight = Weights::together,
        .text = fmt::format(
            "{} of its {} failures {} the same on this commit at {} downstreams of {} owners",
            seen.shared,
            facts.signatures.size(),
            seen.shared == 1 ? "is" : "are",
            seen.on_commit.size(),
            owners_of(seen.on_commit)
        ),
        .link = seen.shared_link,
    };
}

std::optional<Evidence> known_elsewhere(const FailureFacts& facts, const Seen& seen) {
    const auto count = facts.signatures.size();
    if (seen.elsewhere == 0 || seen.elsewhere * 2 < count) {
        return std::nullopt;
    }
    auto known_to = seen.anywhere;
    known_to.insert(facts.downstream);
    const auto owners = owners_of(known_to);
    return Evidence{
        .rule = Rule::seen_elsewhere,
        .verdict = owners > 1 ? Whose::trunk : Whose::backend,
        .weight = seen.elsewhere == count ? Weights::all_seen : Weights::half_seen,
        .text = fmt::format(
            "{} of its {} failures stood on trunk or on other pull requests in 14 days ({} on "
            "trunk, up to {} pull requests), at downstreams of {} {}",
            seen.elsewhere,
            count,
            seen.trunk,
            seen.other_pulls,
            owners,
            owners == 1 ? "owner" : "owners"
        ),
        .link = seen.elsewhere_link,
    };
}

/// The other side of the same rule: what passes on trunk and nobody else ever saw.
std::optional<Evidence> unknown_elsewhere(const FailureFacts& facts, const Seen& seen) {
    const auto fresh = facts.signatures.size() - seen.elsewhere;
    if (!facts.on_trunk || !passes(*facts.on_trunk) || fresh == 0 || seen.elsewhere >= fresh) {
        return std::nullopt;
    }
    return Evidence{
        .rule = Rule::seen_elsewhere,
        .verdict = Whose::pr,
        .weight = Weights::new_here,
        .text = fmt::format(
            "The job passes on trunk, and {} of its {} failures {} on fewer than {} other pull "
            "requests in 14 days",
            fresh,
            facts.signatures.size(),
            fresh == 1 ? "stood" : "stood each",
            kOtherPullsMin
        ),
        .link = {},
    };
}

std::optional<Evidence> seen_elsewhere(const FailureFacts& facts, const Seen& seen) {
    if (auto known = known_elsewhere(facts, seen)) {
        return known;
    }
    if (facts.on_trunk && fails(*facts.on_trunk)) {
        return Evidence{
            .rule = Rule::seen_elsewhere,
            .verdict = Whose::backend,
            .weight = Weights::trunk_red,
            .text = "The job fails on trunk too",
            .link = {},
        };
    }
    return unknown_elsewhere(facts, seen);
}

std::optional<Evidence> job_broken(const FailureFacts& facts) {
    if (facts.recent < kRecentMin || facts.recent_failed * 2 < facts.recent) {
        return std::nullopt;
    }
    return Evidence{
        .rule = Rule::job_broken,
        .verdict = Whose::backend,
        .weight = Weights::job_broken,
        .text = fmt::format(
            "The job failed on {} of the {} newest other pull requests",
            facts.recent_failed,
            facts.recent
        ),
        .link = "/b/" + facts.downstream.text(),
    };
}

std::optional<Evidence> passed_again(const FailureFacts& facts) {
    if (facts.outcome != CellOutcome::flaky) {
        return std::nullopt;
    }
    return Evidence{
        .rule = Rule::passed_again,
        .verdict = Whose::flake,
        .weight = Weights::passed_again,
        .text = "It passed and failed on this very commit",
        .link = {},
    };
}

std::optional<Evidence> no_results(const FailureFacts& facts) {
    if (facts.tests_told || !facts.signatures.empty()) {
        return std::nullopt;
    }
    const auto tell = [](int weight, std::string text) {
        return Evidence{
            .rule = Rule::no_results,
            .verdict = Whose::infra,
            .weight = weight,
            .text = std::move(text),
            .link = {},
        };
    };
    if (facts.died_early >= kDiedEarlyMin) {
        return tell(
            Weights::died_together,
            fmt::format(
                "{} jobs of the downstream failed within minutes on this commit, without results",
                facts.died_early
            )
        );
    }
    if (facts.relay_said) {
        return tell(Weights::lost, "It began and was never heard of again");
    }
    if (facts.outcome == CellOutcome::timed_out) {
        return tell(Weights::lost, "It timed out without telling of any test");
    }
    return tell(Weights::nothing_told, "It failed without telling of any test");
}

std::optional<Evidence> relay_trouble(const FailureFacts& facts) {
    const bool again = facts.sendings > 1;
    if (!again && !facts.skewed) {
        return std::nullopt;
    }
    auto text = again ? fmt::format("It took {} attempts to send it", facts.sendings)
                      : std::string("Its clock is more than a minute off");
    if (again && facts.skewed) {
        text += ", and its clock is more than a minute off";
    }
    return Evidence{
        .rule = Rule::relay_trouble,
        .verdict = Whose::relay,
        .weight = (again ? Weights::sent_again : 0) + (facts.skewed ? Weights::skewed : 0),
        .text = std::move(text),
        .link = {},
    };
}

bool speaks_for(const std::vector<Evidence>& evidence, Whose whose) {
    return std::ranges::find(evidence, whose, &Evidence::verdict) != evidence.end();
}

/// "upstream" may mean the pull request or trunk: as the rest of the evidence has it.
Whose meant_by(Triage::Category category, const std::vector<Evidence>& others) {
    switch (category) {
    case Triage::Category::upstream:
        return speaks_for(others, Whose::trunk) ? Whose::trunk : Whose::pr;
    case Triage::Category::backend:
        return Whose::backend;
    case Triage::Category::infra:
        return Whose::infra;
    case Triage::Category::flake:
        return Whose::flake;
    case Triage::Category::unknown:
        return Whose::unknown;
    }
    return Whose::unknown;
}

std::optional<Evidence> triage(const FailureFacts& facts, const std::vector<Evidence>& others) {
    if (!facts.triage || facts.triage->category == Triage::Category::unknown) {
        return std::nullopt;
    }
    const auto meant = meant_by(facts.triage->category, others);
    const bool backed = speaks_for(others, meant);
    return Evidence{
        .rule = Rule::triage,
        .verdict = meant,
        .weight = facts.triage->confidence == Confidence::high ? kTriageWeightMax : 1,
        .text = fmt::format(
            "The downstream's own triage says so ({} confidence){}",
            name_of(facts.triage->confidence),
            backed ? "" : "; nothing else does, so it does not count"
        ),
        .link = {},
    };
}

} // namespace

std::vector<Evidence> evidence_of(const FailureFacts& facts) {
    const auto seen = taken_together(facts);
    std::vector<Evidence> found;
    for (auto& one :
         {together(facts, seen),
          seen_elsewhere(facts, seen),
          job_broken(facts),
          passed_again(facts),
          no_results(facts),
          relay_trouble(facts)}) {
        if (one) {
            found.push_back(*one);
        }
    }
    if (auto opinion = triage(facts, found)) {
        found.push_back(*std::move(opinion));
    }
    return found;
}

} // namespace baton::domain
