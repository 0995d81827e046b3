// The part of the tables that is about what stands on the upstream's pull requests: looks,
// postings, re-runs and the gate.

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/checks.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/memory/memory_tables.hpp"
#include "baton/store/notifying.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::store::memory {

namespace {

template <class Row> Row* row_with(std::map<std::int64_t, Row>& rows, std::int64_t id) {
    const auto at = rows.find(id);
    return at == rows.end() ? nullptr : &at->second;
}

/// Which of the walks that a query takes comes by this dispatch; nullopt: none that has an end.
std::optional<std::string>
walk_through(const ports::RunsQuery& query, const domain::Dispatch& dispatch) {
    if (!query.head.empty() || dispatch.upstream != query.upstream) {
        return std::nullopt;
    }
    if (!query.downstream) {
        return "";
    }
    return dispatch.key.downstream == *query.downstream ? std::optional(dispatch.event_type)
                                                        : std::nullopt;
}

} // namespace

// --- looks and runs

void Tables::raise_look(const domain::Subject& subject, TimePoint now) {
    const auto next = static_cast<std::int64_t>(looks_.size()) + 1;
    auto& row = looks_.try_emplace(subject, LookRow{.id = next, .first_at = now}).first->second;
    ++row.version;
    row.due_at = std::min(row.due_at.value_or(now), now);
}

void Tables::look_at(const domain::Dispatch& dispatch, TimePoint now, domain::Level reported) {
    if (const auto subject = look_of(dispatch, reported)) {
        raise_look(*subject, now);
    }
}

std::vector<ports::Look> Tables::looks(TimePoint now, std::size_t limit) const {
    std::vector<std::tuple<TimePoint, std::int64_t, ports::Look>> due;
    for (const auto& [subject, row] : looks_) {
        if (row.due_at && *row.due_at <= now) {
            due.emplace_back(
                *row.due_at,
                row.id,
                ports::Look{.subject = subject, .version = row.version, .first_at = row.first_at}
            );
        }
    }
    std::ranges::sort(due, {}, [](const auto& one) {
        return std::pair(std::get<0>(one), std::get<1>(one));
    });
    due.resize(std::min(due.size(), limit));
    std::vector<ports::Look> found;
    for (auto& [when, id, look] : due) {
        found.push_back(std::move(look));
    }
    return found;
}

std::vector<domain::Run> Tables::runs(const ports::RunsQuery& query) const {
    std::vector<domain::Run> found;
    std::map<std::string, std::size_t> walked;
    const auto limit = std::min(query.limit, limits::kPageRowsMax);
    for (const auto& [id, row] : std::views::reverse(dispatches_)) {
        if (found.size() == limit) {
            break;
        }
        if (const auto walk = walk_through(query, row.dispatch);
            walk && ++walked[*walk] > ports::RunsQuery::kWalkedMax) {
            continue;
        }
        if (!matches(query, row.dispatch) ||
            deliveries_.at(row.delivery).delivery.action == "closed") {
            continue;
        }
        domain::Run run{.dispatch = row.dispatch, .silent_at = row.silent_at, .jobs = jobs_of(id)};
        if (has_come_far_enough(query, run)) {
            found.push_back(std::move(run));
        }
    }
    return found;
}

bool Tables::is_open(const domain::Subject& subject) const {
    if (subject.pr) {
        const auto at = pull_requests_.find({subject.upstream, *subject.pr});
        if (at != pull_requests_.end() && at->second.open && at->second.head == subject.head) {
            return true;
        }
    }
    return std::ranges::any_of(postings_, [&subject](const auto& entry) {
        const auto& posting = entry.second.posting;
        return posting.kind == ports::PostingKind::check && posting.subject == subject &&
               posting.check.status != domain::CheckStatus::completed;
    });
}

bool Tables::was_dispatched_for(const RepoName& downstream, const domain::Subject& subject) const {
    return std::ranges::any_of(dispatches_, [&](const auto& entry) {
        const auto& dispatch = entry.second.dispatch;
        return dispatch.key.downstream == downstream && dispatch.upstream == subject.upstream &&
               dispatch.pr == subject.pr && dispatch.head == subject.head;
    });
}

std::size_t Tables::look_again(const ports::LookAgain& again) {
    std::size_t looked = 0;
    for (const auto& [key, pr] : pull_requests_) {
        domain::Subject head{.upstream = pr.upstream, .pr = pr.number, .head = pr.head};
        if (again.all_open && pr.open && pr.upstream == again.upstream && !looks_.contains(head)) {
            raise_look(head, again.now);
        }
    }
    for (const auto& [subject, row] : looks_) {
        if (subject.upstream == again.upstream && is_open(subject) &&
            (!again.downstream || was_dispatched_for(*again.downstream, subject))) {
            raise_look(subject, again.now);
            ++looked;
        }
    }
    return looked;
}

