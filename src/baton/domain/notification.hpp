#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::domain {

enum class NotificationKind : std::uint8_t {
    suspended = 1, // a downstream's part of the gate does not count any more
    returned,      // it counts again
    watch,         // some downstreams would be lowered if they stayed as they are
    demoted,       // its level is lowered for a while
    recovered,     // it has its listed level again
    proposed,      // a change of the list
};

inline constexpr std::array kNotificationKinds{
    NotificationKind::suspended,
    NotificationKind::returned,
    NotificationKind::watch,
    NotificationKind::demoted,
    NotificationKind::recovered,
    NotificationKind::proposed,
};

std::string_view name_of(NotificationKind kind);
std::optional<NotificationKind> notification_kind_named(std::string_view name);

/// What people outside are told: one message about one turn of one incident. It never changes, so
/// that it reads the same however often it is sent.
struct Notification {
    std::int64_t id{0}; // in the store
    NotificationKind kind{NotificationKind::suspended};
    RepoName upstream;
    RepoName downstream;    // empty: of several, whom the evidence names
    Level level{Level::l4}; // listed
    std::vector<Login> oncalls;
    std::string reason;   // one sentence
    std::string evidence; // JSON; empty: a hand did it
    bool by_hand{false};
    std::string actor;
    TimePoint since{}; // when the incident began
    TimePoint at{};    // when this turn was decided

    friend bool operator==(const Notification&, const Notification&) = default;
};

/// The whole message in one sentence.
std::string sentence_of(const Notification& notification);

/// Messages about one downstream go in order. Begins with it and a blank, as every lane does.
std::string lane_of(const Notification& notification);

} // namespace baton::domain
