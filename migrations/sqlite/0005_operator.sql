-- 0005_operator.sql
-- The operator's hand: downstreams that get nothing for now, the numbers by which a repository is known, and whether the
-- relay that serves from here sends what it decides or keeps it to itself. Each is the present; the past is in the ledger.

CREATE TABLE suspension (
    downstream TEXT    NOT NULL COLLATE NOCASE,
    upstream   TEXT    NOT NULL COLLATE NOCASE, -- '': every upstream
    since_ms   INTEGER NOT NULL,
    until_ms   INTEGER,
    reason     TEXT    NOT NULL,
    actor      TEXT    NOT NULL,
    PRIMARY KEY (downstream, upstream)
) STRICT, WITHOUT ROWID;

CREATE TABLE pin (
    repo          TEXT    PRIMARY KEY COLLATE NOCASE,
    repository_id INTEGER NOT NULL CHECK (repository_id > 0),
    owner_id      INTEGER NOT NULL CHECK (owner_id > 0),
    pinned_at_ms  INTEGER NOT NULL,
    actor         TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- A row while the last relay that served was a shadow: what it left must never be sent.
CREATE TABLE shadow (
    one      INTEGER PRIMARY KEY CHECK (one = 1),
    since_ms INTEGER NOT NULL
) STRICT;

-- What went wrong at a downstream, as few rows as there are failures.
CREATE INDEX dispatch_unhappy ON dispatch (downstream, id) WHERE state IN ('failed', 'dead');

-- A shadow withholds what it would send, and the attempt says so: one more word among the outcomes.
CREATE TABLE attempt_with_withheld (
    dispatch      INTEGER NOT NULL REFERENCES dispatch (id) ON DELETE CASCADE,
    number        INTEGER NOT NULL CHECK (number > 0),
    holder        TEXT    NOT NULL,
    started_at_ms INTEGER NOT NULL,
    ended_at_ms   INTEGER,
    outcome       TEXT    CHECK (outcome IN (
        'accepted', 'too_large', 'throttled', 'refused', 'unauthenticated', 'not_sent', 'unknown', 'withheld')),
    status        INTEGER NOT NULL DEFAULT 0,
    detail        TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (dispatch, number)
) STRICT, WITHOUT ROWID;

INSERT INTO attempt_with_withheld SELECT * FROM attempt ORDER BY dispatch, number;
DROP TABLE attempt;
ALTER TABLE attempt_with_withheld RENAME TO attempt;

CREATE TRIGGER attempt_unknown AFTER UPDATE OF outcome ON attempt
WHEN new.outcome = 'unknown' AND old.outcome IS NOT 'unknown' BEGIN
    UPDATE tally SET n = n + 1 WHERE name = 'unknown_outcome';
END;

CREATE TRIGGER attempt_forgotten AFTER DELETE ON attempt WHEN old.outcome = 'unknown' BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'unknown_outcome';
END;
