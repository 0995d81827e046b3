-- 0011_operators.sql
-- What the people who run the relay look at and say: reports that were refused, what happened to a downstream, notes, and who looks
-- after what needs attention. What they did is in the ledger.

-- Titles of pull requests are kept from now on; of older ones the next event tells.
ALTER TABLE pull_request ADD COLUMN title TEXT NOT NULL DEFAULT '';

-- Reports of one caller that were refused for one reason within one hour. Of a caller whose token was not verified nothing is known:
-- then downstream and delivery are empty. The newest 10,000 are kept.
CREATE TABLE refusal (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    downstream  TEXT    NOT NULL COLLATE NOCASE,
    reason      TEXT    NOT NULL CHECK (reason <> ''),
    hour_ms     INTEGER NOT NULL CHECK (hour_ms % 3600000 = 0),
    status      INTEGER NOT NULL,
    detail      TEXT    NOT NULL,
    delivery    TEXT    NOT NULL,
    first_at_ms INTEGER NOT NULL,
    last_at_ms  INTEGER NOT NULL,
    n           INTEGER NOT NULL CHECK (n > 0),
    UNIQUE (downstream, reason, hour_ms)
) STRICT;

CREATE INDEX refusal_of_downstream ON refusal (downstream, id);
CREATE INDEX refusal_for_reason ON refusal (reason, id);
CREATE INDEX refusal_in_hour ON refusal (hour_ms, downstream, reason, n, last_at_ms);

CREATE TRIGGER refusal_trimmed AFTER INSERT ON refusal WHEN new.id % 100 = 0 BEGIN
    DELETE FROM refusal WHERE id <= new.id - 10000;
END;

-- What somebody who follows a downstream wants to hear of. The newest 20,000 are kept.
CREATE TABLE downstream_event (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    upstream   TEXT    NOT NULL COLLATE NOCASE, -- '': of every upstream
    downstream TEXT    NOT NULL COLLATE NOCASE,
    at_ms      INTEGER NOT NULL,
    kind       TEXT    NOT NULL CHECK (kind IN (
        'suspended', 'resumed', 'gate_suspended', 'gate_resumed', 'silent', 'failed')),
    pr_number  INTEGER,
    head_sha   TEXT    NOT NULL DEFAULT '',
    job        INTEGER,
    detail     TEXT    NOT NULL
) STRICT;

CREATE INDEX downstream_event_of ON downstream_event (downstream, id);

CREATE TRIGGER downstream_event_trimmed AFTER INSERT ON downstream_event WHEN new.id % 100 = 0 BEGIN
    DELETE FROM downstream_event WHERE id <= new.id - 20000;
END;

CREATE TRIGGER event_of_suspension AFTER INSERT ON suspension BEGIN
    INSERT INTO downstream_event (upstream, downstream, at_ms, kind, detail)
    VALUES (new.upstream, new.downstream, new.since_ms, 'suspended', new.reason);
END;

-- That a suspension or the gate's own ends has no time in its row: the ledger's newest line is of the same transaction, or just before.
CREATE TRIGGER event_of_suspension_end AFTER DELETE ON suspension BEGIN
    INSERT INTO downstream_event (upstream, downstream, at_ms, kind, detail)
    VALUES (old.upstream, old.downstream, coalesce((SELECT at_ms FROM ledger ORDER BY sequence DESC LIMIT 1), old.since_ms), 'resumed', '');
END;

-- One that replaces another tells of the same incident.
CREATE TRIGGER event_of_gate_suspension BEFORE INSERT ON gate_suspension
WHEN NOT EXISTS (SELECT 1 FROM gate_suspension WHERE upstream = new.upstream AND downstream = new.downstream) BEGIN
    INSERT INTO downstream_event (upstream, downstream, at_ms, kind, detail)
    VALUES (new.upstream, new.downstream, new.since_ms, 'gate_suspended', new.reason);
END;

CREATE TRIGGER event_of_gate_suspension_end AFTER DELETE ON gate_suspension BEGIN
    INSERT INTO downstream_event (upstream, downstream, at_ms, kind, detail)
    VALUES (old.upstream, old.downstream, coalesce((SELECT at_ms FROM ledger ORDER BY sequence DESC LIMIT 1), old.since_ms), 'gate_resumed', '');
END;

CREATE TRIGGER event_of_silence AFTER UPDATE OF silent_at_ms ON dispatch
WHEN old.silent_at_ms IS NULL AND new.silent_at_ms IS NOT NULL BEGIN
    INSERT INTO downstream_event (upstream, downstream, at_ms, kind, pr_number, head_sha, detail)
    VALUES (new.upstream, new.downstream, new.silent_at_ms, 'silent', new.pr_number, new.head_sha, '');
END;

-- A cell that fails where its downstream blocks.
CREATE TRIGGER event_of_failure AFTER UPDATE OF outcome ON cell
WHEN new.outcome IN ('failure', 'timed_out') AND old.outcome IS NOT new.outcome BEGIN
    INSERT INTO downstream_event (upstream, downstream, at_ms, kind, pr_number, head_sha, job, detail)
    SELECT j.upstream, j.downstream, new.ended_at_ms, 'failed', j.pr_number, j.head_sha, j.id,
           new.workflow || iif(new.job_name = '', '', ' / ' || new.job_name) || ': ' || new.outcome
      FROM job AS j WHERE j.id = new.newest_job AND j.level = 4;
END;

-- What people wrote.
CREATE TABLE note (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    about         TEXT    NOT NULL CHECK (about IN ('pull', 'downstream', 'delivery', 'cluster')),
    subject       TEXT    NOT NULL COLLATE NOCASE CHECK (subject <> ''),
    text          TEXT    NOT NULL CHECK (text <> ''),
    actor         TEXT    NOT NULL,
    at_ms         INTEGER NOT NULL,
    expires_at_ms INTEGER
) STRICT;

CREATE INDEX note_about ON note (about, subject, id);

-- Who looks after what needs attention, until when.
CREATE TABLE acknowledgement (
    key      TEXT    PRIMARY KEY CHECK (key <> ''),
    at_ms    INTEGER NOT NULL,
    until_ms INTEGER NOT NULL,
    actor    TEXT    NOT NULL,
    reason   TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- What people did, and nothing else of the ledger.
CREATE INDEX ledger_of_acts ON ledger (sequence) WHERE kind IN (
    'acted', 'redelivered', 'rerun_ordered', 'suspended', 'resumed', 'gate_suspended', 'gate_resumed', 'tested', 'repinned',
    'letters_revived');
