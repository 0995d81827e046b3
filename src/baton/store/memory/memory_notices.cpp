// The part of the tables that is about telling people outside.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/notification.hpp"
#include "baton/ports/notices.hpp"
#include "baton/store/memory/memory_tables.hpp"
#include "baton/store/notifying.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::memory {

void Tables::notify(domain::Notification notification) {
    notification.id = static_cast<std::int64_t>(notifications_.size()) + 1;
    for (const auto& sink : receivers_) {
        LetterRow row;
        row.letter.sink = sink;
        row.letter.lane = domain::lane_of(notification);
        row.letter.job.subject.upstream = notification.upstream;
        row.letter.job.subject.downstream = notification.downstream;
        row.letter.body = store::body_of(notification);
        put_letter(std::move(row), notification.at);
    }
    notifications_.push_back(std::move(notification));
}

std::optional<ports::Concern>
Tables::concern_of(const RepoName& upstream, const RepoName& downstream) const {
    const auto at = concerns_.find({upstream, downstream});
    return at == concerns_.end() ? std::nullopt : std::optional(at->second);
}

std::optional<TimePoint>
Tables::incident_began(const RepoName& upstream, const RepoName& downstream) const {
    for (const auto& one : notifications_ | std::views::reverse) {
        if (one.upstream == upstream && one.downstream == downstream) {
            return one.since;
        }
    }
    return std::nullopt;
}

std::size_t Tables::name_receivers(const std::vector<std::string>& sinks, TimePoint now) {
    receivers_ = {sinks.begin(), sinks.end()};
    std::size_t given_up = 0;
    for (auto& [id, row] : letters_) {
        if (!row.job && !row.died_at && !receivers_.contains(row.letter.sink)) {
            row.died_at = now;
            row.due_at.reset();
            row.lease_until = TimePoint{};
            row.detail = std::string(kNoSuchReceiver);
            ++given_up;
        }
    }
    return given_up;
}

void Tables::note_concern(const ports::Concern& concern) {
    concerns_.insert_or_assign({concern.upstream, concern.downstream}, concern);
}

} // namespace baton::store::memory
