#include "baton/store/notifying.hpp"

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/notification.hpp"
#include "baton/ports/notices.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <optional>
#include <string>

namespace baton::store {

namespace json = boost::json;

namespace {

void concern_about(
    domain::Notification& notification, const std::optional<ports::Concern>& concern
) {
    if (concern) {
        notification.level = concern->level;
        notification.oncalls = concern->oncalls;
    }
}

/// What is not JSON is not handed on as such.
json::value evidence_of(const domain::Notification& notification) {
    boost::system::error_code error;
    auto parsed = json::parse(notification.evidence, error);
    return error || !parsed.is_object() ? json::value(nullptr) : parsed;
}

} // namespace

domain::Notification told_of_suspension(
    const domain::GateSuspension& suspension, const std::optional<ports::Concern>& concern
) {
    domain::Notification notification{
        .kind = domain::NotificationKind::suspended,
        .upstream = suspension.upstream,
        .downstream = suspension.downstream,
        .reason = suspension.reason,
        .evidence = suspension.evidence,
        .by_hand = suspension.by_hand,
        .actor = suspension.actor,
        .since = suspension.since,
        .at = suspension.since,
    };
    concern_about(notification, concern);
    return notification;
}

domain::Notification told_of_return(
    const ports::GateResumption& resumption,
    const std::optional<ports::Concern>& concern,
    std::optional<TimePoint> began
) {
    domain::Notification notification{
        .kind = domain::NotificationKind::returned,
        .upstream = resumption.upstream,
        .downstream = resumption.downstream,
        .reason = resumption.reason,
        .evidence = {},
        .by_hand = resumption.by_hand,
        .actor = resumption.actor,
        .since = began.value_or(resumption.now),
        .at = resumption.now,
    };
    concern_about(notification, concern);
    return notification;
}

std::string body_of(const domain::Notification& notification) {
    json::array oncalls;
    for (const auto& login : notification.oncalls) {
        oncalls.emplace_back(login.text());
    }
    auto plain = notification; // what people wrote by hand may be anything
    plain.reason = inert(notification.reason);
    plain.actor = inert(notification.actor);
    return json::serialize(json::object{
        {"kind", domain::name_of(plain.kind)},
        {"notification", plain.id},
        {"upstream", plain.upstream.text()},
        {"downstream", plain.downstream.text()},
        {"level", domain::name_of(plain.level)},
        {"oncalls", std::move(oncalls)},
        {"text", domain::sentence_of(plain)},
        {"reason", plain.reason},
        {"evidence", evidence_of(notification)},
        {"by", plain.actor},
        {"by_hand", plain.by_hand},
        {"since", to_rfc3339(plain.since)},
        {"at", to_rfc3339(plain.at)},
    });
}

} // namespace baton::store
