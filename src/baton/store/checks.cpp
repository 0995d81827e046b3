#include "baton/store/checks.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::store {

namespace {

constexpr std::string_view kGateEnding = "/gate";

void hold(Hold& held, const InstanceId& holder, TimePoint until) {
    held.holder = holder;
    held.until = until;
    ++held.fence;
}

void let_go(Hold& held) {
    held.holder = {};
    held.until = TimePoint{};
}

template <class Row> bool is_held(const Row* row, Fence fence) {
    return row != nullptr && row->hold.taken() && Fence{row->hold.fence} == fence;
}

/// Out of step from now on, as if it had never been tried.
void begin_waiting(PostingRow& row, TimePoint now) {
    row.state = PostingState::waiting;
    row.attempts = 0;
    row.wanted_since = now;
    row.due_at = now;
}

void rest(PostingRow& row, PostingState state) {
    row.state = state;
    row.due_at.reset();
}

} // namespace

// --- looks and runs

std::optional<domain::Subject> look_of(const domain::Dispatch& dispatch, domain::Level reported) {
    const auto level = std::max(dispatch.level, reported);
    if (level < domain::Level::l3 || !dispatch.pr || dispatch.head.empty()) {
        return std::nullopt;
    }
    return domain::Subject{.upstream = dispatch.upstream, .pr = dispatch.pr, .head = dispatch.head};
}

Result<void> check_looks(const ports::PlanCommit& commit) {
    const auto nowhere = [](const domain::Subject& subject) { return subject.head.empty(); };
    if (std::ranges::any_of(commit.plan.looks, nowhere)) {
        return fail(
            Errc::invalid,
            fmt::format("the plan of delivery {} wants a look at no commit", commit.delivery.text())
        );
    }
    return {};
}

bool matches(const ports::RunsQuery& query, const domain::Dispatch& dispatch) {
    const auto& types = query.event_types;
    return dispatch.upstream == query.upstream &&
           (!query.downstream || dispatch.key.downstream == *query.downstream) &&
           (!query.pr || dispatch.pr == query.pr) &&
           (query.head.empty() || dispatch.head == query.head) &&
           (types.empty() || std::ranges::find(types, dispatch.event_type) != types.end()) &&
           (query.ref.empty() || dispatch.ref == query.ref);
}

bool has_come_far_enough(const ports::RunsQuery& query, const domain::Run& run) {
    return !query.started_only || !run.jobs.empty() || run.silent_at.has_value();
}

// --- postings

std::string_view name_of(PostingState state) {
    switch (state) {
    case PostingState::waiting:
        return "waiting";
    case PostingState::in_step:
        return "in_step";
    case PostingState::given_up:
        return "given_up";
    }
    return "";
}

std::optional<PostingState> posting_state_named(std::string_view name) {
    for (const auto state :
         {PostingState::waiting, PostingState::in_step, PostingState::given_up}) {
        if (name_of(state) == name) {
            return state;
        }
    }
    return std::nullopt;
}

std::string_view name_of(ports::PostingKind kind) {
    return kind == ports::PostingKind::check ? "check" : "comment";
}

bool is_gate(const ports::Posting& posting) {
    return posting.kind == ports::PostingKind::check && posting.check.name.ends_with(kGateEnding);
}

ports::KeptPosting shown(const PostingRow& row) {
    auto posting = row.posting;
    posting.in_step = row.state == PostingState::in_step;
    return posting;
}

PostingRow new_posting(const ports::Posting& wanted, TimePoint now) {
    PostingRow row;
    static_cast<ports::Posting&>(row.posting) = wanted;
    begin_waiting(row, now);
    return row;
}

bool wish(PostingRow& row, const ports::Posting& wanted, TimePoint now) {
    auto& known = static_cast<ports::Posting&>(row.posting);
    if (known == wanted) {
        return false;
    }
    known = wanted;
    ++row.version;
    if (row.state == PostingState::given_up) {
        row.posting.trouble.clear();
    }
    if (row.state != PostingState::waiting) { // else it goes out when the old wish would have
        begin_waiting(row, now);
    }
    return true;
}

