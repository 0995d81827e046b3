#include "baton/api/slowdown.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"

#include <chrono>
#include <mutex>
#include <string>

namespace baton::api {

namespace {

constexpr std::chrono::minutes kWindow{1};

} // namespace

Millis Slowdown::delay_for(const std::string& address, TimePoint now) const {
    const std::scoped_lock lock(mutex_);
    const auto found = records_.find(address);
    if (found == records_.end() || now - found->second.since >= kWindow ||
        now < found->second.since || found->second.refusals < limits::kRefusalsUnslowed) {
        return Millis{0};
    }
    return limits::kSlowdown;
}

void Slowdown::note_refusal(const std::string& address, TimePoint now) {
    const std::scoped_lock lock(mutex_);
    if (records_.size() >= limits::kSlowedAddressesMax && !records_.contains(address)) {
        records_.clear(); // whoever has so many addresses is not slowed by this
    }
    auto& record = records_[address];
    if (now - record.since >= kWindow || now < record.since) {
        record = {.since = now, .refusals = 0};
    }
    ++record.refusals;
}

} // namespace baton::api
