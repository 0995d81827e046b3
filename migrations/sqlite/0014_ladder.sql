-- 0014_ladder.sql
-- The ladder: what came of each downstream's events by the day, what was said of it, where it stands, and every move it made. Beside it
-- how pull requests ended, for whose fault a failure is follows from that. docs/design/ladder.md defines the words.

-- Kept from now on; of older ones nobody knows whether they were merged.
ALTER TABLE pull_request ADD COLUMN closed_at_ms INTEGER;
ALTER TABLE pull_request ADD COLUMN merged_at_ms INTEGER;

CREATE INDEX pull_request_merged ON pull_request (upstream, merged_at_ms, number) WHERE merged_at_ms IS NOT NULL;

-- What was sent, and what was made, in a window: read once a day, by everybody's days at once.
CREATE INDEX dispatch_sent_for ON dispatch (upstream, sent_at_ms) WHERE sent_at_ms IS NOT NULL;
CREATE INDEX dispatch_made_for ON dispatch (upstream, created_at_ms);

-- `counts` is JSON: as many numbers as there are things to count, and the samples of times. Sums of days are windows.
CREATE TABLE ladder_day (
    upstream   TEXT    NOT NULL COLLATE NOCASE,
    downstream TEXT    NOT NULL COLLATE NOCASE,
    day_ms     INTEGER NOT NULL,
    revision   INTEGER NOT NULL CHECK (revision > 0),
    counts     TEXT    NOT NULL CHECK (json_valid(counts)),
    digest     TEXT    NOT NULL,
    PRIMARY KEY (upstream, downstream, day_ms)
) STRICT, WITHOUT ROWID;

-- The red outcomes of the days that are counted anew, as they were judged: what explains an exclusion without judging again.
CREATE TABLE ladder_red (
    upstream    TEXT    NOT NULL COLLATE NOCASE,
    downstream  TEXT    NOT NULL COLLATE NOCASE,
    sent_at_ms  INTEGER NOT NULL,
    dispatch    INTEGER NOT NULL REFERENCES dispatch (id) ON DELETE CASCADE,
    workflow    TEXT    NOT NULL,
    job         TEXT    NOT NULL,
    pr_number   INTEGER,
    head_sha    TEXT    NOT NULL,
    event_type  TEXT    NOT NULL,
    class       TEXT    NOT NULL,
    rule        TEXT    NOT NULL,
    excluded    INTEGER NOT NULL CHECK (excluded IN (0, 1)),
    provisional INTEGER NOT NULL CHECK (provisional IN (0, 1)),
    evidence    TEXT    NOT NULL,
    PRIMARY KEY (upstream, downstream, sent_at_ms, dispatch, workflow, job)
) STRICT, WITHOUT ROWID;

CREATE INDEX ladder_red_of_dispatch ON ladder_red (dispatch);

-- What was said at each midnight; a later revision says it of more.
CREATE TABLE ladder_evaluation (
    upstream      TEXT    NOT NULL COLLATE NOCASE,
    downstream    TEXT    NOT NULL COLLATE NOCASE,
    as_of_ms      INTEGER NOT NULL,
    revision      INTEGER NOT NULL CHECK (revision > 0),
    profile       TEXT    NOT NULL,
    digest        TEXT    NOT NULL,
    at_ms         INTEGER NOT NULL,
    verdict_bytes INTEGER NOT NULL CHECK (verdict_bytes >= 0),
    zstd          BLOB    NOT NULL,
    PRIMARY KEY (upstream, downstream, as_of_ms, revision)
) STRICT, WITHOUT ROWID;

-- What the next evaluation and the relay start from. `level2_since_ms`: listed so high, or higher, since then.
CREATE TABLE ladder_standing (
    upstream        TEXT    NOT NULL COLLATE NOCASE,
    downstream      TEXT    NOT NULL COLLATE NOCASE,
    listed          INTEGER NOT NULL CHECK (listed BETWEEN 1 AND 4),
    effective       INTEGER NOT NULL CHECK (effective BETWEEN 1 AND 4),
    state           TEXT    NOT NULL CHECK (state IN ('ok', 'watch', 'temporary')),
    since_ms        INTEGER NOT NULL,
    as_of_ms        INTEGER NOT NULL,
    detail          TEXT    NOT NULL CHECK (json_valid(detail)), -- streaks, earlier moves, what is proposed
    level2_since_ms INTEGER,
    level3_since_ms INTEGER,
    PRIMARY KEY (upstream, downstream),
    CHECK (effective <= listed)
) STRICT, WITHOUT ROWID;

-- Every move, for ever: the schema itself refuses to change or remove a line.
CREATE TABLE ladder_transition (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    upstream   TEXT    NOT NULL COLLATE NOCASE,
    downstream TEXT    NOT NULL COLLATE NOCASE,
    at_ms      INTEGER NOT NULL,
    as_of_ms   INTEGER NOT NULL,
    move       TEXT    NOT NULL CHECK (move <> ''),
    from_state TEXT    NOT NULL,
    to_state   TEXT    NOT NULL,
    from_level INTEGER NOT NULL CHECK (from_level BETWEEN 1 AND 4),
    to_level   INTEGER NOT NULL CHECK (to_level BETWEEN 1 AND 4),
    rules      TEXT    NOT NULL CHECK (json_valid(rules)),
    reason     TEXT    NOT NULL,
    figures    TEXT    NOT NULL CHECK (json_valid(figures)),
    profile    TEXT    NOT NULL,
    digest     TEXT    NOT NULL,
    actor      TEXT    NOT NULL CHECK (actor <> '')
) STRICT;

CREATE INDEX ladder_transition_of_upstream ON ladder_transition (upstream, id);
CREATE INDEX ladder_transition_of_downstream ON ladder_transition (downstream, id);
CREATE INDEX ladder_transition_of_pairing ON ladder_transition (upstream, downstream, id);

CREATE TRIGGER ladder_transition_is_not_changed BEFORE UPDATE ON ladder_transition BEGIN
    SELECT RAISE(ABORT, 'the ledger of levels is append-only');
END;

CREATE TRIGGER ladder_transition_is_not_removed BEFORE DELETE ON ladder_transition BEGIN
    SELECT RAISE(ABORT, 'the ledger of levels is append-only');
END;

CREATE TRIGGER news_of_ladder AFTER INSERT ON ladder_transition BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES ('downstream', new.upstream, NULL, new.downstream);
END;

-- What a person said about one outcome.
CREATE TABLE ladder_ruling (
    dispatch INTEGER NOT NULL REFERENCES dispatch (id) ON DELETE CASCADE,
    workflow TEXT    NOT NULL,
    job      TEXT    NOT NULL,
    excluded INTEGER NOT NULL CHECK (excluded IN (0, 1)),
    actor    TEXT    NOT NULL CHECK (actor <> ''),
    reason   TEXT    NOT NULL CHECK (reason <> ''),
    at_ms    INTEGER NOT NULL,
    PRIMARY KEY (dispatch, workflow, job)
) STRICT, WITHOUT ROWID;
