#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/outcome.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Whose fault a red outcome is, as far as levels go: by comparison with trunk and with others.
namespace baton::domain {

enum class ExclusionRule : std::uint8_t {
    trunk = 1,
    standing,
    pull_request,
    alone,
    false_alarm,
    overruled,
    unknown,
};

inline constexpr std::array kExclusionRules{
    ExclusionRule::trunk,
    ExclusionRule::standing,
    ExclusionRule::pull_request,
    ExclusionRule::alone,
    ExclusionRule::false_alarm,
    ExclusionRule::overruled,
    ExclusionRule::unknown,
};

std::string_view name_of(ExclusionRule rule);
std::optional<ExclusionRule> exclusion_rule_named(std::string_view name);

/// What a person said about an outcome.
struct LadderRuling {
    DispatchId dispatch{};
    std::string workflow;
    std::string job;
    bool excluded{false}; // not the downstream's
    std::string by;
    std::string reason;
    TimePoint at{};

    friend bool operator==(const LadderRuling&, const LadderRuling&) = default;
};

/// One outcome, judged. Without jobs an event has one outcome of its own, with empty names.
struct JudgedOutcome {
    std::size_t event{0}; // place in the events that were given
    std::string workflow;
    std::string job;
    OutcomeClass outcome{OutcomeClass::open};
    std::optional<ExclusionRule> rule; // of a red one
    bool excluded{false};
    bool repeated{false};    // standing breakage that counted already on its day
    bool provisional{false}; // `alone`, and not settled yet
    std::string evidence;    // one sentence with the rows it rests on; of a red one

    friend bool operator==(const JudgedOutcome&, const JudgedOutcome&) = default;
};

/// How pull requests ended, as far as is known; by number.
struct PullEnd {
    HeadSha head; // its newest
    std::optional<TimePoint> merged_at;
    std::optional<TimePoint> closed_at; // unmerged

    friend bool operator==(const PullEnd&, const PullEnd&) = default;
};

/// Callbacks of one downstream on one day, as the door saw them.
struct ReportCounts {
    RepoName downstream;
    TimePoint day{};
    std::size_t reports{0}; // refused ones too
    std::size_t invalid{0}; // refused: what they said was wrong
    std::size_t limited{0}; // refused: too many

    friend bool operator==(const ReportCounts&, const ReportCounts&) = default;
};

/// Somebody who was on call for the downstream said something on the pull request.
struct OncallAnswer {
    RepoName downstream;
    PrNumber pr{};
    TimePoint at{};

    friend bool operator==(const OncallAnswer&, const OncallAnswer&) = default;
};

struct LadderEvidence {
    std::vector<LadderEvent> events; // of one upstream, all downstreams; in any order
    std::map<PrNumber, PullEnd> pulls;
    std::vector<LadderRuling> rulings;
    std::vector<ReportCounts> reports;
    std::vector<OncallAnswer> answers; // in any order
    TimePoint until{};                 // as far as answers are known
};

/// Every outcome of every event, by event, workflow and job. The order of the evidence does not
/// matter.
std::vector<JudgedOutcome>
judge_outcomes(const LadderEvidence& evidence, Millis day_length = std::chrono::hours{24});

inline constexpr Millis kBaseAgeMax{std::chrono::hours{48}};
inline constexpr std::size_t kOthersRed = 2;

} // namespace baton::domain
