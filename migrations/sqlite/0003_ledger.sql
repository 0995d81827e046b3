-- 0003_ledger.sql
-- What happened, in the order it happened, for ever: the schema itself refuses to change or remove a line. Beside it
-- the allowlists that were in force and the keys that sign callback tokens; both only ever grow.

CREATE TABLE ledger (
    sequence INTEGER PRIMARY KEY,
    at_ms    INTEGER NOT NULL,
    kind     TEXT    NOT NULL CHECK (kind <> ''),
    delivery TEXT    NOT NULL DEFAULT '',
    dispatch INTEGER,
    detail   TEXT    NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX ledger_of_delivery ON ledger (delivery, sequence) WHERE delivery <> '';

CREATE TRIGGER ledger_is_not_changed BEFORE UPDATE ON ledger BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TRIGGER ledger_is_not_shortened BEFORE DELETE ON ledger BEGIN
    SELECT RAISE(ABORT, 'the ledger is append-only');
END;

CREATE TABLE allowlist_version (
    id             INTEGER PRIMARY KEY,
    upstream       TEXT    NOT NULL COLLATE NOCASE,
    source         TEXT    NOT NULL,
    mark           TEXT    NOT NULL,
    text           TEXT    NOT NULL,
    in_force_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX allowlist_of_upstream ON allowlist_version (upstream, id);

CREATE TABLE signing_key (
    id            INTEGER PRIMARY KEY AUTOINCREMENT,
    secret        BLOB    NOT NULL CHECK (length(secret) > 0),
    created_at_ms INTEGER NOT NULL
) STRICT;
