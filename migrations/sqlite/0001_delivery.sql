-- 0001_delivery.sql
-- A webhook is answered only after it is here, and the uniqueness of its id is what makes a repeated delivery harmless.
-- Bodies stand apart: lists of deliveries are read often, bodies once or twice. `sequence` is the order of arrival.

CREATE TABLE delivery (
    sequence       INTEGER PRIMARY KEY,
    id             TEXT    NOT NULL UNIQUE CHECK (id <> ''),
    event          TEXT    NOT NULL,
    action         TEXT    NOT NULL,
    repository     TEXT    NOT NULL COLLATE NOCASE,
    pr_number      INTEGER,
    head_sha       TEXT    NOT NULL,
    received_at_ms INTEGER NOT NULL,
    state          TEXT    NOT NULL DEFAULT 'to_plan' CHECK (state IN ('to_plan', 'planned')),
    plan_at_ms     INTEGER NOT NULL,
    body_bytes     INTEGER NOT NULL CHECK (body_bytes >= 0)
) STRICT;

-- The outbox of planning: as long as the backlog, never as long as history.
CREATE INDEX delivery_to_plan ON delivery (sequence, plan_at_ms, state) WHERE state = 'to_plan';
CREATE INDEX delivery_of_event ON delivery (event, sequence);
CREATE INDEX delivery_of_pr ON delivery (pr_number, sequence) WHERE pr_number IS NOT NULL;

CREATE TABLE delivery_body (
    sequence INTEGER PRIMARY KEY REFERENCES delivery (sequence) ON DELETE CASCADE,
    zstd     BLOB    NOT NULL
) STRICT;

-- Figures of the one-screen summary, kept on write so that reading them costs the same at any age of the store.
CREATE TABLE tally (
    name TEXT    PRIMARY KEY,
    n    INTEGER NOT NULL CHECK (n >= 0)
) STRICT, WITHOUT ROWID;

INSERT INTO tally (name, n) VALUES ('delivery', 0);

CREATE TRIGGER delivery_counted AFTER INSERT ON delivery BEGIN
    UPDATE tally SET n = n + 1 WHERE name = 'delivery';
END;

CREATE TRIGGER delivery_uncounted AFTER DELETE ON delivery BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'delivery';
END;
