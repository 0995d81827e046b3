-- 0007_checks.sql
-- What stands on the upstream's pull requests: which commits have to be looked at, what should stand there and what does, which
-- re-runs were ordered, and whose part of the gate is neutral for now. A subject is one head of one pull request; with the
-- number 0 it is a commit of the merge queue.

ALTER TABLE dispatch ADD COLUMN ref TEXT NOT NULL DEFAULT '';

-- What ran for a commit, and what a downstream ran of one kind: the newest first, however long history is.
CREATE INDEX dispatch_of_head ON dispatch (upstream, head_sha, id);
CREATE INDEX dispatch_of_pair ON dispatch (upstream, downstream, event_type, id);

DROP VIEW dispatch_row;
CREATE VIEW dispatch_row AS
SELECT d.id, v.id AS delivery_id, d.downstream, d.generation, d.upstream, d.event_type, d.pr_number, d.head_sha,
       d.level, d.device, d.state, d.reason, d.created_at_ms, d.due_at_ms, d.sent_at_ms, d.attempts, d.trim,
       d.lease_until_ms, d.fence, d.mark, d.mark_reason, d.delivery, d.silent_at_ms, d.ref, v.action
  FROM dispatch AS d CROSS JOIN delivery AS v ON v.sequence = d.delivery;

-- A subject whose checks may have to change. `version` grows with every change of the facts about it.
CREATE TABLE look (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    upstream    TEXT    NOT NULL COLLATE NOCASE,
    pr_number   INTEGER NOT NULL CHECK (pr_number >= 0),
    head_sha    TEXT    NOT NULL CHECK (head_sha <> ''),
    version     INTEGER NOT NULL CHECK (version >= 0),
    first_at_ms INTEGER NOT NULL,
    due_at_ms   INTEGER,
    UNIQUE (upstream, pr_number, head_sha)
) STRICT;

CREATE INDEX look_due ON look (due_at_ms, id) WHERE due_at_ms IS NOT NULL;

-- A check run or a comment: what is wanted (`version` grows with every other wish), and how far GitHub has it. `perhaps_there` is
-- set with the beginning of an attempt to create it, so that it is looked for first when nobody was left to write the end.
CREATE TABLE posting (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    upstream        TEXT    NOT NULL COLLATE NOCASE,
    pr_number       INTEGER NOT NULL CHECK (pr_number >= 0),
    head_sha        TEXT    NOT NULL,
    kind            TEXT    NOT NULL CHECK (kind IN ('check', 'comment')),
    name            TEXT    NOT NULL CHECK (name <> ''),
    gate            INTEGER NOT NULL CHECK (gate IN (0, 1)),
    external_id     TEXT    NOT NULL,
    details_url     TEXT    NOT NULL,
    status          TEXT    NOT NULL CHECK (status IN ('queued', 'in_progress', 'completed')),
    conclusion      TEXT    CHECK (conclusion IN (
        'success', 'failure', 'neutral', 'cancelled', 'skipped', 'timed_out', 'action_required')),
    started_at_ms   INTEGER,
    completed_at_ms INTEGER,
    title           TEXT    NOT NULL,
    summary         TEXT    NOT NULL,
    text            TEXT    NOT NULL,
    version         INTEGER NOT NULL CHECK (version > 0),
    state           TEXT    NOT NULL CHECK (state IN ('waiting', 'in_step', 'given_up')),
    github_id       INTEGER,
    perhaps_there   INTEGER NOT NULL CHECK (perhaps_there IN (0, 1)),
    calls           INTEGER NOT NULL CHECK (calls >= 0),
    trouble         TEXT    NOT NULL,
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    wanted_since_ms INTEGER NOT NULL,
    due_at_ms       INTEGER,
    lease_holder    TEXT    NOT NULL,
    lease_until_ms  INTEGER NOT NULL,
    fence           INTEGER NOT NULL,
    UNIQUE (upstream, pr_number, head_sha, kind, name),
    CHECK ((status = 'completed') = (conclusion IS NOT NULL)),
    CHECK ((state = 'waiting') = (due_at_ms IS NOT NULL)),
    CHECK (state = 'waiting' OR lease_until_ms = 0),
    CHECK (state <> 'in_step' OR github_id IS NOT NULL),
    CHECK (github_id IS NULL OR perhaps_there = 0)
) STRICT;

CREATE INDEX posting_due ON posting (gate, due_at_ms, id) WHERE state = 'waiting';
CREATE INDEX posting_leased ON posting (lease_until_ms) WHERE lease_until_ms > 0;
CREATE INDEX posting_oldest ON posting (wanted_since_ms) WHERE state = 'waiting';
-- Checks that have not ended: as many as are open, whatever has ended before.
CREATE INDEX posting_open ON posting (upstream, pr_number, head_sha) WHERE kind = 'check' AND status <> 'completed';

