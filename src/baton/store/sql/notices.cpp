#include "baton/store/sql/notices.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/notification.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/notices.hpp"
#include "baton/store/notifying.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::store::sql {

namespace {

constexpr char kBetween = ' '; // no login has one

constexpr Query kPut{
    "put_notification",
    "INSERT INTO notification (kind, upstream, downstream, level, oncalls, reason, evidence, "
    "by_hand, actor, since_ms, at_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) "
    "RETURNING id"
};
constexpr Query kPairing{
    "pairing_of_notification", "SELECT upstream, downstream FROM notification WHERE id = ?1"
};
constexpr Query kBegan{
    "incident_began",
    "SELECT since_ms FROM notification WHERE upstream = ?1 AND downstream = ?2 AND "
    "kind IN ('suspended', 'returned') ORDER BY id DESC LIMIT 1"
};
constexpr Query kReceivers{"receivers", "SELECT sink FROM receiver WHERE sink > '' ORDER BY sink"};
constexpr Query kForget{"forget_receiver", "DELETE FROM receiver WHERE sink = ?1"};
constexpr Query kName{"name_receiver", "INSERT INTO receiver (sink) VALUES (?1)"};
constexpr Query kConcern{
    "concern", "SELECT level, oncalls FROM concern WHERE upstream = ?1 AND downstream = ?2"
};
constexpr Query kNote{
    "note_concern",
    "INSERT INTO concern (upstream, downstream, level, oncalls) VALUES (?1, ?2, ?3, ?4) ON "
    "CONFLICT (upstream, downstream) DO UPDATE SET upstream = excluded.upstream, downstream = "
    "excluded.downstream, level = excluded.level, oncalls = excluded.oncalls"
};
constexpr Query kWaiting{
    "letters_of_notifications",
    "SELECT id, sink FROM outbox INDEXED BY outbox_of_notification WHERE notification > 0 AND "
    "state = 'waiting' ORDER BY notification, sink"
};

std::string text_of(const std::vector<Login>& logins) {
    std::string text;
    for (const auto& login : logins) {
        text += text.empty() ? "" : std::string(1, kBetween);
        text += login.text();
    }
    return text;
}

std::vector<Login> logins_in(std::string_view text) {
    std::vector<Login> logins;
    while (!text.empty()) {
        const auto word = text.substr(0, text.find(kBetween));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        logins.emplace_back(std::string(word));
    }
    return logins;
}

std::vector<std::string> receivers(Connection& db) {
    std::vector<std::string> sinks;
    auto rows = db.rows(kReceivers);
    while (rows.next()) {
        sinks.push_back(rows.text(0));
    }
    return sinks;
}

bool has(const std::vector<std::string>& sinks, std::string_view sink) {
    return std::ranges::find(sinks, sink) != sinks.end();
}

} // namespace

void notify(Connection& db, domain::Notification notification) {
    notification.id = db.insert(
        kPut,
        name_of(notification.kind),
        notification.upstream.text(),
        notification.downstream.text(),
        name_of(notification.level),
        text_of(notification.oncalls),
        notification.reason,
        notification.evidence,
        notification.by_hand,
        notification.actor,
        notification.since,
        notification.at
    );
    const auto sinks = receivers(db);
    if (sinks.empty()) {
        return;
    }
    const LetterSubject about{
        .lane = domain::lane_of(notification), .job = std::nullopt, .notification = notification.id
    };
    const auto body = body_of(notification);
    PackedLetter letter{.sink = {}, .zstd = compress(body), .body_bytes = body.size()};
    for (const auto& sink : sinks) {
        letter.sink = sink;
        put_letter(db, letter, about, notification.at);
    }
}

std::optional<domain::Pairing> pairing_of(Connection& db, std::int64_t notification) {
    auto rows = db.rows(kPairing, notification);
    if (!rows.next()) {
        return std::nullopt;
    }
    return domain::Pairing{
        .upstream = repo_name(rows.view(0)), .downstream = repo_name(rows.view(1))
    };
}

std::optional<ports::Concern>
concern_of(Connection& db, const RepoName& upstream, const RepoName& downstream) {
    auto rows = db.rows(kConcern, upstream.text(), downstream.text());
    if (!rows.next()) {
        return std::nullopt;
    }
    return ports::Concern{
        .upstream = upstream,
        .downstream = downstream,
        .level = domain::level_named(rows.view(0)).value_or(domain::Level::l4),
        .oncalls = logins_in(rows.view(1)),
    };
}

std::optional<TimePoint>
incident_began(Connection& db, const RepoName& upstream, const RepoName& downstream) {
    auto rows = db.rows(kBegan, upstream.text(), downstream.text());
    return rows.next() ? std::optional(rows.time(0)) : std::nullopt;
}

namespace verbs {

std::size_t name_receivers(Connection& db, const std::vector<std::string>& sinks, TimePoint now) {
    const auto known = receivers(db);
    for (const auto& sink : known) {
        if (!has(sinks, sink)) {
            db.run(kForget, sink);
        }
    }
    for (const auto& sink : sinks) {
        if (!has(known, sink)) {
            db.run(kName, sink);
        }
    }
    std::vector<std::int64_t> astray;
    {
        auto rows = db.rows(kWaiting);
        while (rows.next()) {
            if (!has(sinks, rows.view(1))) {
                astray.push_back(rows.integer(0));
            }
        }
    }
    for (const auto id : astray) {
        bury_letter(db, id, kNoSuchReceiver, now);
    }
    return astray.size();
}

Result<void> note_concern(Connection& db, const ports::Concern& concern) {
    db.run(
        kNote,
        concern.upstream.text(),
        concern.downstream.text(),
        name_of(concern.level),
        text_of(concern.oncalls)
    );
    return {};
}

} // namespace verbs

} // namespace baton::store::sql
