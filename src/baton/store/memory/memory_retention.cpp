// The part of the tables that forgets: payloads, results and dispatches whose time is over.

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/ports/delivery.hpp"
#include "baton/ports/retention.hpp"
#include "baton/store/memory/memory_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <tuple>
#include <vector>

namespace baton::store::memory {

bool Tables::is_newest_of_pull(const ports::Delivery& delivery) const {
    const auto newer =
        std::ranges::subrange(deliveries_.upper_bound(delivery.sequence), deliveries_.end());
    const auto repository = lower(delivery.repository);
    return std::ranges::none_of(newer, [&](const auto& entry) {
        const auto& other = entry.second.delivery;
        return other.pr == delivery.pr && lower(other.repository) == repository;
    });
}

bool Tables::is_body_needed(const ports::Delivery& delivery, TimePoint cut) const {
    if (delivery.received_at >= cut || delivery.state == ports::DeliveryState::to_plan) {
        return true;
    }
    const auto at = by_delivery_.find(delivery.sequence);
    const bool pending =
        at != by_delivery_.end() && std::ranges::any_of(at->second, [this](const auto& entry) {
            return dispatches_.at(entry.second).dispatch.state == domain::DispatchState::pending;
        });
    if (pending) {
        return true;
    }
    const auto upstream = RepoName::parse(delivery.repository);
    if (!upstream || !delivery.pr) {
        return false;
    }
    const auto pull = pull_requests_.find({*upstream, *delivery.pr});
    if (pull == pull_requests_.end()) {
        return false;
    }
    const auto& known = pull->second;
    const bool lives = known.open || known.closed_at.value_or(known.updated_at) >= cut;
    return lives && (known.newest_forwarded == delivery.id || is_newest_of_pull(delivery));
}

ports::PruneStep Tables::prune_bodies(const ports::PruneQuery& query) {
    const TimePoint cut = query.now - query.keep_for;
    ports::PruneStep step;
    std::size_t seen = 0;
    bool any_old = false;
    for (auto at = deliveries_.upper_bound(query.after); at != deliveries_.end(); ++at) {
        auto& row = at->second;
        if (!row.body) {
            continue;
        }
        any_old = any_old || row.delivery.received_at < cut;
        if (!is_body_needed(row.delivery, cut)) {
            row.body.reset();
            ++step.removed;
        }
        if (++seen == query.limit) {
            if (any_old) {
                step.next = at->first;
            }
            break;
        }
    }
    return step;
}

// --- results

bool Tables::is_head_of_living_pull(
    const RepoName& upstream, std::optional<PrNumber> pr, const HeadSha& head, TimePoint cut
) const {
    const auto at = pr ? pull_requests_.find({upstream, *pr}) : pull_requests_.end();
    if (at == pull_requests_.end() || at->second.head != head) {
        return false;
    }
    const auto& pull = at->second;
    return pull.open || pull.closed_at.value_or(pull.updated_at) >= cut;
}

bool Tables::has_waiting_letter(JobId job) const {
    return std::ranges::any_of(letters_, [job](const auto& entry) {
        return entry.second.job == job && !entry.second.died_at;
    });
}

std::vector<JobId> Tables::jobs_beside(const domain::Job& job) const {
    const auto place = [](const domain::Job& of) {
        return std::tie(
            of.subject.upstream, of.subject.downstream, of.subject.head, of.subject.event_type
        );
    };
    std::vector<JobId> beside;
    for (const auto& [id, row] : jobs_) {
        if (row.job.counts && place(row.job) == place(job)) {
            beside.push_back(id);
        }
    }
    return beside;
}

/// A commit at a downstream goes as a whole, or not at all; what does not count goes alone.
std::vector<JobId> Tables::to_leave_with(const domain::Job& job, TimePoint cut) const {
    const auto all = job.counts ? jobs_beside(job) : std::vector{job.id};
    const auto& newest = jobs_.at(all.back()).job.subject;
    const bool over = std::ranges::all_of(all, [&](JobId id) {
        const auto& one = jobs_.at(id).job;
        return one.completed_at && *one.completed_at < cut && !has_waiting_letter(id);
    });
    if (!over || is_head_of_living_pull(newest.upstream, newest.pr, newest.head, cut)) {
        return {};
    }
    return all;
}

void Tables::forget(JobId id) {
    const auto& job = jobs_.at(id).job;
    if (job.counts) {
        counted_.push_back(job);
    }
    if (const auto& subject = job.subject; subject.dispatch) {
        jobs_of_dispatch_.erase({*subject.dispatch, job.key});
    } else {
        jobs_of_commit_.erase(CommitKey(
            subject.downstream, subject.upstream, subject.head, subject.event_type, job.key
        ));
    }
    std::erase_if(latest_, [id](const auto& entry) { return entry.second == id; });
    std::erase_if(letters_, [id](const auto& entry) { return entry.second.job == id; });
    jobs_.erase(id);
}

ports::PruneStep Tables::prune_results(const ports::PruneQuery& query) {
    const TimePoint cut = query.now - query.keep_for;
    ports::PruneStep step;
    std::vector<domain::Job> stretch;
    bool any_old = false;
    for (auto at = jobs_.upper_bound(JobId{query.after});
         at != jobs_.end() && stretch.size() < query.limit;
         ++at) {
        const auto& job = at->second.job;
        stretch.push_back(job);
        any_old = any_old || job.completed_at.value_or(job.started_at.value_or(cut)) < cut;
    }
    if (!any_old) {
        return step;
    }
    for (const auto& job : stretch) {
        if (!jobs_.contains(job.id)) {
            continue; // it left with another
        }
        for (const auto id : to_leave_with(job, cut)) {
            forget(id);
            ++step.removed;
        }
    }
    if (stretch.size() == query.limit) {
        step.next = static_cast<std::int64_t>(stretch.back().id);
    }
    if (step.removed > 0) {
        results_until_ = std::max(results_until_.value_or(cut), cut);
    }
    return step;
}

// --- dispatches

void Tables::forget(DispatchId id) {
    const auto& row = dispatches_.at(id);
    if (row.silent_at) {
        counted_silent_.push_back(row);
    }
    leave(row);
    auto& of_delivery = by_delivery_.at(row.delivery);
    of_delivery.erase({row.dispatch.key.downstream, row.dispatch.key.generation});
    if (of_delivery.empty()) {
        by_delivery_.erase(row.delivery);
    }
    std::erase_if(claims_, [id](const auto& entry) { return entry.first.first == id; });
    dispatches_.erase(id);
}

ports::PruneStep Tables::prune_dispatches(const ports::PruneQuery& query) {
    const TimePoint cut = query.now - query.keep_for;
    ports::PruneStep step;
    std::vector<DispatchId> stretch;
    std::vector<DispatchId> over;
    bool any_old = false;
    for (auto at = dispatches_.upper_bound(DispatchId{query.after});
         at != dispatches_.end() && stretch.size() < query.limit;
         ++at) {
        const auto& row = at->second;
        const auto& dispatch = row.dispatch;
        stretch.push_back(at->first);
        any_old = any_old || dispatch.created_at < cut;
        const bool rests = dispatch.state != domain::DispatchState::pending &&
                           dispatch.created_at < cut &&
                           dispatch.sent_at.value_or(dispatch.created_at) < cut &&
                           row.silent_at.value_or(dispatch.created_at) < cut;
        if (rests && jobs_of(at->first).empty() &&
            !is_head_of_living_pull(dispatch.upstream, dispatch.pr, dispatch.head, cut)) {
            over.push_back(at->first);
        }
    }
    if (!any_old) {
        return step;
    }
    for (const auto id : over) {
        forget(id);
    }
    step.removed = over.size();
    if (stretch.size() == query.limit) {
        step.next = static_cast<std::int64_t>(stretch.back());
    }
    if (step.removed > 0) {
        results_until_ = std::max(results_until_.value_or(cut), cut);
    }
    return step;
}

} // namespace baton::store::memory
