#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::sim {

/// A `repository_dispatch` that GitHub accepted: what a downstream was told.
struct ReceivedDispatch {
    std::int64_t number{0}; // in order of arrival, from 1
    TimePoint at{};
    RepoName repo;
    std::string event_type;
    std::string delivery_id; // client_payload.delivery_id; empty when there is none
    std::size_t body_bytes{0};
    std::string body; // the whole request; empty once it is too old to be kept
};

struct DispatchQuery {
    std::optional<RepoName> repo;
    std::string delivery_id; // empty: any
    std::size_t limit{1000}; // the newest ones
};

/// A downstream as far as level L1 goes: it remembers what it was told.
struct DownstreamCount {
    std::size_t received{0};
    std::size_t repeats{0}; // the same delivery once more
};

/// Everything downstreams received. Lines are kept for ever, bodies of the newest `bodies_max`
/// only.
class DispatchLog {
public:
    explicit DispatchLog(std::size_t bodies_max)
        : bodies_max_(bodies_max) {}

    /// Told of each as it comes in.
    void on_arrival(std::function<void(const ReceivedDispatch&)> listener) {
        listener_ = std::move(listener);
    }

    void add(ReceivedDispatch dispatch);
    void clear();

    std::vector<ReceivedDispatch> find(const DispatchQuery& query) const; // in order of arrival
    std::size_t count(const DispatchQuery& query) const;

    const std::map<RepoName, DownstreamCount>& downstreams() const { return downstreams_; }

private:
    std::size_t bodies_max_;
    std::function<void(const ReceivedDispatch&)> listener_{[](const ReceivedDispatch&) {}};
    std::deque<ReceivedDispatch> lines_;
    std::map<RepoName, DownstreamCount> downstreams_;
    std::map<std::pair<RepoName, std::string>, std::size_t> by_delivery_;
};

} // namespace baton::sim
