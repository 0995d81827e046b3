#pragma once

#include "baton/base/ids.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/signature.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Whose failure it is, as far as the evidence goes. It is shown, and decides nothing: no code that
/// decides a gate or a level may include this (tools/lint).
namespace baton::domain {

enum class Whose : std::uint8_t {
    pr = 1,  // this pull request's
    trunk,   // the upstream's, whatever the pull request
    backend, // the downstream's
    infra,   // of the machines it ran on
    relay,   // ours
    flake,   // nobody's: chance
    unknown,
};

inline constexpr std::array kWhose{
    Whose::pr,
    Whose::trunk,
    Whose::backend,
    Whose::infra,
    Whose::relay,
    Whose::flake,
    Whose::unknown,
};

std::string_view name_of(Whose whose);

enum class Confidence : std::uint8_t { low = 1, medium, high };

std::string_view name_of(Confidence confidence);

/// The rules, as docs/design/failures.md numbers them.
enum class Rule : std::uint8_t {
    together = 1,
    seen_elsewhere,
    job_broken,
    passed_again,
    no_results,
    relay_trouble,
    triage,
    overruled,
};

std::string_view name_of(Rule rule);

struct Evidence {
    Rule rule{};
    Whose verdict{Whose::unknown};
    int weight{1}; // 1 to 10
    std::string text;
    std::string link; // page that shows it; empty: none

    friend bool operator==(const Evidence&, const Evidence&) = default;
};

struct Attribution {
    Whose verdict{Whose::unknown};
    Confidence confidence{Confidence::low};
    std::vector<Evidence> evidence; // heaviest first
    std::string would_change;

    friend bool operator==(const Attribution&, const Attribution&) = default;
};

/// Where else one signature of the cell was seen. Sets of downstreams may hold the cell's own.
struct SeenSignature {
    ClusterId cluster{};
    std::set<RepoName> on_commit; // with it on this commit
    std::set<RepoName> on_trunk;  // with it on trunk, lately
    std::set<RepoName> on_pulls;  // with it on other pull requests, lately
    std::size_t other_pulls{0};   // how many of those
};

/// A downstream's own opinion.
struct Triage {
    enum class Category : std::uint8_t { upstream = 1, backend, infra, flake, unknown };

    Category category{Category::unknown};
    Confidence confidence{Confidence::low};
};

std::optional<Triage> triage_named(std::string_view category, std::string_view confidence);

/// A person's word.
struct Override {
    Whose verdict{Whose::unknown};
    std::string by;
    std::string reason;
};

/// One cell that failed, timed out or is flaky, and what is known around it.
struct FailureFacts {
    RepoName downstream;
    CellOutcome outcome{CellOutcome::failure};
    std::vector<SeenSignature> signatures; // of its failed tests
    bool tests_told{false};                // some result of a test came with it
    bool relay_said{false};                // that it ended is the relay's word: it was lost
    std::size_t died_early{0
    }; // jobs there on this commit, that failed within minutes without results
    std::optional<CellOutcome> on_trunk; // of the same job
    std::size_t recent_failed{0};        // of the same job on other pull requests
    std::size_t recent{0};               // how many of those tell something
    int sendings{1};                     // attempts to send its dispatch
    bool skewed{false};                  // their clock is off
    std::optional<Triage> triage;
    std::optional<Override> said;
};

inline constexpr std::size_t kOtherPullsMin = 3; // unrelated pull requests that clear this one
inline constexpr std::size_t kRecentMin = 5;     // fewer tell nothing of a job
inline constexpr std::size_t kDiedEarlyMin = 3;  // jobs at once
inline constexpr int kTriageWeightMax = 2;

/// The order of the facts does not matter.
Attribution attribute(const FailureFacts& facts);

/// What is known of a cluster as a whole.
struct ClusterFacts {
    std::set<RepoName> downstreams;
    std::size_t pulls{0};
    bool on_trunk{false};
};

Whose verdict_of(const ClusterFacts& facts);

/// How many of them are independent: different owners.
std::size_t owners_of(const std::set<RepoName>& downstreams);

// --- trunk

enum class AgainstBase : std::uint8_t { fresh = 1, existing, fixed, unknown };

std::string_view name_of(AgainstBase against);

/// nullopt: nothing to tell; it has not ended, tells nothing, or passes and did not fail there.
std::optional<AgainstBase> against_base(CellOutcome here, std::optional<CellOutcome> trunk);

} // namespace baton::domain
