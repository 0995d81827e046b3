#include "baton/api/slowdown.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/net/http.hpp"
#include "baton/net/url.hpp"

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

namespace baton::api {

namespace {

constexpr std::chrono::minutes kWindow{1};

} // namespace

std::string address_of(const net::RequestHead& head) {
    constexpr std::string_view kForwardedFor = "X-Forwarded-For";
    std::string_view forwarded; // a proxy may add a line of its own behind the client's
    for (const auto& [name, value] : head.headers.all()) {
        forwarded = net::same_name(name, kForwardedFor) ? std::string_view(value) : forwarded;
    }
    if (forwarded.empty() || !net::is_loopback(head.peer)) {
        return head.peer;
    }
    return std::string(trimmed(forwarded.substr(forwarded.rfind(',') + 1)));
}

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
