-- 0012_notify.sql
-- What people outside are told, and to whom: a notification is written with the decision that it tells of. A letter belongs
-- to a job or to a notification.

CREATE TABLE notification (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    kind       TEXT    NOT NULL CHECK (kind <> ''),
    upstream   TEXT    NOT NULL COLLATE NOCASE,
    downstream TEXT    NOT NULL COLLATE NOCASE,
    level      TEXT    NOT NULL,
    oncalls    TEXT    NOT NULL, -- logins, with a blank between them
    reason     TEXT    NOT NULL,
    evidence   TEXT    NOT NULL,
    by_hand    INTEGER NOT NULL CHECK (by_hand IN (0, 1)),
    actor      TEXT    NOT NULL,
    since_ms   INTEGER NOT NULL,
    at_ms      INTEGER NOT NULL
) STRICT;

CREATE INDEX notification_of_pairing ON notification (upstream, downstream, id);

-- Who is told, as the relay that runs was configured.
CREATE TABLE receiver (
    sink TEXT PRIMARY KEY CHECK (sink <> '')
) STRICT, WITHOUT ROWID;

-- Whom a downstream's turns at the gate of an upstream concern, as the allowlist in force says.
CREATE TABLE concern (
    upstream   TEXT NOT NULL COLLATE NOCASE,
    downstream TEXT NOT NULL COLLATE NOCASE,
    level      TEXT NOT NULL,
    oncalls    TEXT NOT NULL,
    PRIMARY KEY (upstream, downstream)
) STRICT, WITHOUT ROWID;

-- SQLite cannot take NOT NULL from a column: the table is made anew, with what is in it.
DROP TRIGGER letter_counted;
DROP TRIGGER letter_recounted;
DROP TRIGGER letter_uncounted;
DROP TRIGGER news_of_dead_letter;
DROP INDEX outbox_due;
DROP INDEX outbox_lane;
DROP INDEX outbox_waiting;
DROP INDEX outbox_leased;
DROP INDEX outbox_dead;

CREATE TABLE outbox_with_notifications (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    sink           TEXT    NOT NULL CHECK (sink <> ''),
    lane           TEXT    NOT NULL,
    job            INTEGER REFERENCES job (id),
    notification   INTEGER REFERENCES notification (id),
    body_bytes     INTEGER NOT NULL CHECK (body_bytes >= 0),
    zstd           BLOB    NOT NULL,
    state          TEXT    NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'dead')),
    created_at_ms  INTEGER NOT NULL,
    due_at_ms      INTEGER,
    attempts       INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    lease_holder   TEXT    NOT NULL DEFAULT '',
    lease_until_ms INTEGER NOT NULL DEFAULT 0,
    fence          INTEGER NOT NULL DEFAULT 0,
    detail         TEXT    NOT NULL DEFAULT '',
    died_at_ms     INTEGER,
    CHECK ((job IS NULL) <> (notification IS NULL)),
    CHECK ((state = 'dead') = (died_at_ms IS NOT NULL)),
    CHECK (state = 'waiting' OR (due_at_ms IS NULL AND lease_until_ms = 0))
) STRICT;

INSERT INTO outbox_with_notifications (id, sink, lane, job, body_bytes, zstd, state, created_at_ms, due_at_ms, attempts,
                                       lease_holder, lease_until_ms, fence, detail, died_at_ms)
SELECT id, sink, lane, job, body_bytes, zstd, state, created_at_ms, due_at_ms, attempts,
       lease_holder, lease_until_ms, fence, detail, died_at_ms
  FROM outbox ORDER BY id;

-- A letter that is gone keeps its number to itself: receivers may know it.
UPDATE sqlite_sequence SET seq = (SELECT seq FROM sqlite_sequence WHERE name = 'outbox')
 WHERE name = 'outbox_with_notifications' AND EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'outbox');
INSERT INTO sqlite_sequence (name, seq)
SELECT 'outbox_with_notifications', seq FROM sqlite_sequence
 WHERE name = 'outbox' AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'outbox_with_notifications');

DROP TABLE outbox;
ALTER TABLE outbox_with_notifications RENAME TO outbox;

CREATE INDEX outbox_due ON outbox (sink, due_at_ms, id) WHERE due_at_ms IS NOT NULL;
CREATE INDEX outbox_lane ON outbox (sink, lane, id) WHERE state = 'waiting';
CREATE INDEX outbox_waiting ON outbox (id, created_at_ms) WHERE state = 'waiting';
CREATE INDEX outbox_leased ON outbox (lease_until_ms) WHERE lease_until_ms > 0;
CREATE INDEX outbox_dead ON outbox (died_at_ms, id, sink) WHERE state = 'dead';
CREATE INDEX outbox_of_notification ON outbox (notification, sink) WHERE notification IS NOT NULL;

CREATE TRIGGER letter_counted AFTER INSERT ON outbox BEGIN
    UPDATE tally SET n = n + 1 WHERE name = 'letter_' || new.state;
END;

CREATE TRIGGER letter_recounted AFTER UPDATE OF state ON outbox WHEN old.state <> new.state BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'letter_' || old.state;
    UPDATE tally SET n = n + 1 WHERE name = 'letter_' || new.state;
END;

CREATE TRIGGER letter_uncounted AFTER DELETE ON outbox BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'letter_' || old.state;
END;

CREATE TRIGGER news_of_dead_letter AFTER UPDATE OF state ON outbox
WHEN old.state <> new.state BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES ('relay', '', NULL, '');
END;
