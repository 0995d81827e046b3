#include "baton/domain/notification.hpp"

#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

namespace baton::domain {

namespace {

bool is_of_gate(NotificationKind kind) {
    return kind == NotificationKind::suspended || kind == NotificationKind::returned;
}

} // namespace

std::string_view name_of(NotificationKind kind) {
    switch (kind) {
    case NotificationKind::suspended:
        return "suspended";
    case NotificationKind::returned:
        return "returned";
    case NotificationKind::watch:
        return "watch";
    case NotificationKind::demoted:
        return "demoted";
    case NotificationKind::recovered:
        return "recovered";
    case NotificationKind::proposed:
        return "proposed";
    }
    return "unknown";
}

std::optional<NotificationKind> notification_kind_named(std::string_view name) {
    for (const auto kind : kNotificationKinds) {
        if (name_of(kind) == name) {
            return kind;
        }
    }
    return std::nullopt;
}

std::string sentence_of(const Notification& notification) {
    const auto by = notification.by_hand ? fmt::format(" (by {})", notification.actor) : "";
    const auto& downstream = notification.downstream.text();
    const auto& upstream = notification.upstream.text();
    const auto& reason = notification.reason;
    const auto since = to_rfc3339(notification.since);
    switch (notification.kind) {
    case NotificationKind::suspended:
        return fmt::format(
            "{} does not count in the gate of {} since {}: {}{}",
            downstream,
            upstream,
            since,
            reason,
            by
        );
    case NotificationKind::returned:
        return fmt::format(
            "{} counts in the gate of {} again: {}{}; it had not since {}",
            downstream,
            upstream,
            reason,
            by,
            since
        );
    case NotificationKind::watch:
        return fmt::format("At {} these are watched from now on: {}", upstream, reason);
    case NotificationKind::demoted:
        return fmt::format(
            "{} has less than its level {} at {} for a while: {}",
            downstream,
            name_of(notification.level),
            upstream,
            reason
        );
    case NotificationKind::recovered:
        return fmt::format(
            "{} has its level {} at {} again: {}; it had not since {}",
            downstream,
            name_of(notification.level),
            upstream,
            reason,
            since
        );
    case NotificationKind::proposed:
        return fmt::format("A change of the level of {} at {}: {}", downstream, upstream, reason);
    }
    return reason;
}

/// The gate's turns do not wait for those of the ladder, nor the other way round.
std::string lane_of(const Notification& notification) {
    return fmt::format(
        "{} {} of {}",
        notification.downstream.key(),
        is_of_gate(notification.kind) ? "gate" : "level",
        notification.upstream.key()
    );
}

} // namespace baton::domain