-- An order to run something again. `delivery` is the one whose plan gave it; '': the relay itself did.
CREATE TABLE rerun (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    key            TEXT    NOT NULL UNIQUE CHECK (key <> ''),
    delivery       TEXT    NOT NULL,
    upstream       TEXT    NOT NULL COLLATE NOCASE,
    pr_number      INTEGER NOT NULL CHECK (pr_number >= 0),
    head_sha       TEXT    NOT NULL,
    downstream     TEXT    NOT NULL COLLATE NOCASE,
    run_id         TEXT    NOT NULL,
    scope          TEXT    NOT NULL CHECK (scope IN ('failed', 'all')),
    cause          TEXT    NOT NULL CHECK (cause IN ('person', 'infrastructure')),
    actor          TEXT    NOT NULL,
    state          TEXT    NOT NULL CHECK (state IN ('waiting', 'asked', 'dispatched', 'refused')),
    created_at_ms  INTEGER NOT NULL,
    ended_at_ms    INTEGER,
    detail         TEXT    NOT NULL,
    attempts       INTEGER NOT NULL CHECK (attempts >= 0),
    due_at_ms      INTEGER,
    lease_holder   TEXT    NOT NULL,
    lease_until_ms INTEGER NOT NULL,
    fence          INTEGER NOT NULL,
    CHECK ((state = 'waiting') = (ended_at_ms IS NULL)),
    CHECK ((state = 'waiting') = (due_at_ms IS NOT NULL)),
    CHECK (state = 'waiting' OR lease_until_ms = 0)
) STRICT;

CREATE INDEX rerun_due ON rerun (due_at_ms, id) WHERE state = 'waiting';
CREATE INDEX rerun_leased ON rerun (lease_until_ms) WHERE lease_until_ms > 0;
CREATE INDEX rerun_of_subject ON rerun (upstream, pr_number, head_sha, id);

-- The present; the past, with its evidence, is in the ledger.
CREATE TABLE gate_suspension (
    upstream   TEXT    NOT NULL COLLATE NOCASE,
    downstream TEXT    NOT NULL COLLATE NOCASE,
    since_ms   INTEGER NOT NULL,
    reason     TEXT    NOT NULL,
    evidence   TEXT    NOT NULL,
    by_hand    INTEGER NOT NULL CHECK (by_hand IN (0, 1)),
    actor      TEXT    NOT NULL,
    PRIMARY KEY (upstream, downstream)
) STRICT, WITHOUT ROWID;

-- Figures of the one-screen summary.
INSERT INTO tally (name, n) VALUES
    ('look', 0), ('posting_waiting', 0), ('posting_in_step', 0), ('posting_given_up', 0), ('rerun_waiting', 0);

CREATE TRIGGER look_counted AFTER INSERT ON look WHEN new.due_at_ms IS NOT NULL BEGIN
    UPDATE tally SET n = n + 1 WHERE name = 'look';
END;

CREATE TRIGGER look_recounted AFTER UPDATE OF due_at_ms ON look
WHEN (old.due_at_ms IS NULL) <> (new.due_at_ms IS NULL) BEGIN
    UPDATE tally SET n = n + iif(new.due_at_ms IS NULL, -1, 1) WHERE name = 'look';
END;

CREATE TRIGGER look_uncounted AFTER DELETE ON look WHEN old.due_at_ms IS NOT NULL BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'look';
END;

CREATE TRIGGER posting_counted AFTER INSERT ON posting BEGIN
    UPDATE tally SET n = n + 1 WHERE name = 'posting_' || new.state;
END;

CREATE TRIGGER posting_recounted AFTER UPDATE OF state ON posting WHEN old.state <> new.state BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'posting_' || old.state;
    UPDATE tally SET n = n + 1 WHERE name = 'posting_' || new.state;
END;

CREATE TRIGGER posting_uncounted AFTER DELETE ON posting BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'posting_' || old.state;
END;

CREATE TRIGGER rerun_counted AFTER INSERT ON rerun WHEN new.state = 'waiting' BEGIN
    UPDATE tally SET n = n + 1 WHERE name = 'rerun_waiting';
END;

CREATE TRIGGER rerun_recounted AFTER UPDATE OF state ON rerun WHEN old.state = 'waiting' AND new.state <> 'waiting' BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'rerun_waiting';
END;

CREATE TRIGGER rerun_uncounted AFTER DELETE ON rerun WHEN old.state = 'waiting' BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'rerun_waiting';
END;