// --- postings

std::vector<ports::KeptPosting> Tables::postings_of(const domain::Subject& subject) const {
    std::vector<ports::KeptPosting> found;
    for (const auto& [id, row] : postings_) {
        if (row.posting.subject == subject) {
            found.push_back(shown(row));
        }
    }
    return found;
}

bool Tables::want(const ports::Posting& posting, TimePoint now) {
    const auto next = static_cast<std::int64_t>(postings_.size()) + 1;
    const auto [at, is_new] = posting_ids_.try_emplace(
        std::tuple(posting.subject, posting.kind, posting.check.name), next
    );
    if (!is_new) {
        return wish(postings_.at(at->second), posting, now);
    }
    auto row = new_posting(posting, now);
    row.posting.id = next;
    postings_.emplace(next, std::move(row));
    return true;
}

ports::PostingReceipt Tables::commit_postings(const ports::PostingCommit& commit) {
    ports::PostingReceipt receipt;
    const auto known = looks_.find(commit.look.subject);
    if (known != looks_.end() && known->second.version != commit.look.version) {
        return receipt; // worked out from what is no longer so: it stays due, and is looked at
                        // again
    }
    for (const auto& posting : commit.wanted) {
        receipt.changed += want(posting, commit.now) ? 1U : 0U;
    }
    for (const auto& rerun : commit.reruns) {
        receipt.ordered += order(rerun, {}, commit.now) ? 1U : 0U;
    }
    const LookRow first{
        .id = static_cast<std::int64_t>(looks_.size()) + 1,
        .version = commit.look.version,
        .first_at = commit.look.first_at,
    };
    auto& look = looks_.try_emplace(commit.look.subject, first).first->second;
    if (look.version == commit.look.version) {
        look.due_at = commit.look_at;
    }
    return receipt;
}

std::vector<ports::TakenPosting> Tables::take_postings(const ports::PostingQuery& query) {
    std::vector<std::tuple<bool, TimePoint, std::int64_t>> due; // gates first
    for (const auto& [id, row] : postings_) {
        if (row.due_at && *row.due_at <= query.now) {
            due.emplace_back(!is_gate(row.posting), *row.due_at, id);
        }
    }
    std::ranges::sort(due);
    due.resize(std::min(due.size(), query.limit));
    std::vector<ports::TakenPosting> taken;
    for (const auto& [later, when, id] : due) {
        taken.push_back(store::take(postings_.at(id), query));
    }
    return taken;
}

Result<void> Tables::end_posting(const ports::PostingEnd& end) {
    auto* row = row_with(postings_, end.id);
    if (auto ended = store::end(row, end); !ended) {
        return ended;
    }
    if (row->state == PostingState::given_up) {
        write_line(
            end.now, kPostingGivenUp, {}, std::nullopt, posting_given_up_detail(row->posting)
        );
    }
    return {};
}

// --- re-runs

bool Tables::order(const domain::NewRerun& rerun, const DeliveryId& delivery, TimePoint now) {
    if (!rerun_keys_.insert(rerun.key).second) {
        return false;
    }
    auto row = new_rerun(rerun, delivery, now);
    row.order.id = static_cast<std::int64_t>(reruns_.size()) + 1;
    reruns_.emplace(row.order.id, std::move(row));
    write_line(now, kRerunOrdered, delivery, std::nullopt, rerun_ordered_detail(rerun));
    return true;
}

std::vector<domain::Rerun> Tables::reruns_of(const domain::Subject& subject) const {
    std::vector<domain::Rerun> found;
    for (const auto& [id, row] : reruns_) {
        if (row.order.subject == subject) {
            found.push_back(row.order);
        }
    }
    return found;
}

std::vector<ports::TakenRerun> Tables::take_reruns(const ports::RerunQuery& query) {
    std::vector<std::pair<TimePoint, std::int64_t>> due;
    for (const auto& [id, row] : reruns_) {
        if (row.due_at && *row.due_at <= query.now) {
            due.emplace_back(*row.due_at, id);
        }
    }
    std::ranges::sort(due);
    due.resize(std::min(due.size(), query.limit));
    std::vector<ports::TakenRerun> taken;
    for (const auto& [when, id] : due) {
        taken.push_back(store::take(reruns_.at(id), query));
    }
    return taken;
}

