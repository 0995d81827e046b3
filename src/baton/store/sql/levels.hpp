#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sql/connection.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The verbs of ports::Levels as plain functions over one connection: what they say is said there,
/// and how they fail in verbs.hpp. Each searches the window it is asked for; none walks through
/// history.
namespace baton::store::sql::levels {

// --- levels_evidence.cpp
Result<domain::LadderEvidence> evidence(Connection& db, const ports::EvidenceQuery& query);
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
