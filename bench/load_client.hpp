#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace baton::bench {

/// One body, ready to be sent again and again: everything of the request but its delivery id.
struct LoadBody {
    std::string head; // request line and headers, up to the value of X-GitHub-Delivery
    std::string body;
};

/// A webhook as GitHub would send it to this port, signed with the secret.
LoadBody signed_body(
    std::uint16_t port, const std::string& event, const std::string& secret, std::string body
);

/// A callback with an identity token, as a downstream would send it to this port.
LoadBody callback_body(std::uint16_t port, const std::string& token, std::string body);

struct LoadPlan {
    std::uint16_t port{0};
    std::size_t connections{64};
    std::vector<LoadBody> bodies;          // taken in turn
    std::string delivery_prefix{"load"};   // ids are the prefix and a number ...
    bool one_delivery{false};              // ... or the prefix alone: copies of one delivery
    std::size_t requests{0};               // stop after so many; 0: no such bound
    std::chrono::milliseconds duration{0}; // stop after this time; 0: no such bound
    double rate{0};                        // requests a second, sent on time whatever the answers
                                           // do; 0: the next one as soon as one is answered
};

struct LoadReport {
    std::map<int, std::size_t> statuses;
    std::size_t broken{0}; // connections that ended without their answer
    std::chrono::nanoseconds took{0};
    std::vector<std::chrono::nanoseconds> waits; // sorted; at a rate they count from when the
                                                 // request was due, so a stall is not left out

    std::size_t answered() const { return waits.size(); }

    /// The wait that this part of all requests (0.99) stayed within.
    std::chrono::nanoseconds within(double part) const;
};

/// Sends webhooks over keep-alive connections from one thread, one request at a time on each, and
/// returns when the plan is done and every answer is there. A connection that breaks is not opened
/// again. Throws std::system_error when the port cannot be connected to.
LoadReport run_load(const LoadPlan& plan);

} // namespace baton::bench
