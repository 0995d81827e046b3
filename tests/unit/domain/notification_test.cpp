#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/notification.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

namespace baton::domain {
namespace {

using namespace std::chrono_literals;

Notification a_notification(NotificationKind kind) {
    return {
        .id = 7,
        .kind = kind,
        .upstream = *RepoName::parse("Up/Stream"),
        .downstream = *RepoName::parse("acme/vendor"),
        .oncalls = {Login("fay")},
        .reason = "2 runs in a row did not start within 30m",
        .evidence = {},
        .actor = "baton",
        .since = from_ms(1'800'000'000'000),
        .at = from_ms(1'800'000'000'000) + 1h,
    };
}

TEST(Notification, IsOneSentenceForPeople) {
    EXPECT_EQ(
        sentence_of(a_notification(NotificationKind::suspended)),
        "acme/vendor does not count in the gate of Up/Stream since 2027-01-15T08:00:00.000Z: "
        "2 runs in a row did not start within 30m"
    );
    auto returned = a_notification(NotificationKind::returned);
    returned.reason = "by hand";
    returned.by_hand = true;
    returned.actor = "eve";
    EXPECT_EQ(
        sentence_of(returned),
        "acme/vendor counts in the gate of Up/Stream again: by hand (by eve); it had not since "
        "2027-01-15T08:00:00.000Z"
    );
}

TEST(Notification, TellsOfLevelsInOneSentenceToo) {
    auto notification = a_notification(NotificationKind::demoted);
    notification.level = Level::l3;
    notification.reason = "pass_adj is 0.71";
    EXPECT_EQ(
        sentence_of(notification),
        "acme/vendor has less than its level L3 at Up/Stream for a while: pass_adj is 0.71"
    );
    notification.kind = NotificationKind::recovered;
    EXPECT_EQ(
        sentence_of(notification),
        "acme/vendor has its level L3 at Up/Stream again: pass_adj is 0.71; it had not since "
        "2027-01-15T08:00:00.000Z"
    );
    notification.kind = NotificationKind::proposed;
    EXPECT_EQ(
        sentence_of(notification),
        "A change of the level of acme/vendor at Up/Stream: pass_adj is 0.71"
    );
    notification.kind = NotificationKind::watch;
    notification.downstream = RepoName();
    notification.reason = "acme/vendor (pass_adj)";
    EXPECT_EQ(
        sentence_of(notification),
        "At Up/Stream these are watched from now on: acme/vendor (pass_adj)"
    );
    EXPECT_EQ(lane_of(notification), " level of up/stream");
}

TEST(Notification, HasALaneForEachDownstreamOfAnUpstream) {
    const auto suspended = a_notification(NotificationKind::suspended);
    EXPECT_EQ(lane_of(suspended), "acme/vendor gate of up/stream");
    EXPECT_EQ(lane_of(suspended), lane_of(a_notification(NotificationKind::returned)));
}

TEST(Notification, KindsHaveTheirNames) {
    for (const auto kind : kNotificationKinds) {
        EXPECT_EQ(notification_kind_named(name_of(kind)), kind);
    }
    EXPECT_EQ(notification_kind_named("weather"), std::nullopt);
}

} // namespace
} // namespace baton::domain
