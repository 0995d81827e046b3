#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

/// The lives of postings and re-runs, and whose checks have to be looked at: decided the same way
/// in every store, which only fetches and keeps.
namespace baton::store {

/// Whose checks may have to change when something happened to a dispatch; nullopt: nobody's.
/// `reported` is the level that a report about it was taken at.
std::optional<domain::Subject>
look_of(const domain::Dispatch& dispatch, domain::Level reported = domain::Level::l1);

/// `invalid` when the plan wants a look at no commit.
Result<void> check_looks(const ports::PlanCommit& commit);

/// Whether a run that has these is one of those asked for, whatever became of it.
bool matches(const ports::RunsQuery& query, const domain::Dispatch& dispatch);

/// Whether it is asked for by how far it came.
bool has_come_far_enough(const ports::RunsQuery& query, const domain::Run& run);

// --- postings

enum class PostingState : std::uint8_t { waiting = 1, in_step, given_up };

std::string_view name_of(PostingState state);
std::optional<PostingState> posting_state_named(std::string_view name);
std::string_view name_of(ports::PostingKind kind);

bool is_gate(const ports::Posting& posting);

/// Who works on a row and until when.
struct Hold {
    InstanceId holder;
    TimePoint until{}; // the epoch: nobody does
    std::int64_t fence{0};

    bool taken() const { return until != TimePoint{}; }
};

/// A posting with what only the store knows of it.
struct PostingRow {
    ports::KeptPosting posting; // `in_step` is written by `shown`
    PostingState state{PostingState::waiting};
    std::int64_t version{1}; // of what is wanted
    bool perhaps_there{false};
    int attempts{0};
    TimePoint wanted_since{};
    std::optional<TimePoint> due_at; // while waiting; under a lease, its end
    Hold hold;
};

ports::KeptPosting shown(const PostingRow& row);
PostingRow new_posting(const ports::Posting& wanted, TimePoint now);
/// False when it is what is wanted already.
bool wish(PostingRow& row, const ports::Posting& wanted, TimePoint now);
ports::TakenPosting take(PostingRow& row, const ports::PostingQuery& query);
/// An error changes nothing. `held` says what is there, if anything.
Result<void> end(PostingRow* held, const ports::PostingEnd& end);
/// Its holder is dead: it is due at once.
void free_hold(PostingRow& row, TimePoint now);
/// What waits at the end of a shadow's time is not for GitHub.
void leave_behind(PostingRow& row);

// --- re-runs

struct RerunRow {
    domain::Rerun order;
    DeliveryId delivery; // whose plan ordered it; empty: a look did
    int attempts{0};
    std::optional<TimePoint> due_at; // while waiting; under a lease, its end
    Hold hold;
};

RerunRow new_rerun(const domain::NewRerun& order, const DeliveryId& delivery, TimePoint now);
ports::TakenRerun take(RerunRow& row, const ports::RerunQuery& query);
Result<void> end(RerunRow* held, const ports::RerunEnd& end);
/// What the end of an order dispatches afresh, and the answer when there is no such thing.
ports::RedeliverQuery afresh_of(const domain::Rerun& order, const ports::RerunEnd& end);
Result<void> nothing_to_dispatch(std::int64_t id);
void free_hold(RerunRow& row, TimePoint now);
void leave_behind(RerunRow& row, TimePoint now);

// --- gate suspensions

/// Whether the new one takes the place of the other.
bool replaces(const domain::GateSuspension& suspension, const domain::GateSuspension& before);

} // namespace baton::store
