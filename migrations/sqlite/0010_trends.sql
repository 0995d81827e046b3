-- 0010_trends.sql
-- What people look at over time: values of benchmarks by name, what schedules made by the day, and when one was missed.

-- A benchmark of a downstream; the same name in another unit is another one.
CREATE TABLE benchmark (
    id         INTEGER PRIMARY KEY,
    upstream   TEXT    NOT NULL COLLATE NOCASE,
    downstream TEXT    NOT NULL COLLATE NOCASE,
    suite      TEXT    NOT NULL,
    name       TEXT    NOT NULL,
    unit       TEXT    NOT NULL,
    last_at_ms INTEGER NOT NULL,
    UNIQUE (upstream, downstream, suite, name, unit)
) STRICT;

-- What a job measured, the newest it told. Values of reports before this migration stand in their reports only.
CREATE TABLE benchmark_value (
    benchmark INTEGER NOT NULL REFERENCES benchmark (id),
    job       INTEGER NOT NULL REFERENCES job (id),
    at_ms     INTEGER NOT NULL,
    value     REAL    NOT NULL,
    PRIMARY KEY (benchmark, job)
) STRICT, WITHOUT ROWID;

-- When a scheduled run was due and could not be sent; one that was excused is not here.
CREATE TABLE schedule_missed (
    upstream   TEXT    NOT NULL COLLATE NOCASE,
    downstream TEXT    NOT NULL COLLATE NOCASE,
    due_ms     INTEGER NOT NULL,
    PRIMARY KEY (upstream, downstream, due_ms)
) STRICT, WITHOUT ROWID;

-- As small as there are nights.
CREATE INDEX dispatch_scheduled ON dispatch (upstream, downstream, created_at_ms, id)
    WHERE event_type IN ('nightly', 'periodic');
