#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/store/completeness.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/memory/memory_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::store::memory {

void Tables::note_hooks(const std::vector<domain::HookTry>& tries) {
    for (const auto& line : tries) {
        auto& hook = hooks_[line.delivery];
        domain::fold(hook, line);
        hook.in_ledger = sequences_.contains(line.delivery);
    }
}

void Tables::end_walk(TimePoint until, TimePoint now) {
    walk_ = {.born = walk_ ? walk_->born : until, .until = until, .ended_at = now};
    std::erase_if(hooks_, [&](const auto& entry) {
        return entry.second.first_at < until - limits::kHooksKept;
    });
}

std::vector<domain::SentHook> Tables::hooks_astray(std::size_t limit) const {
    std::vector<domain::SentHook> found;
    for (const auto& [id, hook] : hooks_) {
        const auto& line = hook.newest;
        if (!hook.in_ledger && domain::may_concern(line.event, line.action) &&
            (line.status < 200 || line.status > 201)) {
            found.push_back(hook);
        }
    }
    std::ranges::sort(found, {}, [](const domain::SentHook& hook) {
        return std::tuple(hook.asked, hook.first_at, hook.newest.delivery);
    });
    found.resize(std::min(found.size(), limit));
    return found;
}

bool Tables::note_asked(const DeliveryId& id, int asked, TimePoint now) {
    const auto found = hooks_.find(id);
    if (found == hooks_.end() || found->second.in_ledger || found->second.asked != asked) {
        return false;
    }
    found->second.asked = asked + 1;
    found->second.asked_at = now;
    write_line(now, kAskedAgain, id, std::nullopt, asked_again_detail(asked + 1));
    return true;
}

void Tables::note_not_asked(const DeliveryId& id, int asked, TimePoint now) {
    const auto found = hooks_.find(id);
    if (found == hooks_.end() || found->second.asked != asked || asked == 0) {
        return;
    }
    found->second.asked = asked - 1;
    write_line(now, kNotAskedAgain, id, std::nullopt, std::string(kLimitLasts));
}

void Tables::count_dispatches_of(std::int64_t delivery, domain::Completeness& day) const {
    const auto found = by_delivery_.find(delivery);
    if (found == by_delivery_.end()) {
        return;
    }
    std::map<RepoName, DispatchId> newest; // generations come in order
    for (const auto& [key, id] : found->second) {
        newest[key.first] = id;
    }
    for (const auto& [downstream, id] : newest) {
        Heard heard;
        for (const auto& job : jobs_of(id)) {
            heard.started = heard.started || job.counts;
            heard.reported =
                heard.reported || (job.counts && job.status == domain::JobStatus::completed &&
                                   job.said_by == domain::SaidBy::downstream);
        }
        count(day, dispatches_.at(id).dispatch.state, heard, 1);
    }
}

domain::Completeness Tables::completeness(TimePoint from, TimePoint until) const {
    domain::Completeness day{.from = from, .until = until};
    for (const auto& [id, hook] : hooks_) {
        if (hook.first_at < from || hook.first_at >= until) {
            continue;
        }
        count(day, hook);
        if (hook.in_ledger) {
            count_dispatches_of(sequences_.at(id), day);
        }
    }
    return day;
}

bool Tables::record_completeness(const domain::Completeness& day, TimePoint now) {
    if (!accounted_days_.insert(day.from).second) {
        return false;
    }
    write_line(now, kDayCompleted, {}, std::nullopt, day_completed_detail(day));
    return true;
}

std::vector<PrNumber> Tables::open_pull_requests(const RepoName& upstream) const {
    std::vector<PrNumber> found;
    for (const auto& [key, pull_request] : pull_requests_) {
        if (key.first == upstream && pull_request.open) {
            found.push_back(key.second);
        }
    }
    return found;
}

} // namespace baton::store::memory
