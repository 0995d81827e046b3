// The part of the tables that operators act on: suspensions, pins, tests, figures of downstreams,
// and the shadow's time.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/memory/memory_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::memory {

using domain::DispatchState;

bool Tables::is_held(const DispatchRow& row, TimePoint now) const {
    const auto& dispatch = row.dispatch;
    const auto held = [&](const RepoName& upstream) {
        const auto at = suspensions_.find({dispatch.key.downstream, upstream});
        return at != suspensions_.end() && is_in_force(at->second, now);
    };
    return held(RepoName{}) || held(dispatch.upstream);
}

std::vector<domain::Suspension> Tables::suspensions(TimePoint now) const {
    std::vector<domain::Suspension> found;
    for (const auto& [key, suspension] : suspensions_) {
        if (is_in_force(suspension, now)) {
            found.push_back(suspension);
        }
    }
    return found;
}

void Tables::suspend(const domain::Suspension& suspension) {
    suspensions_[{suspension.downstream, suspension.upstream}] = suspension;
    write_line(suspension.since, kSuspended, {}, std::nullopt, suspended_detail(suspension));
}

std::size_t Tables::resume(const ports::Resumption& resumption) {
    std::size_t lifted = 0;
    for (auto at = suspensions_.begin(); at != suspensions_.end();) {
        const auto& one = at->second;
        const bool meant = one.downstream == resumption.downstream &&
                           (!resumption.upstream || one.upstream == *resumption.upstream);
        if (meant && is_in_force(one, resumption.now)) {
            write_line(
                resumption.now, kResumed, {}, std::nullopt, resumed_detail(one, resumption.actor)
            );
            ++lifted;
        }
        at = meant ? suspensions_.erase(at) : std::next(at);
    }
    return lifted;
}

Result<void> Tables::insert_test(const ports::TestDispatch& test) {
    if (!insert_delivery(test.delivery)) {
        return fail(
            Errc::conflict, fmt::format("delivery {} is there already", test.delivery.id.text())
        );
    }
    BATON_TRY(const auto receipt, commit_plan(plan_of(test)));
    static_cast<void>(receipt);
    write_line(test.now, kTested, test.delivery.id, std::nullopt, tested_by(test.actor));
    return {};
}

std::optional<ports::Pin> Tables::pin_of(const RepoName& repo) const {
    const auto at = pins_.find(repo);
    return at == pins_.end() ? std::nullopt : std::optional(at->second);
}

ports::Pin Tables::pin_first(const ports::Pin& pin) {
    const auto [at, first] = pins_.emplace(pin.repo, pin);
    if (first) {
        write_line(pin.pinned_at, kPinned, {}, std::nullopt, pin_detail(std::nullopt, pin));
    }
    return at->second;
}

std::optional<ports::Pin> Tables::repin(const ports::Pin& pin) {
    auto before = pin_of(pin.repo);
    pins_.erase(pin.repo); // the new spelling counts
    pins_.emplace(pin.repo, pin);
    write_line(pin.pinned_at, kRepinned, {}, std::nullopt, pin_detail(before, pin));
    return before;
}

std::vector<ports::DownstreamFigures> Tables::downstream_figures(TimePoint now) const {
    std::map<RepoName, ports::DownstreamFigures> by_name;
    const auto tell = [](ports::DownstreamFigures& figures, const DispatchRow& row) {
        figures.last_error = row.dispatch.reason;
        figures.last_error_at =
            row.attempts.empty() ? row.dispatch.created_at : row.attempts.back().started_at;
    };
    for (const auto& [id, row] : dispatches_) { // in the order they were made: the last error stays
        const auto& dispatch = row.dispatch;
        const bool unhappy =
            dispatch.state == DispatchState::failed || dispatch.state == DispatchState::dead;
        const bool pending = dispatch.state == DispatchState::pending;
        if (!unhappy && !pending && !dispatch.sent_at) {
            continue;
        }
        auto& figures = by_name[dispatch.key.downstream];
        figures.downstream = dispatch.key.downstream;
        figures.pending += pending ? 1U : 0U;
        if (dispatch.sent_at) {
            figures.last_sent = std::max(figures.last_sent, dispatch.sent_at);
        }
        if (unhappy || (pending && dispatch.attempts > 0 && !dispatch.reason.empty())) {
            tell(figures, row);
        }
        const auto& generations = by_delivery_.at(row.delivery);
        const bool newest =
            !generations.contains({dispatch.key.downstream, dispatch.key.generation + 1});
        figures.failed += unhappy && newest ? 1U : 0U;
    }
    std::vector<ports::DownstreamFigures> all;
    for (auto& [name, figures] : by_name) {
        figures.sent_today = sent_after(name, now - std::chrono::hours{24}, false);
        all.push_back(std::move(figures));
    }
    return all;
}

std::vector<ports::AllowlistVersion> Tables::allowlists_at(TimePoint when) const {
    std::map<RepoName, ports::AllowlistVersion> newest;
    for (const auto& version : std::views::reverse(allowlists_)) {
        if (version.in_force_at <= when) {
            newest.try_emplace(version.upstream, version);
        }
    }
    std::vector<ports::AllowlistVersion> all;
    std::ranges::transform(newest, std::back_inserter(all), [](const auto& entry) {
        return entry.second;
    });
    return all;
}

Result<ports::ModeChange> Tables::enter_mode(ports::Mode mode, TimePoint now) {
    const auto pending = pending_ids();
    if (mode == ports::Mode::shadow) {
        const LiveWork left{
            .pending = pending.size(), .to_plan = to_plan_.size(), .checks = check_counts()
        };
        if (!shadow_since_ && is_any(left)) {
            return fail(Errc::conflict, shadow_refusal(left));
        }
        if (!shadow_since_) {
            shadow_since_ = now;
            write_line(now, kShadowBegan, {}, std::nullopt, "");
        }
        return ports::ModeChange{};
    }
    ports::ModeChange change{.shadow_since = std::exchange(shadow_since_, std::nullopt)};
    if (!change.shadow_since) {
        return change;
    }
    const Rest rest{
        .state = DispatchState::cancelled, .reason = std::string(kShadowLeft), .now = now
    };
    for (const auto id : pending) {
        change.rested += bring_to_rest(dispatches_.at(id), rest) ? 1U : 0U;
    }
    for (const auto sequence : std::exchange(to_plan_, {})) {
        auto& delivery = deliveries_.at(sequence).delivery;
        delivery.state = ports::DeliveryState::planned;
        write_line(now, kNotPlanned, delivery.id, std::nullopt, std::string(kShadowLeft));
        ++change.unplanned;
    }
    leave_checks_behind(now);
    write_line(now, kShadowEnded, {}, std::nullopt, shadow_ended_detail(change));
    return change;
}

} // namespace baton::store::memory
