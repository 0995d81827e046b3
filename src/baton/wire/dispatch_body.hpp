#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

/// What all dispatches of one delivery have in common.
struct DeliveryFacts {
    std::string event_type; // pull_request, push
    DeliveryId delivery;
    RepoName upstream;
    domain::TrimStep trim{0};
};

/// What differs from one downstream to the next.
struct DownstreamFacts {
    int generation{0};
    domain::Level level{domain::Level::l1};
    std::string callback_token; // at most 128 bytes; empty: none
};

/// The request body of `POST /repos/{owner}/{repo}/dispatches`, all but the few bytes that differ
/// between downstreams. Made once per delivery and trim step, then shared; immutable, any thread.
///
///     {"event_type": E, "client_payload": {"event_type": E, "delivery_id": D, "payload": P,
///         "callback_token": T, "baton": {"generation": 0, "level": "L2", "upstream": "o/r",
///         "trimmed": [...]}}}
class DispatchBody {
public:
    /// `payload_json` is a webhook body that is known to be valid JSON: one that fits is copied in
    /// without being read. `invalid` when it cannot be made to fit, or when GitHub would not take
    /// the event type.
    static Result<DispatchBody> make(const DeliveryFacts& facts, std::string_view payload_json);

    /// The complete body. Its client_payload is always below limits::kClientPayloadBytesMax.
    std::string for_downstream(const DownstreamFacts& facts) const;

    const std::vector<std::string>& trimmed() const { return trimmed_; }

    /// For caches that count bytes.
    std::size_t bytes() const { return head_.size() + tail_.size(); }

private:
    DispatchBody() = default;

    std::string head_; // up to and with the payload
    std::string tail_; // upstream and trimmed, to the end
    std::vector<std::string> trimmed_;
};

} // namespace baton::wire