ports::TakenPosting take(PostingRow& row, const ports::PostingQuery& query) {
    ++row.attempts;
    hold(row.hold, query.holder, query.until);
    row.due_at = query.until; // a lease that runs out is due again
    ports::TakenPosting taken{
        .posting = shown(row),
        .version = row.version,
        .perhaps_there = row.perhaps_there,
        .attempts = row.attempts,
        .wanted_since = row.wanted_since,
        .fence = Fence{row.hold.fence},
    };
    row.perhaps_there = !row.posting.github_id; // until its end is written down
    return taken;
}

Result<void> end(PostingRow* held, const ports::PostingEnd& end) {
    if (!is_held(held, end.fence)) {
        return fail(
            Errc::conflict, fmt::format("the lease on posting {} is no longer held", end.id)
        );
    }
    auto& row = *held;
    auto id = end.forget_id ? std::nullopt : row.posting.github_id;
    id = end.github_id ? end.github_id : id;
    if (end.done && !id) {
        return fail(Errc::invalid, fmt::format("posting {} cannot be done without an id", end.id));
    }
    let_go(row.hold);
    row.posting.github_id = id;
    row.posting.calls += end.calls;
    row.posting.trouble = end.done ? std::string() : end.detail;
    row.perhaps_there = !end.certain && !id;
    const bool wanted_otherwise = row.version != end.version;
    if (!end.done && end.again_at) {
        row.due_at = end.again_at;
    } else if (wanted_otherwise) {
        begin_waiting(row, end.now);
    } else {
        row.attempts = 0;
        rest(row, end.done ? PostingState::in_step : PostingState::given_up);
    }
    return {};
}

void free_hold(PostingRow& row, TimePoint now) {
    let_go(row.hold);
    row.due_at = now;
}

void leave_behind(PostingRow& row) {
    let_go(row.hold);
    row.posting.trouble = kShadowLeft;
    rest(row, PostingState::given_up);
}

// --- re-runs

RerunRow new_rerun(const domain::NewRerun& order, const DeliveryId& delivery, TimePoint now) {
    RerunRow row;
    static_cast<domain::NewRerun&>(row.order) = order;
    row.order.created_at = now;
    row.delivery = delivery;
    row.due_at = now;
    return row;
}

ports::TakenRerun take(RerunRow& row, const ports::RerunQuery& query) {
    ++row.attempts;
    hold(row.hold, query.holder, query.until);
    row.due_at = query.until;
    return {.order = row.order, .attempts = row.attempts, .fence = Fence{row.hold.fence}};
}

Result<void> end(RerunRow* held, const ports::RerunEnd& end) {
    if (!is_held(held, end.fence)) {
        return fail(
            Errc::conflict, fmt::format("the lease on re-run {} is no longer held", end.id)
        );
    }
    let_go(held->hold);
    held->order.detail = end.detail;
    held->order.state = end.state.value_or(domain::RerunState::waiting);
    if (held->order.state == domain::RerunState::waiting) {
        held->due_at = end.again_at.value_or(end.now);
    } else {
        held->due_at.reset();
        held->order.ended_at = end.now;
    }
    return {};
}

ports::RedeliverQuery afresh_of(const domain::Rerun& order, const ports::RerunEnd& end) {
    using domain::DispatchState;
    return {
        .delivery = end.afresh,
        .downstream = order.downstream,
        .states =
            {DispatchState::sent,
             DispatchState::started,
             DispatchState::finished,
             DispatchState::failed,
             DispatchState::dead},
        .now = end.now,
        .actor = order.actor,
        .limit = 1,
    };
}

Result<void> nothing_to_dispatch(std::int64_t id) {
    return fail(
        Errc::not_found,
        fmt::format("what re-run {} would dispatch afresh is no longer current", id)
    );
}

void free_hold(RerunRow& row, TimePoint now) {
    let_go(row.hold);
    row.due_at = now;
}

void leave_behind(RerunRow& row, TimePoint now) {
    let_go(row.hold);
    row.due_at.reset();
    row.order.state = domain::RerunState::refused;
    row.order.ended_at = now;
    row.order.detail = kShadowLeft;
}

// --- gate suspensions

bool replaces(const domain::GateSuspension& suspension, const domain::GateSuspension& before) {
    auto same_time = before;
    same_time.since = suspension.since;
    return same_time != suspension && (suspension.by_hand || !before.by_hand);
}

} // namespace baton::store
