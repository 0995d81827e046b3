#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/checks.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/sql/check_rows.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/operators.hpp"
#include "baton/store/sql/resting.hpp"
#include "baton/store/sql/verbs.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::sql::operators {

namespace {

constexpr Query kNotes{
    "notes",
    "SELECT id, about, subject, text, actor, at_ms, expires_at_ms FROM note WHERE id < ?1 "
    "ORDER BY id DESC"
};
constexpr Query kNotesAbout{
    "notes_about",
    "SELECT id, about, subject, text, actor, at_ms, expires_at_ms FROM note WHERE about = ?2 AND "
    "subject = ?3 AND id < ?1 ORDER BY id DESC"
};
constexpr Query kNote{
    "note", "SELECT id, about, subject, text, actor, at_ms, expires_at_ms FROM note WHERE id = ?1"
};
constexpr Query kAnnotate{
    "annotate",
    "INSERT INTO note (about, subject, text, actor, at_ms, expires_at_ms) VALUES (?1, ?2, ?3, ?4, "
    "?5, ?6) RETURNING id"
};
constexpr Query kRemoveNote{"remove_note", "DELETE FROM note WHERE id = ?1"};
constexpr Query kForgetNotes{
    "forget_notes", "DELETE FROM note WHERE about = ?1 AND subject = ?2 AND expires_at_ms <= ?3"
};
constexpr Query kAcknowledgements{
    "acknowledgements",
    "SELECT key, at_ms, until_ms, actor, reason FROM acknowledgement WHERE until_ms > ?1 "
    "ORDER BY key"
};
constexpr Query kAcknowledge{
    "acknowledge",
    "INSERT INTO acknowledgement (key, at_ms, until_ms, actor, reason) VALUES (?1, ?2, ?3, ?4, "
    "?5) ON CONFLICT (key) DO UPDATE SET at_ms = excluded.at_ms, until_ms = excluded.until_ms, "
    "actor = excluded.actor, reason = excluded.reason"
};
constexpr Query kForgetAcknowledgements{
    "forget_acknowledgements", "DELETE FROM acknowledgement WHERE until_ms <= ?1"
};
constexpr Query kLift{"lift_acknowledgement", "DELETE FROM acknowledgement WHERE key = ?1"};
constexpr Query kTell{
    "act_news", "INSERT INTO news (topic, upstream, pr_number, downstream) VALUES (?1, ?2, ?3, ?4)"
};

ports::Note note_in(const Rows& row) {
    return {
        .id = row.integer(0),
        .about = row.text(1),
        .subject = row.text(2),
        .text = row.text(3),
        .actor = row.text(4),
        .at = row.time(5),
        .expires_at = row.maybe_time(6),
    };
}

void write_act(Connection& db, const ports::ActedBy& by, const Act& act) {
    const auto detail = acted_detail(by, act);
    write_line(
        db,
        {.at = by.now,
         .kind = kActed,
         .delivery = act.delivery,
         .dispatch = std::nullopt,
         .detail = detail}
    );
}

void tell_relay(Connection& db) {
    db.run(
        kTell,
        std::string_view("relay"),
        std::string_view(),
        std::optional<std::int64_t>(),
        std::string_view()
    );
}

/// Pages that show what the note is about load it anew.
void tell_of(Connection& db, const ports::Note& note) {
    const auto hash = note.subject.rfind('#');
    if (note.about == "downstream") {
        db.run(kTell, note.about, std::string_view(), std::optional<std::int64_t>(), note.subject);
    } else if (note.about == "pull" && hash != std::string::npos) {
        const auto number = whole_number(std::string_view(note.subject).substr(hash + 1));
        db.run(kTell, note.about, note.subject.substr(0, hash), number, std::string_view());
    } else {
        tell_relay(db);
    }
}

std::string place_of(const domain::NewRerun& order) {
    return order.subject.pr ? fmt::format(
                                  "{}#{}",
                                  order.subject.upstream.text(),
                                  static_cast<std::int64_t>(*order.subject.pr)
                              )
                            : order.subject.upstream.text();
}

} // namespace

std::vector<ports::Note> notes(Connection& db, const ports::NoteQuery& query) {
    std::vector<ports::Note> found;
    const auto before = query.before.value_or(std::numeric_limits<std::int64_t>::max());
    auto rows = query.subject.empty() ? db.rows(kNotes, before)
                                      : db.rows(kNotesAbout, before, query.about, query.subject);
    while (found.size() < query.limit && rows.next()) {
        auto note = note_in(rows);
        const bool wanted = (query.about.empty() || note.about == query.about) &&
                            (!note.expires_at || *note.expires_at > query.now);
        if (wanted && query.shown(note)) {
            found.push_back(std::move(note));
        }
    }
    return found;
}

