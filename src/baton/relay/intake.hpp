#pragma once

#include "baton/base/result.hpp"
#include "baton/domain/event.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/store.hpp"
#include "baton/wire/webhook.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace baton::relay {

/// What became of a webhook.
struct Receipt {
    enum class Kind : std::uint8_t { accepted, duplicate, ignored };
    Kind kind{Kind::accepted};
    std::string action;
    std::string_view reason; // why it is ignored: fixed words
};

/// Takes verified webhooks in: those that concern us are on disk, with the promise to plan them,
/// before this returns `accepted`. Any thread.
class Intake {
public:
    struct Surroundings {
        ports::Store& store;
        ports::Clock& clock;
        std::function<void()> on_accepted; // wakes the planner; any thread
    };

    Intake(domain::Interests interests, Surroundings around);

    /// invalid: the body is not what GitHub sends. unavailable: not on disk; the sender has to come
    /// again.
    boost::asio::awaitable<Result<Receipt>> accept(wire::VerifiedWebhook webhook);

private:
    domain::Interests interests_;
    Surroundings around_;
};

} // namespace baton::relay
