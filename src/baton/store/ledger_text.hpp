#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace baton::ports {
struct ActedBy;
}

/// The words that every store writes the same way, so that a ledger reads alike whoever keeps it.
namespace baton::store {

inline constexpr std::string_view kPlanned = "planned";
inline constexpr std::string_view kRedelivered = "redelivered";
inline constexpr std::string_view kAllowlistInForce = "allowlist_in_force";
inline constexpr std::string_view kLeasesVoided = "leases_voided";
inline constexpr std::string_view kAskedAgain = "asked_again";
inline constexpr std::string_view kNotAskedAgain = "not_asked_again";
inline constexpr std::string_view kDayCompleted = "day_completed";
inline constexpr std::string_view kSuspended = "suspended";
inline constexpr std::string_view kResumed = "resumed";
inline constexpr std::string_view kTested = "tested";
inline constexpr std::string_view kRepinned = "repinned";
inline constexpr std::string_view kShadowBegan = "shadow_began";
inline constexpr std::string_view kShadowEnded = "shadow_ended";
inline constexpr std::string_view kNotPlanned = "not_planned";
inline constexpr std::string_view kPinned = "pinned";
inline constexpr std::string_view kSilent = "silent";
inline constexpr std::string_view kTimedOut = "timed_out";
inline constexpr std::string_view kStopped = "stopped"; // no end was heard of a job given up
inline constexpr std::string_view kReplaced = "replaced";
inline constexpr std::string_view kUnbound = "unbound";
inline constexpr std::string_view kCommitUnknown = "commit_unknown";
inline constexpr std::string_view kLettersRevived = "letters_revived";
inline constexpr std::string_view kScheduled = "scheduled";
inline constexpr std::string_view kScheduleMissed = "schedule_missed";
inline constexpr std::string_view kScheduleExcused = "schedule_excused";
inline constexpr std::string_view kPostingGivenUp = "posting_given_up";
inline constexpr std::string_view kRerunOrdered = "rerun_ordered";
inline constexpr std::string_view kRerunEnded = "rerun_ended";
inline constexpr std::string_view kGateSuspended = "gate_suspended";
inline constexpr std::string_view kGateResumed = "gate_resumed";

inline constexpr std::string_view kLadderDayRevised = "ladder_day_revised";
inline constexpr std::string_view kLadderRuled = "ladder_ruled"; // by hand

inline constexpr std::string_view kActed = "acted"; // by hand, through the API

inline constexpr std::string_view kPullRequestClosed = "the pull request was closed";
inline constexpr std::string_view kPullRequestReopened = "the pull request was reopened";
inline constexpr std::string_view kShadowLeft = "shadow: not sent";
inline constexpr std::string_view kSupersededUnstarted = "superseded before it started";
inline constexpr std::string_view kArrivedAfterAll = "it arrived, as a report of it says";
inline constexpr std::string_view kLimitLasts = "GitHub's limit did not let the request out";
inline constexpr std::string_view kOutcomeLost =
    "the relay that sent this stopped before it wrote the outcome down";

/// Whether the ledger has a line about an attempt that ended so: the others are told by their rows.
bool is_told(domain::DispatchState state);

/// Whether a plan has a line: the one that settles a delivery, and any other that sent something.
/// Waiting has none, nor has a replica that planned what another had planned already.
bool leaves_line(
    const ports::PlanCommit& commit, const ports::PlanReceipt& receipt, bool was_to_plan
);

/// Compact JSON: what was decided for each downstream and why, and what that did.
std::string planned_detail(const ports::PlanCommit& commit, const ports::PlanReceipt& receipt);

std::string superseded_by(const HeadSha& head);
std::string redelivered_by(const std::string& actor);
std::string redelivered_detail(const domain::Dispatch& before, const std::string& actor);
std::string allowlist_detail(const ports::AllowlistVersion& version);
std::string asked_again_detail(int asked);
std::string day_completed_detail(const domain::Completeness& day);
std::string leases_voided_detail(std::size_t count, const InstanceId& instance);
std::string suspended_detail(const domain::Suspension& suspension);
std::string resumed_detail(const domain::Suspension& suspension, const std::string& actor);
std::string tested_by(const std::string& actor);
std::string pin_detail(const std::optional<ports::Pin>& before, const ports::Pin& pin);
std::string shadow_ended_detail(const ports::ModeChange& change);

/// What a live relay left undone.
struct LiveWork {
    std::size_t pending{0}; // dispatches
    std::size_t to_plan{0}; // deliveries
    ports::CheckCounts checks;
};

bool is_any(const LiveWork& left);
/// Why a shadow may not start: what a live relay left would be withheld by it.
std::string shadow_refusal(const LiveWork& left);

/// A job and how it stands: "ci / test, run 101 attempt 1: success".
std::string words_for(const domain::Job& job);
std::string
letters_revived_detail(std::size_t count, const std::string& sink, const std::string& actor);
std::string scheduled_for(TimePoint due);
std::string schedule_missed_detail(const ports::MissedRun& run);

/// A check or comment by its name and place.
std::string posting_given_up_detail(const ports::KeptPosting& posting);
std::string rerun_ordered_detail(const domain::NewRerun& order);
std::string rerun_ended_detail(const domain::Rerun& order);
/// Compact JSON, with the evidence as it was given.
std::string gate_suspended_detail(const domain::GateSuspension& suspension);
std::string
gate_resumed_detail(const domain::GateSuspension& before, const ports::GateResumption& resumption);

/// Something that somebody did, for the audit.
struct Act {
    std::string_view action; // one of the words of the API
    std::string subject;
    std::string delivery; // empty: of none
    std::string text;
};

/// Compact JSON: action, actor, subject, reason, text.
std::string acted_detail(const ports::ActedBy& by, const Act& act);

/// A test as the plan that it is: one dispatch, and who wanted it as the reason.
ports::PlanCommit plan_of(const ports::TestDispatch& test);
ports::PlanCommit plan_of(const ports::ScheduledRun& run);

} // namespace baton::store
