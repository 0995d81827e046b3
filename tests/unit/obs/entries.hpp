#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>
#include <string_view>

namespace baton::test {

inline constexpr TimePoint kNoon{std::chrono::seconds{1'794'744'000}}; // 2026-11-15T12:00:00Z

inline RepoName repo(std::string_view text) {
    return *RepoName::parse(text);
}

inline ports::WebhookAnswered accepted_webhook() {
    return {
        .delivery = DeliveryId("d-1"),
        .event = "pull_request",
        .action = "opened",
        .status = 202,
        .outcome = "accepted",
        .reason = "",
        .body_bytes = 25'249,
        .took = std::chrono::microseconds{840},
    };
}

inline ports::WebhookAnswered refused_webhook() {
    return {
        .delivery = {},
        .event = "",
        .action = "",
        .status = 401,
        .outcome = "refused",
        .reason = "bad_signature",
        .body_bytes = 17,
        .took = std::chrono::microseconds{90},
    };
}

inline ports::CallbackAnswered recorded_callback() {
    return {
        .downstream = repo("org2/Backend"),
        .delivery = DeliveryId("d-1"),
        .job = "ci / test",
        .status = 200,
        .outcome = "recorded",
        .reason = "",
        .body_bytes = 25'600,
        .took = std::chrono::microseconds{1'200},
    };
}

inline ports::DispatchAttempted sent_dispatch() {
    return {
        .dispatch = DispatchId{17},
        .key = {.delivery = DeliveryId("d-1"), .downstream = repo("org2/Backend"), .generation = 0},
        .level = domain::Level::l2,
        .attempt = 1,
        .answer =
            {.outcome = domain::Outcome::accepted, .status = 204, .detail = "", .not_before = {}},
        .state = domain::DispatchState::sent,
        .next_try = {},
        .reason = "",
        .took = Millis{12},
        .age = Millis{80},
    };
}

inline ports::DispatchAttempted lost_answer() {
    auto entry = sent_dispatch();
    entry.answer = {
        .outcome = domain::Outcome::unknown,
        .status = 0,
        .detail = "no answer within 15 s",
        .not_before = {}
    };
    entry.state = domain::DispatchState::pending;
    entry.next_try = kNoon + Millis{1500};
    return entry;
}

/// A clock that stands where the test puts it. Nobody sleeps by it.
class StandingClock final : public ports::Clock {
public:
    TimePoint now() const override { return at; }

    boost::asio::awaitable<void> sleep_until(TimePoint) override { co_return; }

    std::unique_ptr<ports::Bell> make_bell() override { return nullptr; }

    TimePoint at{kNoon};
};

} // namespace baton::test
