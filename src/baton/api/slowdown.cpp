#include "baton/api/slowdown.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/net/http.hpp"
#include "baton/net/url.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <string_view>

namespace baton::api {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::minutes kWindow{1};
constexpr int kWaitingMax = 8;

/// Counts one more who waits, until it dies.
class Waiting {
public:
    explicit Waiting(std::atomic<int>& all)
        : all_(all)
        , place_(++all) {}

    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    ~Waiting() { --all_; }

    int place() const { return place_; }

private:
    std::atomic<int>& all_;
    int place_;
};

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

asio::awaitable<bool> Slowdown::wait(std::string address, TimePoint now) {
    const auto delay = delay_for(address, now);
    if (delay == Millis{0}) {
        co_return true;
    }
    const Waiting waiting(waiting_);
    if (waiting.place() > kWaitingMax) {
        co_return false;
    }
    asio::steady_timer timer(co_await asio::this_coro::executor, delay);
    co_await timer.async_wait(asio::use_awaitable);
    co_return true;
}

} // namespace baton::api
