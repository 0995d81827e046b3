#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/profile.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/view_window.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

/// One evaluation of everybody at one upstream: facts in, what is to be written out. No store, no
/// clock.
namespace baton::relay {

inline constexpr int kCountedDays = ports::kRedDays; // counted anew at each evaluation
inline constexpr int kEvidenceDays = 16;             // so that the oldest of those have their base

/// What has to be read for an evaluation as of that midnight.
ports::ViewWindow evidence_window(TimePoint as_of, Millis day_length);
/// Long enough for every criterion.
ports::ViewWindow
history_window(const domain::Profile& profile, TimePoint as_of, Millis day_length);

struct LadderRound {
    RepoName upstream;
    RepoName probe{}; // made to fail: neither judged nor a voice; empty: there is none
    const domain::Allowlist& allowlist;
    const domain::Profile& profile;
    Millis day_length{std::chrono::hours{24}};
    TimePoint as_of{};
    TimePoint now{};
    domain::LadderEvidence evidence;
    std::vector<ports::KeptLadder> ladders;
    ports::SendingHealth sending; // of the day before `as_of`
    std::string actor{"baton"};
};

struct LadderResult {
    ports::LadderCommit commit;
    std::size_t judged{0};
    std::size_t violated{0};
    std::string frozen; // why nobody moved
};

LadderResult judge_round(LadderRound round);

} // namespace baton::relay