std::vector<ports::Acknowledgement> acknowledgements(Connection& db, TimePoint now) {
    std::vector<ports::Acknowledgement> found;
    auto rows = db.rows(kAcknowledgements, now);
    while (rows.next()) {
        found.push_back({
            .key = rows.text(0),
            .at = rows.time(1),
            .until = rows.time(2),
            .actor = rows.text(3),
            .reason = rows.text(4),
        });
    }
    return found;
}

ports::Note annotate(Connection& db, ports::Note note, const ports::ActedBy& by) {
    db.run(kForgetNotes, note.about, note.subject, by.now);
    note.id = db.insert(
        kAnnotate, note.about, note.subject, note.text, note.actor, note.at, note.expires_at
    );
    write_act(
        db,
        by,
        {.action = "noted",
         .subject = note.subject,
         .delivery = note.about == "delivery" ? note.subject : "",
         .text = fmt::format("note {}: {}", note.id, note.text)}
    );
    tell_of(db, note);
    return note;
}

Result<ports::Note> remove_note(Connection& db, std::int64_t id, const ports::ActedBy& by) {
    std::optional<ports::Note> known;
    if (auto rows = db.rows(kNote, id); rows.next()) {
        known = note_in(rows);
    }
    if (!known) {
        return fail(Errc::not_found, fmt::format("there is no note {}", id));
    }
    db.run(kRemoveNote, id);
    write_act(
        db,
        by,
        {.action = "note_removed",
         .subject = known->subject,
         .delivery = known->about == "delivery" ? known->subject : "",
         .text = fmt::format("note {} by {}: {}", id, known->actor, known->text)}
    );
    tell_of(db, *known);
    return *std::move(known);
}

void acknowledge(
    Connection& db, const ports::Acknowledgement& acknowledgement, const ports::ActedBy& by
) {
    db.run(kForgetAcknowledgements, by.now);
    db.run(
        kAcknowledge,
        acknowledgement.key,
        acknowledgement.at,
        acknowledgement.until,
        acknowledgement.actor,
        acknowledgement.reason
    );
    write_act(
        db,
        by,
        {.action = "acknowledged",
         .subject = acknowledgement.key,
         .delivery = "",
         .text = fmt::format("until {}", to_rfc3339(acknowledgement.until))}
    );
    tell_relay(db);
}

bool lift_acknowledgement(Connection& db, const std::string& key, const ports::ActedBy& by) {
    if (db.change(kLift, key) == 0) {
        return false;
    }
    write_act(
        db, by, {.action = "acknowledgement_lifted", .subject = key, .delivery = "", .text = ""}
    );
    tell_relay(db);
    return true;
}

bool order_rerun(Connection& db, const domain::NewRerun& order, const ports::ActedBy& by) {
    if (!sql::order_rerun(db, new_rerun(order, {}, by.now))) {
        return false;
    }
    write_act(
        db,
        by,
        {.action = "rerun_ordered",
         .subject = place_of(order),
         .delivery = "",
         .text = rerun_ordered_detail(order)}
    );
    return true;
}

void suspend(Connection& db, const domain::Suspension& suspension, const ports::ActedBy& by) {
    verbs::suspend(db, suspension);
    write_act(
        db,
        by,
        {.action = "suspended",
         .subject = suspension.downstream.text(),
         .delivery = "",
         .text = suspended_detail(suspension)}
    );
}

std::size_t resume(Connection& db, const ports::Resumption& resumption, const ports::ActedBy& by) {
    const auto lifted = verbs::resume(db, resumption);
    if (lifted > 0) {
        const auto place = resumption.upstream ? resumption.upstream->text() : "every upstream";
        write_act(
            db,
            by,
            {.action = "resumed",
             .subject = resumption.downstream.text(),
             .delivery = "",
             .text = fmt::format("from {}", place)}
        );
    }
    return lifted;
}

Result<std::size_t>
redeliver(Connection& db, const ports::RedeliverQuery& query, const ports::ActedBy& by) {
    BATON_TRY(const auto again, verbs::redeliver(db, query));
    if (again > 0) {
        write_act(
            db,
            by,
            {.action = "redelivered",
             .subject = query.delivery.text(),
             .delivery = query.delivery.text(),
             .text = fmt::format(
                 "{} to {}", again, query.downstream ? query.downstream->text() : "everybody"
             )}
        );
    }
    return again;
}

} // namespace baton::store::sql::operators
