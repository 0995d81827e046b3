-- 0018_ladder_ends.sql
-- Both ends of the ladder. What a downstream at level 1 reports is a rehearsal: it is checked as at level 2 and shown nowhere, and that
-- it came is what level 2 asks for. How soon people on call answer a red check is asked before level 4.
-- beside: 0016

CREATE TABLE rehearsal (
    dispatch      INTEGER PRIMARY KEY REFERENCES dispatch (id) ON DELETE CASCADE,
    started_at_ms INTEGER NOT NULL, -- the first report
    ended_at_ms   INTEGER,          -- the last end of a job
    reports       INTEGER NOT NULL CHECK (reports > 0)
) STRICT;

-- When somebody who was on call for a downstream said something on a pull request. Who it was and what they said is GitHub's to keep.
-- What is older than thirty days goes with the next that comes.
CREATE TABLE oncall_answer (
    upstream   TEXT    NOT NULL COLLATE NOCASE,
    at_ms      INTEGER NOT NULL,
    downstream TEXT    NOT NULL COLLATE NOCASE,
    pr_number  INTEGER NOT NULL CHECK (pr_number > 0),
    PRIMARY KEY (upstream, at_ms, downstream, pr_number)
) STRICT, WITHOUT ROWID;
