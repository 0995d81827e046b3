#include "baton/store/memory/memory_tables.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/checks.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/retention.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::memory {

using domain::DispatchState;

namespace {

tl::unexpected<Error> no_such_delivery(const DeliveryId& id) {
    return fail(Errc::not_found, fmt::format("there is no delivery {} in the store", id.text()));
}

} // namespace

// --- intake

bool Tables::insert_delivery(ports::NewDelivery delivery) {
    const auto sequence = static_cast<std::int64_t>(deliveries_.size()) + 1;
    if (!sequences_.emplace(delivery.id, sequence).second) {
        return false;
    }
    DeliveryRow row;
    row.delivery = {
        .sequence = sequence,
        .id = std::move(delivery.id),
        .event = std::move(delivery.event),
        .action = std::move(delivery.action),
        .repository = std::move(delivery.repository),
        .pr = delivery.pr,
        .head = std::move(delivery.head),
        .received_at = delivery.received_at,
        .state = ports::DeliveryState::to_plan,
        .body_bytes = delivery.body.size(),
    };
    row.body = std::move(delivery.body);
    if (const auto hook = hooks_.find(row.delivery.id); hook != hooks_.end()) {
        hook->second.in_ledger = true;
    }
    deliveries_.emplace(sequence, std::move(row));
    to_plan_.insert(sequence);
    return true;
}

std::vector<ports::DeliveryToPlan>
Tables::deliveries_to_plan(TimePoint now, std::size_t limit) const {
    std::vector<ports::DeliveryToPlan> found;
    for (const auto sequence : to_plan_) {
        if (found.size() == limit) {
            break;
        }
        const auto& row = deliveries_.at(sequence);
        if (row.plan_at <= now) {
            found.push_back({.delivery = row.delivery, .body = row.body.value_or("")});
        }
    }
    return found;
}

Result<std::string> Tables::body_of(const DeliveryId& id) const {
    const auto* row = find(id);
    if (row == nullptr) {
        return no_such_delivery(id);
    }
    if (!row->body) {
        return fail(Errc::not_found, past_retention(id));
    }
    return *row->body;
}

std::vector<ports::Delivery> Tables::list_deliveries(const ports::DeliveryPageQuery& query) const {
    std::vector<ports::Delivery> found;
    const auto limit = std::min(query.limit, limits::kPageRowsMax);
    for (const auto& [sequence, row] : std::views::reverse(deliveries_)) {
        const auto& delivery = row.delivery;
        if (found.size() == limit) {
            break;
        }
        if ((!query.before || sequence < *query.before) &&
            (query.event.empty() || delivery.event == query.event) &&
            (!query.pr || delivery.pr == query.pr) &&
            (!query.with_state || has_dispatch_in(sequence, *query.with_state))) {
            found.push_back(delivery);
        }
    }
    return found;
}

const DeliveryRow* Tables::find(const DeliveryId& id) const {
    const auto at = sequences_.find(id);
    return at == sequences_.end() ? nullptr : &deliveries_.at(at->second);
}

bool Tables::has_dispatch_in(std::int64_t delivery, DispatchState state) const {
    const auto at = by_delivery_.find(delivery);
    return at != by_delivery_.end() && std::ranges::any_of(at->second, [&](const auto& entry) {
               const auto& [downstream, generation] = entry.first;
               return dispatches_.at(entry.second).dispatch.state == state &&
                      !at->second.contains({downstream, generation + 1});
           });
}

// --- planning

std::optional<domain::PullRequest> Tables::pull_request(const ports::PullRequestQuery& query
) const {
    const auto at = pull_requests_.find({query.upstream, query.number});
    return at == pull_requests_.end() ? std::nullopt : std::optional(at->second);
}

