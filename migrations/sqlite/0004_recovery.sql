-- 0004_recovery.sql
-- What GitHub's own delivery log says it sent, folded by delivery, so that what never arrived is found and asked for
-- again. `arrived` is kept by triggers: a webhook that is in the store is not looked for.

CREATE TABLE hook (
    delivery    TEXT    PRIMARY KEY CHECK (delivery <> ''),
    event       TEXT    NOT NULL,
    action      TEXT    NOT NULL,
    first_at_ms INTEGER NOT NULL,
    try_id      INTEGER NOT NULL,
    try_at_ms   INTEGER NOT NULL,
    status      INTEGER NOT NULL,
    redelivery  INTEGER NOT NULL CHECK (redelivery IN (0, 1)),
    concerns    INTEGER NOT NULL CHECK (concerns IN (0, 1)),
    asked       INTEGER NOT NULL DEFAULT 0 CHECK (asked >= 0),
    asked_at_ms INTEGER,
    arrived     INTEGER NOT NULL DEFAULT 0 CHECK (arrived IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Might concern us, and is neither in the store nor answered as of no concern (200): short, unless something is wrong.
-- Those asked for least come first, so that what is given up keeps nobody from being asked for.
CREATE INDEX hook_astray ON hook (asked, first_at_ms)
    WHERE arrived = 0 AND concerns = 1 AND (status < 200 OR status > 201);
CREATE INDEX hook_of_day ON hook (first_at_ms);

CREATE TRIGGER hook_came_late AFTER INSERT ON delivery BEGIN
    UPDATE hook SET arrived = 1 WHERE delivery = new.id;
END;

CREATE TRIGGER hook_is_there AFTER INSERT ON hook
WHEN EXISTS (SELECT 1 FROM delivery WHERE id = new.delivery) BEGIN
    UPDATE hook SET arrived = 1 WHERE delivery = new.delivery;
END;

-- How far the log was looked through: one row, once it was.
CREATE TABLE walk (
    only        INTEGER PRIMARY KEY CHECK (only = 1),
    born_ms     INTEGER NOT NULL,
    until_ms    INTEGER NOT NULL,
    ended_at_ms INTEGER NOT NULL
) STRICT;

-- Days whose account is in the ledger.
CREATE TABLE accounted_day (
    from_ms INTEGER PRIMARY KEY
) STRICT;

CREATE INDEX pull_request_open ON pull_request (upstream, number) WHERE open = 1;
