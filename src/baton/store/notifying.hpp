#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/notification.hpp"
#include "baton/ports/notices.hpp"
#include "baton/ports/store.hpp"

#include <optional>
#include <string>
#include <string_view>

/// What people outside are told of the gate, decided the same way in every store.
namespace baton::store {

/// Why a letter to a receiver that nobody configures any more is given up.
inline constexpr std::string_view kNoSuchReceiver = "this receiver is not configured any more";

/// Without an id yet; so is the next. Where nobody noted whom it concerns, nobody is on call.
domain::Notification told_of_suspension(
    const domain::GateSuspension& suspension, const std::optional<ports::Concern>& concern
);

/// `began` is when the incident did, as its first notification said; none: before there were any.
domain::Notification told_of_return(
    const ports::GateResumption& resumption,
    const std::optional<ports::Concern>& concern,
    std::optional<TimePoint> began
);

/// What its receivers are sent, made once, so that it reads the same however often it is sent:
///
///     {"kind": "suspended", "notification": 12, "upstream": "o/r", "downstream": "o/r",
///      "level": "L4", "oncalls": ["fay"], "text": ONE SENTENCE, "reason": "…",
///      "evidence": {…} or null, "by": "baton", "by_hand": false, "since": TIME, "at": TIME}
std::string body_of(const domain::Notification& notification);

} // namespace baton::store
