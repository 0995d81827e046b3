-- 0002_dispatch.sql
-- The outbox of sending: one row per delivery, downstream and generation, with the lease that says who works on it and
-- one row per attempt, written before GitHub is called. What is known of a pull request is compared and set by version.

CREATE TABLE pull_request (
    upstream         TEXT    NOT NULL COLLATE NOCASE,
    number           INTEGER NOT NULL,
    head_sha         TEXT    NOT NULL,
    updated_at_ms    INTEGER NOT NULL,
    open             INTEGER NOT NULL CHECK (open IN (0, 1)),
    draft            INTEGER NOT NULL CHECK (draft IN (0, 1)),
    labels           TEXT    NOT NULL CHECK (json_valid(labels)),
    refused_labels   TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(refused_labels)),
    author           TEXT    NOT NULL,
    association      TEXT    NOT NULL CHECK (association IN (
        'none', 'first_timer', 'first_time_contributor', 'contributor', 'collaborator', 'member', 'owner')),
    approved         INTEGER NOT NULL CHECK (approved IN (0, 1)),
    newest_forwarded TEXT    NOT NULL,
    version          INTEGER NOT NULL CHECK (version > 0),
    PRIMARY KEY (upstream, number)
) STRICT, WITHOUT ROWID;

-- An id is never given twice (AUTOINCREMENT): callback tokens and the ledger name it.
-- `mark` is what a leased dispatch becomes instead of going back to pending.
CREATE TABLE dispatch (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    delivery       INTEGER NOT NULL REFERENCES delivery (sequence),
    downstream     TEXT    NOT NULL COLLATE NOCASE,
    generation     INTEGER NOT NULL CHECK (generation >= 0),
    upstream       TEXT    NOT NULL COLLATE NOCASE,
    event_type     TEXT    NOT NULL,
    pr_number      INTEGER,
    head_sha       TEXT    NOT NULL,
    level          INTEGER NOT NULL CHECK (level BETWEEN 1 AND 4),
    device         TEXT    NOT NULL,
    state          TEXT    NOT NULL CHECK (state IN (
        'pending', 'sent', 'started', 'finished', 'superseded', 'cancelled', 'failed', 'dead')),
    reason         TEXT    NOT NULL,
    created_at_ms  INTEGER NOT NULL,
    due_at_ms      INTEGER NOT NULL,
    sent_at_ms     INTEGER,
    attempts       INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    trim           INTEGER NOT NULL DEFAULT 0 CHECK (trim >= 0),
    lease_holder   TEXT    NOT NULL DEFAULT '',
    lease_until_ms INTEGER NOT NULL DEFAULT 0,
    fence          INTEGER NOT NULL DEFAULT 0,
    mark           TEXT    CHECK (mark IN ('superseded', 'cancelled')),
    mark_reason    TEXT    NOT NULL DEFAULT '',
    UNIQUE (delivery, downstream, generation),
    CHECK (state = 'pending' OR (lease_until_ms = 0 AND mark IS NULL))
) STRICT;

-- What is due, by downstream, without touching the table: every column that `due` asks for is in the index.
CREATE INDEX dispatch_due ON dispatch (downstream, due_at_ms, id, lease_until_ms, level, state)
    WHERE state = 'pending';
CREATE INDEX dispatch_leased ON dispatch (lease_until_ms) WHERE state = 'pending' AND lease_until_ms > 0;
CREATE INDEX dispatch_of_pr ON dispatch (upstream, pr_number) WHERE state = 'pending' AND pr_number IS NOT NULL;
CREATE INDEX dispatch_pending ON dispatch (id, created_at_ms) WHERE state = 'pending';
CREATE INDEX dispatch_sent ON dispatch (downstream, sent_at_ms, state) WHERE sent_at_ms IS NOT NULL;
CREATE INDEX dispatch_in_state ON dispatch (state, delivery);