Result<void> Tables::check(const ports::PlanCommit& commit) const {
    if (auto checked = check_looks(commit); !checked) {
        return checked;
    }
    if (find(commit.delivery) == nullptr) {
        return no_such_delivery(commit.delivery);
    }
    if (const auto& pr = commit.plan.pull_request) {
        const auto known = pull_request({.upstream = pr->upstream, .number = pr->number});
        if ((known ? known->version : 0) != pr->version) {
            return fail(
                Errc::conflict,
                fmt::format(
                    "{} #{} moved on since version {} was read",
                    pr->upstream.text(),
                    static_cast<std::int64_t>(pr->number),
                    pr->version
                )
            );
        }
    }
    for (const auto& dispatch : commit.plan.dispatches) {
        if (find(dispatch.key.delivery) == nullptr) {
            return no_such_delivery(dispatch.key.delivery);
        }
    }
    return {};
}

Result<ports::PlanReceipt> Tables::commit_plan(const ports::PlanCommit& commit) {
    if (auto checked = check(commit); !checked) {
        return fail(std::move(checked).error());
    }
    if (const auto& pr = commit.plan.pull_request) {
        auto& stored = pull_requests_[{pr->upstream, pr->number}];
        stored = *pr;
        ++stored.version;
    }
    ports::PlanReceipt receipt;
    rest_others(commit, receipt);
    for (const auto& dispatch : commit.plan.dispatches) {
        const auto sequence = sequences_.at(dispatch.key.delivery);
        if (by_delivery_[sequence].contains({dispatch.key.downstream, dispatch.key.generation})) {
            continue;
        }
        const auto id = add(dispatch, commit.now);
        ++receipt.created;
        if (dispatch.state != DispatchState::pending) {
            write_line(
                commit.now, name_of(dispatch.state), dispatch.key.delivery, id, dispatch.reason
            );
        }
    }
    for (const auto& subject : commit.plan.looks) {
        raise_look(subject, commit.now);
    }
    for (const auto& rerun : commit.plan.reruns) {
        order(rerun, commit.delivery, commit.now);
    }
    auto& row = deliveries_.at(sequences_.at(commit.delivery));
    const bool to_plan = row.delivery.state == ports::DeliveryState::to_plan;
    if (commit.again_at && to_plan) {
        row.plan_at = *commit.again_at;
    } else {
        row.delivery.state = ports::DeliveryState::planned;
        to_plan_.erase(row.delivery.sequence);
    }
    if (!leaves_line(commit, receipt, to_plan)) {
        return receipt;
    }
    write_line(
        commit.now, kPlanned, commit.delivery, std::nullopt, planned_detail(commit, receipt)
    );
    return receipt;
}

void Tables::rest_others(const ports::PlanCommit& commit, ports::PlanReceipt& receipt) {
    const auto& plan = commit.plan;
    if (!plan.pull_request ||
        !(plan.supersede_older || plan.supersede_others || plan.cancel_pending)) {
        return;
    }
    const auto& pr = *plan.pull_request;
    const auto is_own = [&commit](const DeliveryId& delivery) {
        return delivery == commit.delivery ||
               std::ranges::any_of(commit.plan.dispatches, [&](const auto& dispatch) {
                   return dispatch.key.delivery == delivery;
               });
    };
    for (const auto id : pending_ids()) {
        auto& row = dispatches_.at(id);
        if (row.dispatch.upstream != pr.upstream || row.dispatch.pr != pr.number) {
            continue;
        }
        if (plan.supersede_older && row.dispatch.head != pr.head) {
            const Rest rest{
                .state = DispatchState::superseded,
                .reason = superseded_by(pr.head),
                .now = commit.now
            };
            receipt.superseded += bring_to_rest(row, rest) ? 1U : 0U;
        } else if (plan.supersede_others && !is_own(row.dispatch.key.delivery)) {
            const Rest rest{
                .state = DispatchState::superseded,
                .reason = std::string(kPullRequestReopened),
                .now = commit.now
            };
            receipt.superseded += bring_to_rest(row, rest) ? 1U : 0U;
        } else if (plan.cancel_pending && !is_own(row.dispatch.key.delivery)) {
            const Rest rest{
                .state = DispatchState::cancelled,
                .reason = std::string(kPullRequestClosed),
                .now = commit.now
            };
            receipt.cancelled += bring_to_rest(row, rest) ? 1U : 0U;
        }
    }
}

