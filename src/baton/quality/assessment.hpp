#pragma once

#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What somebody says about one platform and one release, and what it rests on.
namespace baton::quality {

using Day = std::chrono::sys_days;

std::string to_text(Day day); // 2026-10-20
std::optional<Day> parse_day(std::string_view text);

/// A minor release, "2.14"; patch releases are no points of a history (A28).
struct Release {
    int major{0};
    int minor{0};

    friend auto operator<=>(const Release&, const Release&) = default;
};

std::string to_text(Release release);
std::optional<Release> parse_release(std::string_view text); // "2.14.1" is none

struct Backend {
    std::string kind; // "privateuse1", "in-tree", "own-key"
    std::string device;
    std::string package;
    std::string repo;
};

struct Platform {
    std::string id; // one platform for each operating system (A33)
    std::string name;
    std::string vendor;
    std::string family{"accelerator"}; // `class` in the file: accelerator or cpu
    std::string version;
    std::string os;
    Backend backend;
    std::map<std::string, std::string> stack; // driver: "7.2.1"
    std::vector<std::string> hardware;
    std::vector<std::string> targets; // inference, training, single-node, distributed
    Position at;
};

enum class Status : std::uint8_t { draft = 1, submitted, reviewed, decided };

struct Assessed {
    std::optional<Day> on;
    std::vector<std::string> by;
    Status status{Status::draft};
    std::string requests; // the level whose documentation is asked for; empty: none
    Position at;
};

struct Window {
    Day from{};
    Day to{};
};

struct Evidence {
    std::string id;
    std::string type; // one of kEvidenceTypes
    std::string file; // beside the assessment, inside its folder
    std::string url;
    std::string sha256; // of the file
    std::string digest; // of what was measured, where it is no file
    std::optional<Day> captured;
    std::optional<Window> window;
    std::string metric;
    std::string run;
    std::string query;
    std::string signed_by;
    bool open{true}; // `public` in the file: readable without logging in
    std::string note;
    Position at;
};

inline constexpr std::string_view kEvidenceTypes[]{
    "junit", "log", "file", "url", "statement", "ci-metric", "issue-query", "perf"
};

enum class ClaimKind : std::uint8_t { met = 1, unmet, partial, measured, unknown, exempt };
std::string_view name_of(ClaimKind kind);

enum class CheckState : std::uint8_t { pass = 1, fail, unknown };

/// `{num, den}` for shares, named figures for the rest.
struct Value {
    std::optional<std::int64_t> num;
    std::optional<std::int64_t> den;
    std::map<std::string, Amount> figures;
    Position at;
};

enum class ReviewVerdict : std::uint8_t { accept = 1, reject, adjust };

struct Review {
    std::string by;
    std::optional<Day> on;
    ReviewVerdict verdict{ReviewVerdict::accept};
    int points{0}; // of an adjusted item
    std::string reason;
    Position at;
};

struct Reference { // to an evidence, where it stands
    std::string id;
    Position at;
};

struct Claim {
    std::string item;
    ClaimKind kind{ClaimKind::unknown};
    std::vector<Reference> evidence;
    std::vector<Reference> parts;
    bool rest_unknown{false}; // of a partial claim: what is not named is unknown, not unmet
    std::map<std::string, CheckState> checks;
    std::optional<Value> value;
    Effort effort;
    bool blocked{false};                      // nothing can be done about it now
    std::vector<std::string> blocked_options; // parts or steps that nothing can be done about
    std::vector<std::string> needs; // `requires` in the file: items that must be whole before
    std::string reason;             // of an exemption
    std::string plan;
    std::string note;
    std::optional<Review> review;
    Position at;     // of the claim
    Position key_at; // of the item's id
};

struct Decision { // the maintainers' own, which may differ from what was computed (A32)
    std::string level;
    std::optional<Day> on;
    std::string by;
    std::string link;
    Position at;
};

enum class ProcessStep : std::uint8_t {
    proposal = 1,
    working_group_review,
    council_review,
    maintainers_decision,
    documentation
};
std::string_view name_of(ProcessStep step); // "working-group-review"

struct ProcessEntry {
    ProcessStep step{ProcessStep::proposal};
    std::optional<Day> on; // absent: not yet
    std::string link;
    std::string outcome;
    Position at;
};

struct Process {
    std::vector<ProcessEntry> steps;
    std::optional<Day> due; // of the next assessment
};

enum class Support : std::uint8_t { none = 1, partial, full };
std::string_view name_of(Support support);

struct SupportEntry {
    std::string feature;
    Support support{Support::none};
    std::string note;
    Position at;
};

struct Signature {
    std::string role; // vendor, reviewer, relay
    std::string key;
    std::string value;
    Position at;
};

struct Previous {
    Release release;
    std::string digest; // of the assessment before
    Position at;
};

/// What a relay knows of the platform; written by `collect`, compared by lint.
struct RelayFacts {
    std::map<std::string, std::int64_t> baseline; // item: what the denominator should be (Q021)
    std::optional<Value> flaky_observed;          // Q022
    std::optional<int> relay_level;               // Q023
    std::vector<std::string> reporting; // targets whose tests report results: "distributed"
    Position at;
};

struct Assessment {
    std::string set;
    std::string version;
    std::optional<Reading> reading; // absent: the set's own
    Position criteria_at;
    Platform platform;
    Release release;
    std::optional<Day> released; // when that release came out
    Position release_at;
    Assessed assessed;
    std::vector<Evidence> evidence; // in file order
    std::vector<Claim> claims;      // in file order, each item once
    Position items_at;
    std::optional<Decision> decision;
    Process process;
    std::vector<SupportEntry> support;
    std::vector<Signature> signatures;
    std::optional<Previous> previous;
    RelayFacts facts;
    std::string digest; // of the content without signatures: docs/design/quality.md, "Digests"

    const Claim* claim(std::string_view item) const;
    const Evidence* find_evidence(std::string_view id) const;
};

} // namespace baton::quality