CREATE VIEW dispatch_row AS
SELECT d.id, v.id AS delivery_id, d.downstream, d.generation, d.upstream, d.event_type, d.pr_number, d.head_sha,
       d.level, d.device, d.state, d.reason, d.created_at_ms, d.due_at_ms, d.sent_at_ms, d.attempts, d.trim,
       d.lease_until_ms, d.fence, d.mark, d.mark_reason, d.delivery
  FROM dispatch AS d CROSS JOIN delivery AS v ON v.sequence = d.delivery;

-- `ended_at_ms` stays empty when nobody was left to write it; then the outcome is unknown.
CREATE TABLE attempt (
    dispatch      INTEGER NOT NULL REFERENCES dispatch (id) ON DELETE CASCADE,
    number        INTEGER NOT NULL CHECK (number > 0),
    holder        TEXT    NOT NULL,
    started_at_ms INTEGER NOT NULL,
    ended_at_ms   INTEGER,
    outcome       TEXT    CHECK (outcome IN (
        'accepted', 'too_large', 'throttled', 'refused', 'unauthenticated', 'not_sent', 'unknown')),
    status        INTEGER NOT NULL DEFAULT 0,
    detail        TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (dispatch, number)
) STRICT, WITHOUT ROWID;

INSERT INTO tally (name, n) VALUES
    ('pending', 0), ('sent', 0), ('started', 0), ('finished', 0),
    ('superseded', 0), ('cancelled', 0), ('failed', 0), ('dead', 0), ('unknown_outcome', 0);

CREATE TRIGGER dispatch_counted AFTER INSERT ON dispatch BEGIN
    UPDATE tally SET n = n + 1 WHERE name = new.state;
END;

CREATE TRIGGER dispatch_recounted AFTER UPDATE OF state ON dispatch WHEN old.state <> new.state BEGIN
    UPDATE tally SET n = n - 1 WHERE name = old.state;
    UPDATE tally SET n = n + 1 WHERE name = new.state;
END;

CREATE TRIGGER dispatch_uncounted AFTER DELETE ON dispatch BEGIN
    UPDATE tally SET n = n - 1 WHERE name = old.state;
END;

CREATE TRIGGER attempt_unknown AFTER UPDATE OF outcome ON attempt
WHEN new.outcome = 'unknown' AND old.outcome IS NOT 'unknown' BEGIN
    UPDATE tally SET n = n + 1 WHERE name = 'unknown_outcome';
END;

CREATE TRIGGER attempt_forgotten AFTER DELETE ON attempt WHEN old.outcome = 'unknown' BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'unknown_outcome';
END;

-- How many were sent, and of those how many still run, per downstream and ten minutes: "in the last 24 hours" is asked
-- several times a second and must not read every row of a day. Only the slot that the cut goes through is counted row by row.
CREATE TABLE sent_slot (
    downstream TEXT    NOT NULL COLLATE NOCASE,
    slot_ms    INTEGER NOT NULL,
    sent       INTEGER NOT NULL CHECK (sent >= 0),
    running    INTEGER NOT NULL CHECK (running >= 0),
    PRIMARY KEY (downstream, slot_ms)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER dispatch_sent_slot AFTER UPDATE OF sent_at_ms ON dispatch
WHEN old.sent_at_ms IS NULL AND new.sent_at_ms IS NOT NULL BEGIN
    INSERT INTO sent_slot (downstream, slot_ms, sent, running)
    VALUES (new.downstream, new.sent_at_ms - new.sent_at_ms % 600000, 1, new.state IN ('sent', 'started'))
    ON CONFLICT (downstream, slot_ms) DO UPDATE SET sent = sent + 1, running = running + excluded.running;
END;

CREATE TRIGGER dispatch_ended_slot AFTER UPDATE OF state ON dispatch
WHEN old.sent_at_ms IS NOT NULL AND old.state IN ('sent', 'started') AND new.state NOT IN ('sent', 'started') BEGIN
    UPDATE sent_slot SET running = running - 1
     WHERE downstream = new.downstream AND slot_ms = new.sent_at_ms - new.sent_at_ms % 600000;
END;
