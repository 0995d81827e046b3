-- 0016_level_pulls.sql
-- Where a proposed change of the list was put before its keepers: beside the ledger of levels, whose lines never change.

CREATE TABLE ladder_pull (
    move   INTEGER PRIMARY KEY REFERENCES ladder_transition (id),
    repo   TEXT    NOT NULL COLLATE NOCASE,
    number INTEGER NOT NULL CHECK (number > 0),
    url    TEXT    NOT NULL CHECK (url <> ''),
    at_ms  INTEGER NOT NULL
) STRICT;

CREATE TRIGGER news_of_ladder_pull AFTER INSERT ON ladder_pull BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    SELECT 'downstream', upstream, NULL, downstream FROM ladder_transition WHERE id = new.move;
END;
