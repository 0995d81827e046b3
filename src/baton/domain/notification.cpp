#include "baton/domain/notification.hpp"

#include "baton/base/time.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

namespace baton::domain {

std::string_view name_of(NotificationKind kind) {
    return kind == NotificationKind::suspended ? "suspended" : "returned";
}

std::optional<NotificationKind> notification_kind_named(std::string_view name) {
    for (const auto kind : {NotificationKind::suspended, NotificationKind::returned}) {
        if (name_of(kind) == name) {
            return kind;
        }
    }
    return std::nullopt;
}

std::string sentence_of(const Notification& notification) {
    const auto by = notification.by_hand ? fmt::format(" (by {})", notification.actor) : "";
    return notification.kind == NotificationKind::suspended
               ? fmt::format(
                     "{} does not count in the gate of {} since {}: {}{}",
                     notification.downstream.text(),
                     notification.upstream.text(),
                     to_rfc3339(notification.since),
                     notification.reason,
                     by
                 )
               : fmt::format(
                     "{} counts in the gate of {} again: {}{}; it had not since {}",
                     notification.downstream.text(),
                     notification.upstream.text(),
                     notification.reason,
                     by,
                     to_rfc3339(notification.since)
                 );
}

std::string lane_of(const Notification& notification) {
    return fmt::format("{} gate of {}", notification.downstream.key(), notification.upstream.key());
}

} // namespace baton::domain
