-- 0018_ladder_ends.sql
-- The same step as migrations/sqlite/0018_ladder_ends.sql, where its reasons stand.
-- beside: 0016

CREATE TABLE rehearsal (
    dispatch      bigint PRIMARY KEY REFERENCES dispatch (id) ON DELETE CASCADE,
    started_at_ms bigint NOT NULL,
    ended_at_ms   bigint,
    reports       bigint NOT NULL CHECK (reports > 0)
);

CREATE TABLE oncall_answer (
    upstream   citext COLLATE "C" NOT NULL,
    at_ms      bigint NOT NULL,
    downstream citext COLLATE "C" NOT NULL,
    pr_number  bigint NOT NULL CHECK (pr_number > 0),
    PRIMARY KEY (upstream, at_ms, downstream, pr_number)
);
