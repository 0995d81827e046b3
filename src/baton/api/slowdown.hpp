#pragma once

#include "baton/base/time.hpp"
#include "baton/net/http.hpp"

#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <string>

namespace baton::api {

/// Who is slowed down. Behind a proxy on this machine everybody has its address, so the one that it
/// saw counts: the last it added.
std::string address_of(const net::RequestHead& head);

/// Remembers which addresses presented tokens that were no good, so that they are made to wait
/// before the next signature is checked. Any thread.
class Slowdown {
public:
    /// How long this address waits now: nothing for the first few refusals of a minute.
    Millis delay_for(const std::string& address, TimePoint now) const;
    void note_refusal(const std::string& address, TimePoint now);

    /// Lets this address wait as long as it has to. False at once when too many wait already: what
    /// they sent must not take the room of others'.
    boost::asio::awaitable<bool> wait(std::string address, TimePoint now);

private:
    struct Record {
        TimePoint since{};
        std::size_t refusals{0};
    };

    mutable std::mutex mutex_;
    std::map<std::string, Record> records_; // bounded: emptied when it is full
    std::atomic<int> waiting_{0};
};

} // namespace baton::api
