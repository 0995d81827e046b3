#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/recovery.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

namespace baton::domain {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);

SentHook hook(int status, const std::string& event = "push", const std::string& action = "") {
    SentHook one;
    fold(
        one,
        {.id = 10,
         .delivery = DeliveryId("d"),
         .event = event,
         .action = action,
         .at = kNow - 1h,
         .status = status}
    );
    return one;
}

SentHook asked(int times, Millis ago) {
    auto one = hook(502);
    one.asked = times;
    one.asked_at = kNow - ago;
    return one;
}

TEST(Whereabouts, FollowFromTheLogAndTheLedger) {
    auto stored = hook(504);
    stored.in_ledger = true; // its answer was lost on the way back

    const struct {
        const char* name;
        SentHook hook;
        Whereabouts expected;
    } cases[] = {
        {"we never answered", hook(502), Whereabouts::to_ask},
        {"we were too slow", hook(504), Whereabouts::to_ask},
        {"we could not store it", hook(503), Whereabouts::to_ask},
        {"our secret was wrong for a while", hook(401), Whereabouts::to_ask},
        {"GitHub has no answer at all", hook(0), Whereabouts::to_ask},
        {"it does not concern us, as we said", hook(200), Whereabouts::ignored},
        {"it could never concern us", hook(502, "issues", "opened"), Whereabouts::ignored},
        {"nor could this action", hook(502, "pull_request", "edited"), Whereabouts::ignored},
        {"installations do", hook(502, "installation", "created"), Whereabouts::to_ask},
        {"in the ledger whatever the log says", stored, Whereabouts::in_ledger},
        {"accepted once, gone with a restored backup", hook(202), Whereabouts::to_ask},
        {"just asked for", asked(1, 1min), Whereabouts::asked},
        {"asked for a while ago", asked(1, 2min), Whereabouts::to_ask},
        {"asked for in the future: the clock was set back", asked(1, -1h), Whereabouts::to_ask},
        {"asked for the last time", asked(3, 1min), Whereabouts::asked},
        {"asked for too often", asked(3, 2min), Whereabouts::given_up},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(whereabouts_of(c.hook, kNow), c.expected);
    }
}

TEST(SentHook, IsTheSameInWhateverOrderItsLinesCome) {
    const HookTry first{.id = 1, .delivery = DeliveryId("d"), .at = kNow, .status = 502};
    const HookTry second{
        .id = 2, .delivery = DeliveryId("d"), .at = kNow + 1h, .status = 202, .redelivery = true
    };
    SentHook forwards;
    fold(forwards, first);
    fold(forwards, second);
    SentHook backwards;
    fold(backwards, second);
    fold(backwards, first);
    fold(backwards, second);
    EXPECT_EQ(forwards, backwards);
    EXPECT_EQ(forwards.first_at, kNow);
    EXPECT_EQ(forwards.newest, second);
}

TEST(Completeness, CallsMissingWhatIsNeitherInTheLedgerNorIgnored) {
    const Completeness day{.sent = 10, .in_ledger = 7, .ignored = 2, .due = 21, .accepted = 20};
    EXPECT_EQ(day.missing(), 1U);
    EXPECT_EQ(
        to_text(day),
        "sent by GitHub 10, in the ledger 7, ignored 2, missing 1; dispatches due 21, accepted 20, "
        "started 0, reported 0, open 0, failed 0"
    );
}

TEST(StartOfDay, IsMidnightUtc) {
    EXPECT_EQ(
        start_of_day(*parse_rfc3339("2026-11-15T23:59:59.999Z")),
        *parse_rfc3339("2026-11-15T00:00:00Z")
    );
}

} // namespace
} // namespace baton::domain
