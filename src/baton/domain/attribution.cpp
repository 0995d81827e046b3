#include "baton/domain/attribution.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/attribution_evidence.hpp"
#include "baton/domain/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

constexpr int kDecides = 10;

struct Sum {
    int weight{0};
    Whose verdict{Whose::unknown};
};

/// The two heaviest verdicts that more than an opinion speaks for.
std::pair<Sum, Sum> heaviest(const std::vector<Evidence>& evidence) {
    std::map<Whose, int> sums;
    for (const auto& one : evidence) {
        sums[one.verdict] += one.rule == Rule::triage ? 0 : one.weight;
    }
    for (const auto& one : evidence) {
        if (one.rule == Rule::triage && sums[one.verdict] > 0) {
            sums[one.verdict] += one.weight;
        }
    }
    std::vector<Sum> ranked;
    ranked.reserve(sums.size());
    for (const auto& [verdict, weight] : sums) {
        ranked.push_back({.weight = weight, .verdict = verdict});
    }
    std::ranges::sort(ranked, {}, [](const Sum& sum) {
        return std::tuple(-sum.weight, sum.verdict);
    });
    ranked.resize(2);
    return {ranked[0], ranked[1]};
}

Confidence confidence_of(int weight, int ahead) {
    constexpr int kHigh = 6;
    constexpr int kHighAhead = 4;
    constexpr int kMedium = 4;
    constexpr int kMediumAhead = 2;
    if (weight >= kHigh && ahead >= kHighAhead) {
        return Confidence::high;
    }
    return weight >= kMedium && ahead >= kMediumAhead ? Confidence::medium : Confidence::low;
}

std::string_view would_change(Whose verdict) {
    switch (verdict) {
    case Whose::pr:
        return "The same failure on trunk, or on three other pull requests, would clear this one.";
    case Whose::trunk:
        return "A trunk run of these downstreams without the failure would make it this pull "
               "request's again.";
    case Whose::backend:
        return "The same failure at a downstream of another owner would make it trunk's.";
    case Whose::infra:
        return "Test results from a re-run would tell whether the code fails.";
    case Whose::relay:
        return "A run that was sent at the first attempt and fails the same way would clear the "
               "relay.";
    case Whose::flake:
        return "Failing again on every attempt of another commit would make it a failure.";
    case Whose::unknown:
        return "A re-run, a nightly of this downstream, or the same failure at another downstream "
               "would tell.";
    }
    return "";
}

Attribution overruled(const Override& said, std::vector<Evidence> evidence) {
    evidence.push_back({
        .rule = Rule::overruled,
        .verdict = said.verdict,
        .weight = kDecides,
        .text = fmt::format("{} says so: {}", said.by, said.reason),
        .link = {},
    });
    return {
        .verdict = said.verdict,
        .confidence = Confidence::high,
        .evidence = std::move(evidence),
        .would_change = "Only whoever said so, or somebody else who may.",
    };
}

} // namespace

Attribution attribute(const FailureFacts& facts) {
    auto evidence = evidence_of(facts);
    Attribution made;
    if (facts.said) {
        made = overruled(*facts.said, std::move(evidence));
    } else {
        const auto [first, second] = heaviest(evidence);
        const bool decided = first.weight > second.weight;
        made.verdict = decided ? first.verdict : Whose::unknown;
        made.confidence = confidence_of(first.weight, first.weight - second.weight);
        made.evidence = std::move(evidence);
        made.would_change = would_change(made.verdict);
    }
    std::ranges::sort(made.evidence, {}, [](const Evidence& one) {
        return std::tuple(-one.weight, one.rule);
    });
    return made;
}

Whose verdict_of(const ClusterFacts& facts) {
    const bool many_owners = owners_of(facts.downstreams) > 1;
    if (facts.on_trunk || facts.pulls >= kOtherPullsMin) {
        return many_owners ? Whose::trunk : Whose::backend;
    }
    return many_owners && facts.pulls == 1 ? Whose::pr : Whose::unknown;
}

std::size_t owners_of(const std::set<RepoName>& downstreams) {
    std::set<std::string_view> owners;
    for (const auto& repo : downstreams) {
        owners.insert(std::string_view(repo.key()).substr(0, repo.key().find('/')));
    }
    return owners.size();
}

std::optional<AgainstBase> against_base(CellOutcome here, std::optional<CellOutcome> trunk) {
    if (fails(here)) {
        if (!trunk) {
            return AgainstBase::unknown;
        }
        return passes(*trunk) ? AgainstBase::fresh : AgainstBase::existing;
    }
    return passes(here) && trunk && fails(*trunk) ? std::optional(AgainstBase::fixed)
                                                  : std::nullopt;
}

} // namespace baton::domain
