#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/hook_log.hpp"
#include "baton/sim/hook_sender.hpp"
#include "baton/sim/sim_server.hpp"
#include "baton/sim/virtual_clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "unit/sim/api_support.hpp"
#include "unit/sim/inbox.hpp"
#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

using std::chrono::seconds;
using testing::app_key;
using testing::Inbox;
using testing::kStart;

/// What the sender reports, one at a time.
class Reports {
public:
    void put(AttemptResult result) {
        {
            const std::lock_guard lock(mutex_);
            results_.push_back(std::move(result));
        }
        arrived_.notify_one();
    }

    AttemptResult next() {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [this] { return !results_.empty(); });
        auto result = std::move(results_.front());
        results_.pop_front();
        return result;
    }

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<AttemptResult> results_;
};

struct SenderWorld {
    explicit SenderWorld(HookLetter letter, Millis wait = seconds{10})
        : one(std::move(letter))
        , sender(
              {.next = [this] { return std::exchange(one, std::nullopt); },
               .done = [this](AttemptResult result) { reports.put(std::move(result)); },
               .on_surprise = [](const std::string& what) { ADD_FAILURE() << what; }},
              clock,
              {.wait = wait}
          ) {
        sender.wake();
    }

    VirtualClock clock{kStart};
    Reports reports;
    std::optional<HookLetter> one;
    HookSender sender;
};

HookLetter letter_to(std::string url) {
    auto webhook = std::make_shared<Webhook>();
    webhook->id = DeliveryId("d-1");
    webhook->event = "push";
    webhook->body = "{}";
    return {
        .outgoing = {.delivery = webhook->id},
        .webhook = webhook,
        .target = {.url = std::move(url), .secret = {}},
    };
}

TEST(HookSender, RecordsWhatTheRelayAnswered) {
    Inbox inbox(503);
    SenderWorld world(letter_to(inbox.url()));
    const auto result = world.reports.next();
    EXPECT_EQ(result.status_code, 503);
    EXPECT_EQ(result.status, "Invalid HTTP Response: 503");
    EXPECT_FALSE(inbox.next().headers.find("X-Hub-Signature-256")) << "no secret, no signature";
}

TEST(HookSender, RecordsThatNobodyIsThere) {
    SenderWorld world(letter_to("http://127.0.0.1:1/github/webhook"));
    const auto result = world.reports.next();
    EXPECT_EQ(result.status_code, 502);
    EXPECT_EQ(result.delivery.text(), "d-1");
}

TEST(HookSender, PlaysALostWebhookWithoutSendingIt) {
    auto letter = letter_to("http://127.0.0.1:1/github/webhook");
    letter.outgoing.lost = true;
    SenderWorld world(std::move(letter));
    EXPECT_EQ(world.reports.next().status, "failed to connect to host");
}

TEST(HookSender, GivesUpAfterItsTime) {
    VirtualClock clock(kStart);
    SimServer slow({.model = {.site = {}}, .drop_hold = seconds{5}}, app_key().public_key(), clock);
    ASSERT_TRUE(slow.start());
    slow.with([](SimWorld& world) {
        Fault fault;
        fault.ending = Fault::Ending::drop;
        world.faults.add({.fault = fault});
    });
    SenderWorld world(letter_to(slow.url() + "/anything"), Millis{100});
    const auto result = world.reports.next();
    EXPECT_EQ(result.status_code, 504);
    EXPECT_EQ(result.status, "timed out");
}

} // namespace
} // namespace baton::sim