Result<void> Tables::end_rerun(const ports::RerunEnd& end) {
    auto* row = row_with(reruns_, end.id);
    const auto before = row == nullptr ? RerunRow{} : *row;
    if (auto ended = store::end(row, end); !ended) {
        return ended;
    }
    if (!end.afresh.empty() && redeliver(afresh_of(row->order, end)).value_or(0) == 0) {
        *row = before;
        return nothing_to_dispatch(end.id);
    }
    if (row->order.state == domain::RerunState::waiting) {
        return {};
    }
    write_line(end.now, kRerunEnded, row->delivery, std::nullopt, rerun_ended_detail(row->order));
    auto subject = row->order.subject;
    if (subject.head.empty() && subject.pr) {
        const auto at = pull_requests_.find({subject.upstream, *subject.pr});
        subject.head = at == pull_requests_.end() ? HeadSha{} : at->second.head;
    }
    // Without a number it would be taken for a commit of the merge queue.
    if (subject.pr && !subject.head.empty()) {
        raise_look(subject, end.now);
    }
    return {};
}

void Tables::void_check_leases(TimePoint now) {
    for (auto& [id, row] : postings_) {
        if (row.hold.taken()) {
            free_hold(row, now);
        }
    }
    for (auto& [id, row] : reruns_) {
        if (row.hold.taken()) {
            free_hold(row, now);
        }
    }
}

void Tables::leave_checks_behind(TimePoint now) {
    for (auto& [subject, row] : looks_) {
        row.due_at.reset();
    }
    for (auto& [id, row] : postings_) {
        if (row.state == PostingState::waiting) {
            leave_behind(row);
        }
    }
    for (auto& [id, row] : reruns_) {
        if (row.order.state == domain::RerunState::waiting) {
            leave_behind(row, now);
        }
    }
}

// --- the gate

std::vector<domain::GateSuspension> Tables::gate_suspensions() const {
    std::vector<domain::GateSuspension> found;
    for (const auto& [key, suspension] : gate_suspensions_) {
        found.push_back(suspension);
    }
    return found;
}

bool Tables::suspend_gate(const domain::GateSuspension& suspension) {
    const std::pair key(suspension.upstream, suspension.downstream);
    const auto at = gate_suspensions_.find(key);
    if (at != gate_suspensions_.end() && !replaces(suspension, at->second)) {
        return false;
    }
    if (at == gate_suspensions_.end()) {
        const auto concern = concern_of(suspension.upstream, suspension.downstream);
        notify(told_of_suspension(suspension, concern));
    }
    gate_suspensions_.insert_or_assign(key, suspension);
    write_line(
        suspension.since, kGateSuspended, {}, std::nullopt, gate_suspended_detail(suspension)
    );
    look_again(
        {.upstream = suspension.upstream,
         .downstream = suspension.downstream,
         .now = suspension.since}
    );
    return true;
}

bool Tables::resume_gate(const ports::GateResumption& resumption) {
    const auto at = gate_suspensions_.find({resumption.upstream, resumption.downstream});
    if (at == gate_suspensions_.end() || (at->second.by_hand && !resumption.by_hand)) {
        return false;
    }
    const auto before = at->second;
    gate_suspensions_.erase(at);
    const auto began = incident_began(before.upstream, before.downstream);
    const auto concern = concern_of(before.upstream, before.downstream);
    notify(told_of_return(resumption, concern, began ? began : before.since));
    write_line(
        resumption.now, kGateResumed, {}, std::nullopt, gate_resumed_detail(before, resumption)
    );
    look_again(
        {.upstream = resumption.upstream, .downstream = resumption.downstream, .now = resumption.now
        }
    );
    return true;
}

ports::CheckCounts Tables::check_counts() const {
    ports::CheckCounts counts;
    for (const auto& [subject, row] : looks_) {
        counts.looks += row.due_at ? 1U : 0U;
    }
    for (const auto& [id, row] : postings_) {
        counts.given_up += row.state == PostingState::given_up ? 1U : 0U;
        if (row.state == PostingState::waiting) {
            ++counts.waiting;
            counts.oldest = std::min(counts.oldest.value_or(row.wanted_since), row.wanted_since);
        }
    }
    for (const auto& [id, row] : reruns_) {
        counts.reruns += row.order.state == domain::RerunState::waiting ? 1U : 0U;
    }
    return counts;
}

} // namespace baton::store::memory
