#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/connection.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// The verbs of ports::Operators as plain functions over one connection: what they say is said
/// there, and how they fail in verbs.hpp.
namespace baton::store::sql::operators {

// --- operators_refusals.cpp
void keep_refusals(Connection& db, const std::vector<ports::Refusal>& refusals);
std::vector<ports::RefusalGroup> refusals(Connection& db, const ports::RefusalQuery& query);
std::vector<ports::RefusalTotal> refusal_totals(Connection& db, TimePoint from);

// --- operators_lists.cpp
ports::GivenUpPage given_up(Connection& db, const ports::GivenUpQuery& query);
ports::LetterViewPage dead_letters(Connection& db, const ports::LetterViewQuery& query);
std::map<std::int64_t, std::vector<ports::DispatchStanding>>
standings(Connection& db, const std::vector<std::int64_t>& deliveries);
std::vector<ports::DownstreamEvent>
downstream_events(Connection& db, const RepoName& downstream, std::size_t limit);
std::vector<ports::AllowlistVersion>
allowlist_versions(Connection& db, const RepoName& upstream, std::size_t limit);
ports::StoreState state(Connection& db, const std::vector<std::string>& sinks, TimePoint now);
std::vector<ports::LedgerLine> acts(Connection& db, const ports::ActQuery& query);

// --- operators_acts.cpp
std::vector<ports::Note> notes(Connection& db, const ports::NoteQuery& query);
std::vector<ports::Acknowledgement> acknowledgements(Connection& db, TimePoint now);
ports::Note annotate(Connection& db, ports::Note note, const ports::ActedBy& by);
Result<ports::Note> remove_note(Connection& db, std::int64_t id, const ports::ActedBy& by);
void acknowledge(
    Connection& db, const ports::Acknowledgement& acknowledgement, const ports::ActedBy& by
);
bool lift_acknowledgement(Connection& db, const std::string& key, const ports::ActedBy& by);
bool order_rerun(Connection& db, const domain::NewRerun& order, const ports::ActedBy& by);
void suspend(Connection& db, const domain::Suspension& suspension, const ports::ActedBy& by);
std::size_t resume(Connection& db, const ports::Resumption& resumption, const ports::ActedBy& by);
Result<std::size_t>
redeliver(Connection& db, const ports::RedeliverQuery& query, const ports::ActedBy& by);

} // namespace baton::store::sql::operators
