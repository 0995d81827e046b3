#pragma once

#include "baton/base/result.hpp"
#include "baton/domain/event.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_book.hpp"
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
/// before this returns `accepted`. That somebody on call commented is noted, whatever they said.
/// Any thread.
class Intake {
public:
    struct Surroundings {
        ports::Store& store;
        ports::Clock& clock;
        std::function<void()> on_accepted;  // wakes the planner; any thread
        const AllowlistBook* book{nullptr}; // who is on call; none, as the next: nobody is noted
        ports::Levels* levels{nullptr};
    };

    Intake(domain::Interests interests, Surroundings around);

    /// invalid: the body is not what GitHub sends. unavailable: not on disk; the sender has to come
    /// again.
    boost::asio::awaitable<Result<Receipt>> accept(wire::VerifiedWebhook webhook);

private:
    boost::asio::awaitable<Result<void>> note_answer(const domain::Event& event);

    domain::Interests interests_;
    Surroundings around_;
};

} // namespace baton::relay