std::size_t Tables::cancel_pending(
    const RepoName& upstream, const RepoName& downstream, const std::string& reason, TimePoint now
) {
    std::size_t cancelled = 0;
    const auto at = pending_.find(downstream);
    const auto agenda =
        at == pending_.end() ? std::set<When>{} : at->second; // a copy: resting changes it
    for (const auto& [due, id] : agenda) {
        auto& row = dispatches_.at(id);
        if (row.dispatch.upstream == upstream) {
            cancelled += bring_to_rest(
                             row, {.state = DispatchState::cancelled, .reason = reason, .now = now}
                         )
                             ? 1U
                             : 0U;
        }
    }
    return cancelled;
}

DispatchId Tables::add(const domain::NewDispatch& dispatch, TimePoint now) {
    const DispatchId id{++last_dispatch_};
    DispatchRow row;
    static_cast<domain::NewDispatch&>(row.dispatch) = dispatch;
    row.dispatch.id = id;
    row.dispatch.created_at = now;
    row.dispatch.due_at = now;
    row.delivery = sequences_.at(dispatch.key.delivery);
    row.awaits_start = dispatch.level >= domain::Level::l2 &&
                       deliveries_.at(row.delivery).delivery.action != "closed";
    by_delivery_[row.delivery].emplace(
        std::pair(dispatch.key.downstream, dispatch.key.generation), id
    );
    enter(row);
    dispatches_.emplace(id, std::move(row));
    return id;
}

// --- allowlists and keys

void Tables::record_allowlist(ports::AllowlistVersion version) {
    if (const auto last = last_allowlist(version.upstream); last && last->text == version.text) {
        return;
    }
    write_line(version.in_force_at, kAllowlistInForce, {}, std::nullopt, allowlist_detail(version));
    allowlists_.push_back(std::move(version));
}

std::optional<ports::AllowlistVersion> Tables::last_allowlist(const RepoName& upstream) const {
    for (const auto& version : std::views::reverse(allowlists_)) {
        if (version.upstream == upstream) {
            return version;
        }
    }
    return std::nullopt;
}

std::vector<ports::SigningKey> Tables::signing_keys() const {
    return {keys_.rbegin(), keys_.rend()};
}

ports::SigningKey Tables::add_signing_key(std::string secret, TimePoint now) {
    const auto id = static_cast<std::int64_t>(keys_.size()) + 1;
    keys_.push_back({.id = id, .secret = std::move(secret), .created_at = now});
    return keys_.back();
}

// --- shared steps

bool Tables::bring_to_rest(DispatchRow& row, const Rest& rest) {
    if (row.lease_until > rest.now) {
        if (!row.mark) {
            row.mark = rest.state;
            row.mark_reason = rest.reason;
        }
        return false;
    }
    if (row.leased()) {
        lose_attempt(row);
    }
    change(row, [&rest](DispatchRow& changed) {
        changed.dispatch.state = rest.state;
        changed.dispatch.reason = rest.reason;
        changed.lease_until = TimePoint{};
        changed.mark.reset();
        changed.mark_reason.clear();
    });
    write_line(
        rest.now, name_of(rest.state), row.dispatch.key.delivery, row.dispatch.id, rest.reason
    );
    look_at(row.dispatch, rest.now);
    return true;
}

void Tables::rest_as_marked(DispatchRow& row, TimePoint now) {
    lose_attempt(row);
    change(row, [](DispatchRow& changed) { changed.lease_until = TimePoint{}; });
    const Rest rest{.state = *row.mark, .reason = row.mark_reason, .now = now};
    bring_to_rest(row, rest);
}

void Tables::lose_attempt(DispatchRow& row) {
    auto& attempt = row.attempts.back();
    if (!attempt.outcome) {
        attempt.outcome = domain::Outcome::unknown;
        attempt.detail = kOutcomeLost;
    }
}

void Tables::write_line(
    TimePoint at,
    std::string_view kind,
    const DeliveryId& delivery,
    std::optional<DispatchId> dispatch,
    std::string detail
) {
    ledger_.push_back({
        .sequence = static_cast<std::int64_t>(ledger_.size()) + 1,
        .at = at,
        .kind = std::string(kind),
        .delivery = delivery.text(),
        .dispatch = dispatch,
        .detail = std::move(detail),
    });
}

} // namespace baton::store::memory
