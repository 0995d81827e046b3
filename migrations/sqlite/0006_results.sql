-- 0006_results.sql
-- Results: what downstreams report of their jobs, and what is kept on write so that nobody ever walks through history for it:
-- figures by hour and day, the newest job of each name for each pull request, letters to sinks, and how far schedules have come.

-- One row per job of one attempt of one run. What it ran for is told apart by the dispatch, or by the commit of a self-report.
CREATE TABLE job (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    dispatch         INTEGER REFERENCES dispatch (id),
    downstream       TEXT    NOT NULL COLLATE NOCASE,
    upstream         TEXT    NOT NULL COLLATE NOCASE,
    event_type       TEXT    NOT NULL,
    pr_number        INTEGER,
    head_sha         TEXT    NOT NULL,
    workflow         TEXT    NOT NULL,
    job_name         TEXT    NOT NULL,
    run_id           TEXT    NOT NULL CHECK (run_id <> ''),
    attempt          INTEGER NOT NULL CHECK (attempt > 0),
    status           TEXT    NOT NULL CHECK (status IN ('in_progress', 'completed')),
    conclusion       TEXT    CHECK (conclusion IN (
        'success', 'failure', 'neutral', 'cancelled', 'skipped', 'timed_out', 'action_required')),
    said_by          TEXT    NOT NULL CHECK (said_by IN ('downstream', 'relay')),
    bound            INTEGER NOT NULL CHECK (bound IN (0, 1)),
    run_proven       INTEGER NOT NULL CHECK (run_proven IN (0, 1)),
    counts           INTEGER NOT NULL CHECK (counts IN (0, 1)),
    start_missed     INTEGER NOT NULL CHECK (start_missed IN (0, 1)),
    replaced         INTEGER NOT NULL CHECK (replaced IN (0, 1)),
    commit_check     TEXT    NOT NULL CHECK (commit_check IN ('known', 'unverified', 'unknown')),
    level            INTEGER NOT NULL CHECK (level BETWEEN 1 AND 4),
    device           TEXT    NOT NULL,
    url              TEXT    NOT NULL,
    check_run_id     TEXT    NOT NULL,
    artifact_url     TEXT    NOT NULL,
    tests_passed     INTEGER,
    tests_failed     INTEGER,
    tests_skipped    INTEGER,
    tests_total      INTEGER,
    dispatched_at_ms INTEGER,
    started_at_ms    INTEGER,
    completed_at_ms  INTEGER,
    their_start_ms   INTEGER,
    their_end_ms     INTEGER,
    queue_ms         INTEGER CHECK (queue_ms >= 0),
    CHECK ((status = 'completed') = (conclusion IS NOT NULL)),
    CHECK ((status = 'completed') = (completed_at_ms IS NOT NULL)),
    CHECK (status = 'completed' OR started_at_ms IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX job_of_dispatch ON job (dispatch, workflow, run_id, attempt, job_name) WHERE dispatch IS NOT NULL;
CREATE UNIQUE INDEX job_of_commit
    ON job (downstream, upstream, head_sha, event_type, workflow, run_id, attempt, job_name) WHERE dispatch IS NULL;
-- What the sweep looks at: as long as what runs now.
CREATE INDEX job_running ON job (started_at_ms, id, upstream, downstream) WHERE status = 'in_progress';
CREATE INDEX job_unverified ON job (id) WHERE commit_check = 'unverified';

-- What is kept of a report beyond its verdict: read when somebody opens the job, not before.
CREATE TABLE job_detail (
    job        INTEGER PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE,
    json_bytes INTEGER NOT NULL CHECK (json_bytes >= 0),
    zstd       BLOB    NOT NULL
) STRICT;

-- The run that has a dispatch, per workflow: the first that reported. `started_at_ms` is its first start.
CREATE TABLE claim (
    dispatch      INTEGER NOT NULL REFERENCES dispatch (id) ON DELETE CASCADE,
    workflow      TEXT    NOT NULL,
    run_id        TEXT    NOT NULL,
    started_at_ms INTEGER,
    PRIMARY KEY (dispatch, workflow)
) STRICT, WITHOUT ROWID;

-- The newest attempt of each job of a pull request, at its newest commit that has one.
CREATE TABLE job_latest (
    upstream   TEXT    NOT NULL COLLATE NOCASE,
    pr_number  INTEGER NOT NULL,
    downstream TEXT    NOT NULL COLLATE NOCASE,
    workflow   TEXT    NOT NULL,
    job_name   TEXT    NOT NULL,
    job        INTEGER NOT NULL REFERENCES job (id) ON DELETE CASCADE,
    PRIMARY KEY (upstream, pr_number, downstream, workflow, job_name)
) STRICT, WITHOUT ROWID;

-- A dispatch of which a start is awaited: level 2 and above, and not the message that a pull request was closed. Those sent
-- before there was anything to report to are not held against anybody.
ALTER TABLE dispatch ADD COLUMN awaits_start INTEGER NOT NULL DEFAULT 0 CHECK (awaits_start IN (0, 1));
ALTER TABLE dispatch ADD COLUMN silent_at_ms INTEGER;

UPDATE dispatch SET awaits_start = 1
 WHERE state = 'pending' AND level >= 2
   AND (SELECT action FROM delivery WHERE sequence = dispatch.delivery) <> 'closed';

CREATE INDEX dispatch_awaiting ON dispatch (sent_at_ms, id, upstream, downstream) WHERE state = 'sent' AND awaits_start = 1;

DROP VIEW dispatch_row;
CREATE VIEW dispatch_row AS
SELECT d.id, v.id AS delivery_id, d.downstream, d.generation, d.upstream, d.event_type, d.pr_number, d.head_sha,
       d.level, d.device, d.state, d.reason, d.created_at_ms, d.due_at_ms, d.sent_at_ms, d.attempts, d.trim,
       d.lease_until_ms, d.fence, d.mark, d.mark_reason, d.delivery, d.silent_at_ms
  FROM dispatch AS d CROSS JOIN delivery AS v ON v.sequence = d.delivery;

-- One that was thought to be over runs again.
CREATE TRIGGER dispatch_restarted_slot AFTER UPDATE OF state ON dispatch
WHEN old.sent_at_ms IS NOT NULL AND old.state NOT IN ('sent', 'started') AND new.state IN ('sent', 'started') BEGIN
    UPDATE sent_slot SET running = running + 1
     WHERE downstream = new.downstream AND slot_ms = new.sent_at_ms - new.sent_at_ms % 600000;
END;

-- What ended in each hour and each day (UTC): jobs that count by conclusion, and dispatches that stayed silent.
CREATE TABLE job_tally (
    downstream   TEXT    NOT NULL COLLATE NOCASE,
    span_ms      INTEGER NOT NULL CHECK (span_ms IN (3600000, 86400000)),
    from_ms      INTEGER NOT NULL,
    upstream     TEXT    NOT NULL COLLATE NOCASE,
    conclusion   TEXT    NOT NULL,
    ended        INTEGER NOT NULL CHECK (ended >= 0),
    execution_ms INTEGER NOT NULL CHECK (execution_ms >= 0),
    executed     INTEGER NOT NULL CHECK (executed >= 0),
    queue_ms     INTEGER NOT NULL CHECK (queue_ms >= 0),
    queued       INTEGER NOT NULL CHECK (queued >= 0),
    PRIMARY KEY (downstream, span_ms, from_ms, upstream, conclusion)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER job_ended AFTER INSERT ON job WHEN new.status = 'completed' AND new.counts = 1 BEGIN
    INSERT INTO job_tally (downstream, span_ms, from_ms, upstream, conclusion, ended, execution_ms, executed, queue_ms, queued)
    VALUES (new.downstream, 3600000, new.completed_at_ms - new.completed_at_ms % 3600000, new.upstream, new.conclusion, 1,
            coalesce(max(new.completed_at_ms - new.started_at_ms, 0), 0), new.started_at_ms IS NOT NULL,
            coalesce(new.queue_ms, 0), new.queue_ms IS NOT NULL),
           (new.downstream, 86400000, new.completed_at_ms - new.completed_at_ms % 86400000, new.upstream, new.conclusion, 1,
            coalesce(max(new.completed_at_ms - new.started_at_ms, 0), 0), new.started_at_ms IS NOT NULL,
            coalesce(new.queue_ms, 0), new.queue_ms IS NOT NULL)
    ON CONFLICT (downstream, span_ms, from_ms, upstream, conclusion) DO UPDATE SET ended = ended + 1,
       execution_ms = execution_ms + excluded.execution_ms, executed = executed + excluded.executed,
       queue_ms = queue_ms + excluded.queue_ms, queued = queued + excluded.queued;
END;

-- A conclusion that gives way moves from one row to another: this one takes it back, the next one adds the new one.
CREATE TRIGGER job_ended_otherwise AFTER UPDATE OF status, conclusion, counts ON job
WHEN old.status = 'completed' AND old.counts = 1 BEGIN
    UPDATE job_tally SET ended = ended - 1,
           execution_ms = execution_ms - coalesce(max(old.completed_at_ms - old.started_at_ms, 0), 0),
           executed = executed - (old.started_at_ms IS NOT NULL),
           queue_ms = queue_ms - coalesce(old.queue_ms, 0), queued = queued - (old.queue_ms IS NOT NULL)
     WHERE downstream = old.downstream AND span_ms = 3600000 AND from_ms = old.completed_at_ms - old.completed_at_ms % 3600000
       AND upstream = old.upstream AND conclusion = old.conclusion;
    UPDATE job_tally SET ended = ended - 1,
           execution_ms = execution_ms - coalesce(max(old.completed_at_ms - old.started_at_ms, 0), 0),
           executed = executed - (old.started_at_ms IS NOT NULL),
           queue_ms = queue_ms - coalesce(old.queue_ms, 0), queued = queued - (old.queue_ms IS NOT NULL)
     WHERE downstream = old.downstream AND span_ms = 86400000 AND from_ms = old.completed_at_ms - old.completed_at_ms % 86400000
       AND upstream = old.upstream AND conclusion = old.conclusion;
END;

CREATE TRIGGER job_ended_later AFTER UPDATE OF status, conclusion, counts ON job
WHEN new.status = 'completed' AND new.counts = 1 BEGIN
    INSERT INTO job_tally (downstream, span_ms, from_ms, upstream, conclusion, ended, execution_ms, executed, queue_ms, queued)
    VALUES (new.downstream, 3600000, new.completed_at_ms - new.completed_at_ms % 3600000, new.upstream, new.conclusion, 1,
            coalesce(max(new.completed_at_ms - new.started_at_ms, 0), 0), new.started_at_ms IS NOT NULL,
            coalesce(new.queue_ms, 0), new.queue_ms IS NOT NULL),
           (new.downstream, 86400000, new.completed_at_ms - new.completed_at_ms % 86400000, new.upstream, new.conclusion, 1,
            coalesce(max(new.completed_at_ms - new.started_at_ms, 0), 0), new.started_at_ms IS NOT NULL,
            coalesce(new.queue_ms, 0), new.queue_ms IS NOT NULL)
    ON CONFLICT (downstream, span_ms, from_ms, upstream, conclusion) DO UPDATE SET ended = ended + 1,
       execution_ms = execution_ms + excluded.execution_ms, executed = executed + excluded.executed,
       queue_ms = queue_ms + excluded.queue_ms, queued = queued + excluded.queued;
END;

CREATE TRIGGER dispatch_fell_silent AFTER UPDATE OF silent_at_ms ON dispatch
WHEN old.silent_at_ms IS NULL AND new.silent_at_ms IS NOT NULL BEGIN
    UPDATE tally SET n = n + 1 WHERE name = 'silent';
    INSERT INTO job_tally (downstream, span_ms, from_ms, upstream, conclusion, ended, execution_ms, executed, queue_ms, queued)
    VALUES (new.downstream, 3600000, new.silent_at_ms - new.silent_at_ms % 3600000, new.upstream, 'silent', 1, 0, 0, 0, 0),
           (new.downstream, 86400000, new.silent_at_ms - new.silent_at_ms % 86400000, new.upstream, 'silent', 1, 0, 0, 0, 0)
    ON CONFLICT (downstream, span_ms, from_ms, upstream, conclusion) DO UPDATE SET ended = ended + 1;
END;

CREATE TRIGGER dispatch_spoke AFTER UPDATE OF silent_at_ms ON dispatch
WHEN old.silent_at_ms IS NOT NULL AND new.silent_at_ms IS NULL BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'silent';
    UPDATE job_tally SET ended = ended - 1
     WHERE downstream = old.downstream AND span_ms = 3600000 AND from_ms = old.silent_at_ms - old.silent_at_ms % 3600000
       AND upstream = old.upstream AND conclusion = 'silent';
    UPDATE job_tally SET ended = ended - 1
     WHERE downstream = old.downstream AND span_ms = 86400000 AND from_ms = old.silent_at_ms - old.silent_at_ms % 86400000
       AND upstream = old.upstream AND conclusion = 'silent';
END;

-- Figures of the one-screen summary.
INSERT INTO tally (name, n) VALUES
    ('job_in_progress', 0), ('job_success', 0), ('job_failure', 0), ('job_neutral', 0), ('job_cancelled', 0),
    ('job_skipped', 0), ('job_timed_out', 0), ('job_action_required', 0), ('job_by_relay', 0), ('silent', 0),
    ('letter_waiting', 0), ('letter_dead', 0);

CREATE TRIGGER job_counted AFTER INSERT ON job BEGIN
    UPDATE tally SET n = n + 1 WHERE name = 'job_' || coalesce(new.conclusion, new.status);
END;

CREATE TRIGGER job_recounted AFTER UPDATE OF status, conclusion ON job
WHEN coalesce(old.conclusion, old.status) <> coalesce(new.conclusion, new.status) BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'job_' || coalesce(old.conclusion, old.status);
    UPDATE tally SET n = n + 1 WHERE name = 'job_' || coalesce(new.conclusion, new.status);
END;

CREATE TRIGGER job_said_by AFTER UPDATE OF said_by ON job WHEN old.said_by <> new.said_by BEGIN
    UPDATE tally SET n = n + iif(new.said_by = 'relay', 1, -1) WHERE name = 'job_by_relay';
END;

-- What follows from what was recorded: letters to sinks. Those of one lane go one after the other, so only the first of them
-- is ever due: the others wait without a time until it is gone, and taking costs what is due, however long a sink is away.
CREATE TABLE outbox (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    sink           TEXT    NOT NULL CHECK (sink <> ''),
    lane           TEXT    NOT NULL,
    job            INTEGER NOT NULL REFERENCES job (id),
    body_bytes     INTEGER NOT NULL CHECK (body_bytes >= 0),
    zstd           BLOB    NOT NULL,
    state          TEXT    NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'dead')),
    created_at_ms  INTEGER NOT NULL,
    due_at_ms      INTEGER,
    attempts       INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    lease_holder   TEXT    NOT NULL DEFAULT '',
    lease_until_ms INTEGER NOT NULL DEFAULT 0,
    fence          INTEGER NOT NULL DEFAULT 0,
    detail         TEXT    NOT NULL DEFAULT '',
    died_at_ms     INTEGER,
    CHECK ((state = 'dead') = (died_at_ms IS NOT NULL)),
    CHECK (state = 'waiting' OR (due_at_ms IS NULL AND lease_until_ms = 0))
) STRICT;

CREATE INDEX outbox_due ON outbox (sink, due_at_ms, id) WHERE due_at_ms IS NOT NULL;
CREATE INDEX outbox_lane ON outbox (sink, lane, id) WHERE state = 'waiting';
CREATE INDEX outbox_waiting ON outbox (id, created_at_ms) WHERE state = 'waiting';
CREATE INDEX outbox_leased ON outbox (lease_until_ms) WHERE lease_until_ms > 0;
CREATE INDEX outbox_dead ON outbox (died_at_ms, id, sink) WHERE state = 'dead';

CREATE TRIGGER letter_counted AFTER INSERT ON outbox BEGIN
    UPDATE tally SET n = n + 1 WHERE name = 'letter_' || new.state;
END;

CREATE TRIGGER letter_recounted AFTER UPDATE OF state ON outbox WHEN old.state <> new.state BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'letter_' || old.state;
    UPDATE tally SET n = n + 1 WHERE name = 'letter_' || new.state;
END;

CREATE TRIGGER letter_uncounted AFTER DELETE ON outbox BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'letter_' || old.state;
END;

-- How far the relay's own schedules have come: what was due until then is sent or missed.
CREATE TABLE schedule (
    upstream    TEXT    NOT NULL COLLATE NOCASE,
    downstream  TEXT    NOT NULL COLLATE NOCASE,
    last_due_ms INTEGER NOT NULL,
    last_missed TEXT    NOT NULL,
    missed      INTEGER NOT NULL CHECK (missed >= 0),
    PRIMARY KEY (upstream, downstream)
) STRICT, WITHOUT ROWID;
