#include "baton/api/refusal_keeper.hpp"

#include "baton/base/result.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/operators.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace baton::api {

namespace asio = boost::asio;

void RefusalKeeper::note(ports::Refusal refusal) {
    const auto hour = std::chrono::floor<std::chrono::hours>(refusal.at.time_since_epoch());
    Key key{refusal.downstream, refusal.reason, hour};
    const std::scoped_lock lock(mutex_);
    const auto known = waiting_.find(key);
    if (known != waiting_.end()) {
        refusal.count += known->second.count;
        known->second = std::move(refusal);
    } else if (waiting_.size() < kGroupsMax) {
        waiting_.emplace(std::move(key), std::move(refusal));
    } else {
        dropped_ += refusal.count;
    }
}

std::vector<ports::Refusal> RefusalKeeper::take() {
    const std::scoped_lock lock(mutex_);
    std::vector<ports::Refusal> all;
    all.reserve(waiting_.size());
    for (auto& [key, refusal] : waiting_) {
        all.push_back(std::move(refusal));
    }
    waiting_.clear();
    return all;
}

asio::awaitable<void> RefusalKeeper::write() {
    auto all = take();
    if (all.empty()) {
        co_return;
    }
    std::size_t count = 0;
    for (const auto& refusal : all) {
        count += refusal.count;
    }
    const auto kept = co_await around_.operators.keep_refusals(std::move(all));
    bool worse = false;
    {
        const std::scoped_lock lock(mutex_);
        dropped_ += kept ? 0 : count;
        worse = !kept && !in_trouble_;
        in_trouble_ = !kept;
    }
    if (worse) { // once, however long the store is away
        around_.journal.note(ports::Trouble{
            .healed = true,
            .where = "refused reports",
            .detail = fmt::format("not kept: {}", kept.error().detail)
        });
    }
}

asio::awaitable<void> RefusalKeeper::run() {
    for (;;) {
        co_await write();
        co_await around_.clock.sleep_until(around_.clock.now() + kWait);
    }
}

std::size_t RefusalKeeper::dropped() const {
    const std::scoped_lock lock(mutex_);
    return dropped_;
}

} // namespace baton::api
