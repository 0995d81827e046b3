#include "baton/sim/dispatch_log.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace baton::sim {

namespace {

bool matches(const ReceivedDispatch& line, const DispatchQuery& query) {
    return (!query.repo || line.repo == *query.repo) &&
           (query.delivery_id.empty() || line.delivery_id == query.delivery_id);
}

} // namespace

void DispatchLog::add(ReceivedDispatch dispatch) {
    dispatch.number = static_cast<std::int64_t>(lines_.size()) + 1;
    auto& downstream = downstreams_[dispatch.repo];
    ++downstream.received;
    if (!dispatch.delivery_id.empty() &&
        ++by_delivery_[{dispatch.repo, dispatch.delivery_id}] > 1) {
        ++downstream.repeats;
    }
    listener_(dispatch);
    lines_.push_back(std::move(dispatch));
    if (lines_.size() > bodies_max_) {
        auto& old = lines_[lines_.size() - bodies_max_ - 1];
        old.body.clear();
        old.body.shrink_to_fit();
    }
}

void DispatchLog::clear() {
    lines_.clear();
    downstreams_.clear();
    by_delivery_.clear();
}

std::vector<ReceivedDispatch> DispatchLog::find(const DispatchQuery& query) const {
    std::vector<ReceivedDispatch> out;
    for (auto line = lines_.rbegin(); line != lines_.rend() && out.size() < query.limit; ++line) {
        if (matches(*line, query)) {
            out.push_back(*line);
        }
    }
    std::ranges::reverse(out);
    return out;
}

std::size_t DispatchLog::count(const DispatchQuery& query) const {
    if (query.repo && !query.delivery_id.empty()) {
        const auto found = by_delivery_.find({*query.repo, query.delivery_id});
        return found == by_delivery_.end() ? 0 : found->second;
    }
    const auto wanted = [&](const ReceivedDispatch& line) { return matches(line, query); };
    return static_cast<std::size_t>(std::ranges::count_if(lines_, wanted));
}

} // namespace baton::sim
