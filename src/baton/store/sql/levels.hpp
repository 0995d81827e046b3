#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sql/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The verbs of ports::Levels as plain functions over one connection: what they say is said there,
/// and how they fail in verbs.hpp. Each searches the window it is asked for; none walks through
/// history.
namespace baton::store::sql::levels {

// --- levels_evidence.cpp
Result<domain::LadderEvidence> evidence(Connection& db, const ports::EvidenceQuery& query);

// --- levels_own_verdict.cpp
/// What a downstream itself says of its failure, in one word; empty: nothing, or it is gone.
std::string own_verdict_of(Connection& db, JobId job);

// --- levels_sending.cpp
ports::SendingHealth
sending(Connection& db, const RepoName& upstream, const ports::ViewWindow& window);

// --- levels_reading.cpp
std::vector<ports::KeptLadder>
ladders(Connection& db, const RepoName& upstream, const ports::ViewWindow& window);
Result<std::vector<ports::KeptEvaluation>> evaluations(
    Connection& db, const RepoName& upstream, const RepoName& downstream, std::size_t limit
);
std::vector<ports::KeptTransition> transitions(Connection& db, const ports::TransitionQuery& query);

// --- levels_writing.cpp
void commit(Connection& db, const ports::LadderCommit& commit);
Result<void> rule(Connection& db, const domain::LadderRuling& ruling);

// --- levels_pulls.cpp
Result<void> note_pull(Connection& db, const ports::ProposalPull& pull);

// --- levels_ends.cpp: rehearsals at level 1, answers before level 4
void note_rehearsal(Connection& db, const ports::NewRehearsal& rehearsal);

/// What a downstream at level 1 told of a dispatch.
struct Rehearsal {
    TimePoint started_at{};
    std::optional<TimePoint> ended_at;
    std::size_t reports{0};
};

std::optional<Rehearsal> rehearsal_of(Connection& db, std::int64_t dispatch);
void note_answer(Connection& db, const ports::NewAnswer& answer);
std::vector<domain::OncallAnswer>
answers(Connection& db, const RepoName& upstream, const ports::ViewWindow& window);
/// Whether a check of it stands on the pull request that it was sent for.
bool is_shown(Connection& db, const RepoName& upstream, const domain::LadderEvent& event);

// --- levels_reds.cpp
/// What is kept from `from` on gives way to what was counted.
void put_reds(
    Connection& db, const RepoName& upstream, const ports::CountedDays& counted, TimePoint from
);
ports::RedView reds(Connection& db, const ports::RedQuery& query);

// --- levels_text.cpp: what is kept as JSON. Only this store reads it; what does not read is empty.
std::string text_of(const domain::LadderDay& day);
domain::LadderDay day_from(std::string_view text);
/// Streaks, earlier moves and the proposal: all that has no column of its own.
std::string text_of(const domain::LadderStanding& standing);
void detail_into(domain::LadderStanding& standing, std::string_view text);
std::string text_of(const std::vector<std::string>& rules);
std::vector<std::string> rules_from(std::string_view text);

} // namespace baton::store::sql::levels
