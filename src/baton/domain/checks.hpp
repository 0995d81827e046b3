#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

/// What should stand on a commit: a pure function of what is known.
namespace baton::domain {

struct CheckRules {
    std::string prefix{"crcr"};
    std::vector<std::string> label_prefixes;
    std::string page; // of the HUD: "https://relay.example"; links are made from it
    GateRules gate;
    bool gate_always{false}; // also while no level 4 downstream is listed
    bool comment{false};     // one comment per pull request
};

/// One listed downstream of level 3 or 4 and what it was asked and said about this subject.
struct DownstreamFacts {
    GatePartFacts part; // `run` only when there is one
    bool dispatched{false};
    std::vector<Run> earlier; // older generations and deliveries of this head, newest first
};

struct CheckFacts {
    Subject subject;
    std::optional<PullRequest> pull_request;  // none: the merge queue
    TimePoint first_at{};                     // when the subject was first heard of
    std::vector<DownstreamFacts> downstreams; // listed ones of level 3 and 4
    bool awaits_plan{false};                  // who is to be told is not decided yet
    bool gated{false};                        // some level 4 downstream is listed
    std::vector<Check> standing;              // our checks on this head, as last wanted
    std::string comment;                      // ours on the pull request, as last wanted
    std::map<JobId, ReportDetail> details;    // of jobs that failed, as far as they were read
};

struct Wanted {
    std::vector<Check> checks;
    std::string comment; // empty: nothing to say (and nothing was said)
    std::vector<NewRerun> reruns;
    std::optional<TimePoint> look_at; // when time alone may change something

    friend bool operator==(const Wanted&, const Wanted&) = default;
};

/// `crcr/owner/repo/workflow/job`, cut so that GitHub takes it and two stay two.
std::string check_name(std::string_view prefix, const Job& job);

Wanted checks_wanted(const CheckFacts& facts, const CheckRules& rules, TimePoint now);

} // namespace baton::domain
