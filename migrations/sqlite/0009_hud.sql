-- 0009_hud.sql
-- What people look at, kept on write so that no page costs what history holds: cells (all attempts of one job on one commit),
-- what ended on each day, how each downstream stands now, the heads of pull requests, and the news that open pages hear of.
-- Only jobs that count are in cells. docs/design/hud.md defines the words.

-- A commit at a downstream: a row of its grid. How many of its cells stand how is counted.
CREATE TABLE grid_row (
    id              INTEGER PRIMARY KEY,
    upstream        TEXT    NOT NULL COLLATE NOCASE,
    downstream      TEXT    NOT NULL COLLATE NOCASE,
    event_type      TEXT    NOT NULL,
    head_sha        TEXT    NOT NULL,
    pr_number       INTEGER,
    last_at_ms      INTEGER NOT NULL,
    success         INTEGER NOT NULL DEFAULT 0 CHECK (success >= 0),
    flaky           INTEGER NOT NULL DEFAULT 0 CHECK (flaky >= 0),
    failure         INTEGER NOT NULL DEFAULT 0 CHECK (failure >= 0),
    timed_out       INTEGER NOT NULL DEFAULT 0 CHECK (timed_out >= 0),
    neutral         INTEGER NOT NULL DEFAULT 0 CHECK (neutral >= 0),
    cancelled       INTEGER NOT NULL DEFAULT 0 CHECK (cancelled >= 0),
    skipped         INTEGER NOT NULL DEFAULT 0 CHECK (skipped >= 0),
    action_required INTEGER NOT NULL DEFAULT 0 CHECK (action_required >= 0),
    running         INTEGER NOT NULL DEFAULT 0 CHECK (running >= 0),
    UNIQUE (upstream, head_sha, event_type, downstream)
) STRICT;

CREATE INDEX grid_row_newest ON grid_row (upstream, downstream, event_type, id);

-- A job of that commit: its ended attempts by conclusion, and what they say together. `version` grows with every change of its
-- jobs, and with it the cell is counted anew; `outcome` is empty only until then.
CREATE TABLE cell (
    id                INTEGER PRIMARY KEY,
    grid_row          INTEGER NOT NULL REFERENCES grid_row (id),
    workflow          TEXT    NOT NULL,
    job_name          TEXT    NOT NULL,
    version           INTEGER NOT NULL DEFAULT 0,
    success           INTEGER NOT NULL DEFAULT 0,
    failure           INTEGER NOT NULL DEFAULT 0,
    timed_out         INTEGER NOT NULL DEFAULT 0,
    neutral           INTEGER NOT NULL DEFAULT 0,
    cancelled         INTEGER NOT NULL DEFAULT 0,
    skipped           INTEGER NOT NULL DEFAULT 0,
    action_required   INTEGER NOT NULL DEFAULT 0,
    running           INTEGER NOT NULL DEFAULT 0,
    first_conclusion  TEXT,
    newest_conclusion TEXT,
    newest_job        INTEGER,
    first_at_ms       INTEGER,
    last_at_ms        INTEGER,
    ended_at_ms       INTEGER,
    outcome           TEXT    CHECK (outcome IN (
        'success', 'flaky', 'failure', 'timed_out', 'neutral', 'cancelled', 'skipped', 'action_required', 'running')),
    -- What it adds to its day.
    no_signal         INTEGER AS (outcome IN ('neutral', 'cancelled', 'skipped', 'action_required')),
    first_passed      INTEGER AS (first_conclusion IS 'success'),
    first_conclusive  INTEGER AS (ifnull(first_conclusion IN ('success', 'failure', 'timed_out'), 0)),
    executed          INTEGER AS (success + failure + timed_out + neutral + cancelled + skipped + action_required),
    UNIQUE (grid_row, workflow, job_name)
) STRICT;

-- Its attempts, the oldest first: by dispatch (0: a self-report), then by attempt.
CREATE TABLE cell_job (
    cell     INTEGER NOT NULL REFERENCES cell (id),
    dispatch INTEGER NOT NULL,
    attempt  INTEGER NOT NULL,
    job      INTEGER NOT NULL REFERENCES job (id),
    PRIMARY KEY (cell, dispatch, attempt, job)
) STRICT, WITHOUT ROWID;

-- How a cell stands by its jobs: the only place in SQL that merges attempts, as domain::merge does.
CREATE VIEW cell_counted AS
SELECT n.*,
       CASE WHEN newest_job IS NULL THEN NULL
            WHEN newest_conclusion IS NULL THEN 'running'
            WHEN success > 0 AND failure + timed_out > 0 THEN 'flaky'
            WHEN success > 0 THEN 'success'
            WHEN failure > 0 AND timed_out > 0 THEN (
                SELECT j.conclusion FROM cell_job AS m CROSS JOIN job AS j ON j.id = m.job
                 WHERE m.cell = n.id AND j.conclusion IN ('failure', 'timed_out')
                 ORDER BY m.dispatch DESC, m.attempt DESC, m.job DESC LIMIT 1)
            WHEN failure > 0 THEN 'failure'
            WHEN timed_out > 0 THEN 'timed_out'
            ELSE newest_conclusion END AS outcome
  FROM (SELECT c.id,
               sum(j.conclusion IS 'success') AS success, sum(j.conclusion IS 'failure') AS failure,
               sum(j.conclusion IS 'timed_out') AS timed_out, sum(j.conclusion IS 'neutral') AS neutral,
               sum(j.conclusion IS 'cancelled') AS cancelled, sum(j.conclusion IS 'skipped') AS skipped,
               sum(j.conclusion IS 'action_required') AS action_required, sum(j.status IS 'in_progress') AS running,
               (SELECT f.conclusion FROM cell_job AS o CROSS JOIN job AS f ON f.id = o.job WHERE o.cell = c.id
                 ORDER BY o.dispatch, o.attempt, o.job LIMIT 1) AS first_conclusion,
               (SELECT l.conclusion FROM cell_job AS o CROSS JOIN job AS l ON l.id = o.job WHERE o.cell = c.id
                 ORDER BY o.dispatch DESC, o.attempt DESC, o.job DESC LIMIT 1) AS newest_conclusion,
               (SELECT o.job FROM cell_job AS o WHERE o.cell = c.id
                 ORDER BY o.dispatch DESC, o.attempt DESC, o.job DESC LIMIT 1) AS newest_job,
               min(coalesce(j.started_at_ms, j.completed_at_ms)) AS first_at_ms,
               max(coalesce(j.completed_at_ms, j.started_at_ms)) AS last_at_ms,
               max(j.completed_at_ms) AS ended_at_ms
          FROM cell AS c LEFT JOIN cell_job AS m ON m.cell = c.id LEFT JOIN job AS j ON j.id = m.job
         GROUP BY c.id) AS n;

-- What ended on each day (UTC), a cell on the day on which it last ended, and how many dispatches fell silent: by downstream,
-- and by job.
CREATE TABLE cell_day (
    upstream         TEXT    NOT NULL COLLATE NOCASE,
    downstream       TEXT    NOT NULL COLLATE NOCASE,
    day_ms           INTEGER NOT NULL CHECK (day_ms % 86400000 = 0),
    success          INTEGER NOT NULL DEFAULT 0 CHECK (success >= 0),
    flaky            INTEGER NOT NULL DEFAULT 0 CHECK (flaky >= 0),
    failure          INTEGER NOT NULL DEFAULT 0 CHECK (failure >= 0),
    timed_out        INTEGER NOT NULL DEFAULT 0 CHECK (timed_out >= 0),
    no_signal        INTEGER NOT NULL DEFAULT 0 CHECK (no_signal >= 0),
    first_passed     INTEGER NOT NULL DEFAULT 0 CHECK (first_passed >= 0),
    first_conclusive INTEGER NOT NULL DEFAULT 0 CHECK (first_conclusive >= 0),
    executed_passed  INTEGER NOT NULL DEFAULT 0 CHECK (executed_passed >= 0),
    executed         INTEGER NOT NULL DEFAULT 0 CHECK (executed >= 0),
    silent           INTEGER NOT NULL DEFAULT 0 CHECK (silent >= 0),
    PRIMARY KEY (upstream, downstream, day_ms)
) STRICT, WITHOUT ROWID;

CREATE TABLE job_day (
    upstream         TEXT    NOT NULL COLLATE NOCASE,
    downstream       TEXT    NOT NULL COLLATE NOCASE,
    day_ms           INTEGER NOT NULL CHECK (day_ms % 86400000 = 0),
    workflow         TEXT    NOT NULL,
    job_name         TEXT    NOT NULL,
    success          INTEGER NOT NULL DEFAULT 0 CHECK (success >= 0),
    flaky            INTEGER NOT NULL DEFAULT 0 CHECK (flaky >= 0),
    failure          INTEGER NOT NULL DEFAULT 0 CHECK (failure >= 0),
    timed_out        INTEGER NOT NULL DEFAULT 0 CHECK (timed_out >= 0),
    no_signal        INTEGER NOT NULL DEFAULT 0 CHECK (no_signal >= 0),
    first_passed     INTEGER NOT NULL DEFAULT 0 CHECK (first_passed >= 0),
    first_conclusive INTEGER NOT NULL DEFAULT 0 CHECK (first_conclusive >= 0),
    executed_passed  INTEGER NOT NULL DEFAULT 0 CHECK (executed_passed >= 0),
    executed         INTEGER NOT NULL DEFAULT 0 CHECK (executed >= 0),
    PRIMARY KEY (upstream, downstream, day_ms, workflow, job_name)
) STRICT, WITHOUT ROWID;

-- How a downstream stands now; one row for each that anything was ever sent to or heard of.
CREATE TABLE downstream_now (
    upstream          TEXT    NOT NULL COLLATE NOCASE,
    downstream        TEXT    NOT NULL COLLATE NOCASE,
    pending           INTEGER NOT NULL DEFAULT 0 CHECK (pending >= 0),
    running           INTEGER NOT NULL DEFAULT 0 CHECK (running >= 0),
    last_sent_at_ms   INTEGER,
    last_result_at_ms INTEGER,
    PRIMARY KEY (upstream, downstream)
) STRICT, WITHOUT ROWID;

CREATE TABLE pull_head (
    upstream    TEXT    NOT NULL COLLATE NOCASE,
    pr_number   INTEGER NOT NULL,
    head_sha    TEXT    NOT NULL,
    first_at_ms INTEGER NOT NULL,
    PRIMARY KEY (upstream, pr_number, head_sha)
) STRICT, WITHOUT ROWID;

-- That something changed, in the order in which it did; an id is never given twice.
CREATE TABLE news (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    topic      TEXT    NOT NULL CHECK (topic IN ('pull', 'downstream', 'relay')),
    upstream   TEXT    NOT NULL DEFAULT '',
    pr_number  INTEGER,
    downstream TEXT    NOT NULL DEFAULT ''
) STRICT;

-- Lists and figures: each is a search, whatever the age of the store.
CREATE INDEX job_time ON job (upstream, downstream, completed_at_ms, started_at_ms, queue_ms, counts, said_by)
    WHERE completed_at_ms IS NOT NULL;
CREATE INDEX dispatch_given_up ON dispatch (id) WHERE state IN ('failed', 'dead');
CREATE INDEX pull_request_newest ON pull_request (upstream, open, updated_at_ms, number);
CREATE INDEX pull_request_of_author ON pull_request (upstream, author COLLATE NOCASE, open, updated_at_ms, number);

-- Jobs to cells.
CREATE TRIGGER job_in_cell AFTER INSERT ON job WHEN new.counts = 1 BEGIN
    INSERT INTO grid_row (upstream, downstream, event_type, head_sha, pr_number, last_at_ms)
    VALUES (new.upstream, new.downstream, new.event_type, new.head_sha, new.pr_number, 0)
    ON CONFLICT DO UPDATE SET pr_number = excluded.pr_number WHERE pr_number IS NOT excluded.pr_number;
    INSERT INTO cell (grid_row, workflow, job_name)
    SELECT id, new.workflow, new.job_name FROM grid_row
     WHERE upstream = new.upstream AND head_sha = new.head_sha AND event_type = new.event_type AND downstream = new.downstream
    ON CONFLICT DO NOTHING;
    INSERT INTO cell_job (cell, dispatch, attempt, job)
    SELECT id, coalesce(new.dispatch, 0), new.attempt, new.id FROM cell WHERE grid_row = (
        SELECT id FROM grid_row WHERE upstream = new.upstream AND head_sha = new.head_sha AND event_type = new.event_type
           AND downstream = new.downstream) AND workflow = new.workflow AND job_name = new.job_name;
    UPDATE cell SET version = version + 1 WHERE grid_row = (
        SELECT id FROM grid_row WHERE upstream = new.upstream AND head_sha = new.head_sha AND event_type = new.event_type
           AND downstream = new.downstream) AND workflow = new.workflow AND job_name = new.job_name;
END;

CREATE TRIGGER job_in_cell_later AFTER UPDATE OF counts ON job WHEN old.counts = 0 AND new.counts = 1 BEGIN
    INSERT INTO grid_row (upstream, downstream, event_type, head_sha, pr_number, last_at_ms)
    VALUES (new.upstream, new.downstream, new.event_type, new.head_sha, new.pr_number, 0)
    ON CONFLICT DO UPDATE SET pr_number = excluded.pr_number WHERE pr_number IS NOT excluded.pr_number;
    INSERT INTO cell (grid_row, workflow, job_name)
    SELECT id, new.workflow, new.job_name FROM grid_row
     WHERE upstream = new.upstream AND head_sha = new.head_sha AND event_type = new.event_type AND downstream = new.downstream
    ON CONFLICT DO NOTHING;
    INSERT INTO cell_job (cell, dispatch, attempt, job)
    SELECT id, coalesce(new.dispatch, 0), new.attempt, new.id FROM cell WHERE grid_row = (
        SELECT id FROM grid_row WHERE upstream = new.upstream AND head_sha = new.head_sha AND event_type = new.event_type
           AND downstream = new.downstream) AND workflow = new.workflow AND job_name = new.job_name;
    UPDATE cell SET version = version + 1 WHERE grid_row = (
        SELECT id FROM grid_row WHERE upstream = new.upstream AND head_sha = new.head_sha AND event_type = new.event_type
           AND downstream = new.downstream) AND workflow = new.workflow AND job_name = new.job_name;
END;

CREATE TRIGGER job_moves_cell AFTER UPDATE OF status, conclusion, started_at_ms, completed_at_ms ON job
WHEN old.counts = 1 AND new.counts = 1 BEGIN
    UPDATE cell SET version = version + 1 WHERE grid_row = (
        SELECT id FROM grid_row WHERE upstream = new.upstream AND head_sha = new.head_sha AND event_type = new.event_type
           AND downstream = new.downstream) AND workflow = new.workflow AND job_name = new.job_name;
END;

CREATE TRIGGER job_out_of_cell AFTER UPDATE OF counts ON job WHEN old.counts = 1 AND new.counts = 0 BEGIN
    DELETE FROM cell_job WHERE job = new.id AND dispatch = coalesce(new.dispatch, 0) AND attempt = new.attempt AND cell = (
        SELECT id FROM cell WHERE grid_row = (
        SELECT id FROM grid_row WHERE upstream = new.upstream AND head_sha = new.head_sha AND event_type = new.event_type
           AND downstream = new.downstream) AND workflow = new.workflow AND job_name = new.job_name);
    UPDATE cell SET version = version + 1 WHERE grid_row = (
        SELECT id FROM grid_row WHERE upstream = new.upstream AND head_sha = new.head_sha AND event_type = new.event_type
           AND downstream = new.downstream) AND workflow = new.workflow AND job_name = new.job_name;
    DELETE FROM cell WHERE outcome IS NULL AND grid_row = (
        SELECT id FROM grid_row WHERE upstream = new.upstream AND head_sha = new.head_sha AND event_type = new.event_type
           AND downstream = new.downstream) AND workflow = new.workflow AND job_name = new.job_name;
    DELETE FROM grid_row WHERE upstream = new.upstream AND head_sha = new.head_sha AND event_type = new.event_type
       AND downstream = new.downstream AND NOT EXISTS (SELECT 1 FROM cell WHERE grid_row = grid_row.id);
END;

CREATE TRIGGER cell_changed AFTER UPDATE OF version ON cell BEGIN
    UPDATE cell SET (
        success, failure, timed_out, neutral, cancelled, skipped, action_required, running, first_conclusion,
        newest_conclusion, newest_job, first_at_ms, last_at_ms, ended_at_ms, outcome) = (SELECT
        success, failure, timed_out, neutral, cancelled, skipped, action_required, running, first_conclusion,
        newest_conclusion, newest_job, first_at_ms, last_at_ms, ended_at_ms, outcome
          FROM cell_counted WHERE id = new.id) WHERE id = new.id;
END;

-- Cells to rows of the grid and to days: what it was is taken back, what it is is added. What runs is on no day.
CREATE TRIGGER cell_on_grid AFTER UPDATE OF outcome, last_at_ms ON cell BEGIN
    UPDATE grid_row SET last_at_ms = max(last_at_ms, coalesce(new.last_at_ms, 0)),
           success = success + (new.outcome IS 'success') - (old.outcome IS 'success'),
           flaky = flaky + (new.outcome IS 'flaky') - (old.outcome IS 'flaky'),
           failure = failure + (new.outcome IS 'failure') - (old.outcome IS 'failure'),
           timed_out = timed_out + (new.outcome IS 'timed_out') - (old.outcome IS 'timed_out'),
           neutral = neutral + (new.outcome IS 'neutral') - (old.outcome IS 'neutral'),
           cancelled = cancelled + (new.outcome IS 'cancelled') - (old.outcome IS 'cancelled'),
           skipped = skipped + (new.outcome IS 'skipped') - (old.outcome IS 'skipped'),
           action_required = action_required + (new.outcome IS 'action_required') - (old.outcome IS 'action_required'),
           running = running + (new.outcome IS 'running') - (old.outcome IS 'running')
     WHERE id = new.grid_row;
END;

CREATE TRIGGER cell_off_day AFTER UPDATE OF outcome, ended_at_ms ON cell WHEN old.outcome <> 'running' BEGIN
    UPDATE cell_day SET success = success - (old.outcome = 'success'), flaky = flaky - (old.outcome = 'flaky'),
           failure = failure - (old.outcome = 'failure'), timed_out = timed_out - (old.outcome = 'timed_out'),
           no_signal = no_signal - old.no_signal, first_passed = first_passed - old.first_passed,
           first_conclusive = first_conclusive - old.first_conclusive, executed_passed = executed_passed - old.success,
           executed = executed - old.executed
     WHERE (upstream, downstream) = (SELECT upstream, downstream FROM grid_row WHERE id = old.grid_row)
       AND day_ms = old.ended_at_ms - old.ended_at_ms % 86400000;
    UPDATE job_day SET success = success - (old.outcome = 'success'), flaky = flaky - (old.outcome = 'flaky'),
           failure = failure - (old.outcome = 'failure'), timed_out = timed_out - (old.outcome = 'timed_out'),
           no_signal = no_signal - old.no_signal, first_passed = first_passed - old.first_passed,
           first_conclusive = first_conclusive - old.first_conclusive, executed_passed = executed_passed - old.success,
           executed = executed - old.executed
     WHERE (upstream, downstream) = (SELECT upstream, downstream FROM grid_row WHERE id = old.grid_row)
       AND day_ms = old.ended_at_ms - old.ended_at_ms % 86400000 AND workflow = old.workflow AND job_name = old.job_name;
END;

CREATE TRIGGER cell_on_day AFTER UPDATE OF outcome, ended_at_ms ON cell WHEN new.outcome <> 'running' BEGIN
    INSERT INTO cell_day (upstream, downstream, day_ms, success, flaky, failure, timed_out, no_signal,
                         first_passed, first_conclusive, executed_passed, executed)
    SELECT upstream, downstream, new.ended_at_ms - new.ended_at_ms % 86400000,
           new.outcome = 'success', new.outcome = 'flaky', new.outcome = 'failure', new.outcome = 'timed_out', new.no_signal,
           new.first_passed, new.first_conclusive, new.success, new.executed
      FROM grid_row WHERE id = new.grid_row
    ON CONFLICT (upstream, downstream, day_ms) DO UPDATE SET
       success = success + excluded.success, flaky = flaky + excluded.flaky, failure = failure + excluded.failure,
       timed_out = timed_out + excluded.timed_out, no_signal = no_signal + excluded.no_signal,
       first_passed = first_passed + excluded.first_passed, first_conclusive = first_conclusive + excluded.first_conclusive,
       executed_passed = executed_passed + excluded.executed_passed, executed = executed + excluded.executed;
    INSERT INTO job_day (upstream, downstream, day_ms, workflow, job_name, success, flaky, failure, timed_out, no_signal,
                         first_passed, first_conclusive, executed_passed, executed)
    SELECT upstream, downstream, new.ended_at_ms - new.ended_at_ms % 86400000, new.workflow, new.job_name,
           new.outcome = 'success', new.outcome = 'flaky', new.outcome = 'failure', new.outcome = 'timed_out', new.no_signal,
           new.first_passed, new.first_conclusive, new.success, new.executed
      FROM grid_row WHERE id = new.grid_row
    ON CONFLICT (upstream, downstream, day_ms, workflow, job_name) DO UPDATE SET
       success = success + excluded.success, flaky = flaky + excluded.flaky, failure = failure + excluded.failure,
       timed_out = timed_out + excluded.timed_out, no_signal = no_signal + excluded.no_signal,
       first_passed = first_passed + excluded.first_passed, first_conclusive = first_conclusive + excluded.first_conclusive,
       executed_passed = executed_passed + excluded.executed_passed, executed = executed + excluded.executed;
END;

CREATE TRIGGER dispatch_silent_day AFTER UPDATE OF silent_at_ms ON dispatch
WHEN old.silent_at_ms IS NULL AND new.silent_at_ms IS NOT NULL BEGIN
    INSERT INTO cell_day (upstream, downstream, day_ms, silent)
    VALUES (new.upstream, new.downstream, new.silent_at_ms - new.silent_at_ms % 86400000, 1)
    ON CONFLICT (upstream, downstream, day_ms) DO UPDATE SET silent = silent + 1;
END;

CREATE TRIGGER dispatch_no_more_silent_day AFTER UPDATE OF silent_at_ms ON dispatch
WHEN old.silent_at_ms IS NOT NULL AND new.silent_at_ms IS NULL BEGIN
    UPDATE cell_day SET silent = silent - 1
     WHERE upstream = old.upstream AND downstream = old.downstream AND day_ms = old.silent_at_ms - old.silent_at_ms % 86400000;
END;

-- How downstreams stand now. The last times only grow: it was sent, it was heard.
CREATE TRIGGER dispatch_now AFTER INSERT ON dispatch BEGIN
    INSERT INTO downstream_now (upstream, downstream, pending, last_sent_at_ms)
    VALUES (new.upstream, new.downstream, new.state = 'pending', new.sent_at_ms)
    ON CONFLICT DO UPDATE SET pending = pending + excluded.pending;
END;

CREATE TRIGGER dispatch_moves_now AFTER UPDATE OF state, sent_at_ms ON dispatch
WHEN old.state <> new.state OR old.sent_at_ms IS NOT new.sent_at_ms BEGIN
    UPDATE downstream_now SET pending = pending + (new.state = 'pending') - (old.state = 'pending'),
           last_sent_at_ms = max(ifnull(last_sent_at_ms, new.sent_at_ms), ifnull(new.sent_at_ms, last_sent_at_ms))
     WHERE upstream = new.upstream AND downstream = new.downstream;
END;

CREATE TRIGGER job_now AFTER INSERT ON job BEGIN
    INSERT INTO downstream_now (upstream, downstream, running, last_result_at_ms)
    VALUES (new.upstream, new.downstream, new.counts = 1 AND new.status = 'in_progress', new.completed_at_ms)
    ON CONFLICT DO UPDATE SET running = running + excluded.running,
       last_result_at_ms = max(ifnull(last_result_at_ms, excluded.last_result_at_ms),
                               ifnull(excluded.last_result_at_ms, last_result_at_ms));
END;

CREATE TRIGGER job_moves_now AFTER UPDATE OF status, counts, said_by ON job
WHEN old.status <> new.status OR old.counts <> new.counts OR old.said_by <> new.said_by BEGIN
    UPDATE downstream_now SET
           running = running + (new.counts = 1 AND new.status = 'in_progress') - (old.counts = 1 AND old.status = 'in_progress'),
           last_result_at_ms = iif(new.said_by = 'downstream' AND new.completed_at_ms > ifnull(last_result_at_ms, 0),
                                   new.completed_at_ms, last_result_at_ms)
     WHERE upstream = new.upstream AND downstream = new.downstream;
END;

CREATE TRIGGER pull_has_head AFTER INSERT ON pull_request BEGIN
    INSERT INTO pull_head (upstream, pr_number, head_sha, first_at_ms)
    VALUES (new.upstream, new.number, new.head_sha, new.updated_at_ms) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER pull_has_new_head AFTER UPDATE OF head_sha ON pull_request WHEN old.head_sha <> new.head_sha BEGIN
    INSERT INTO pull_head (upstream, pr_number, head_sha, first_at_ms)
    VALUES (new.upstream, new.number, new.head_sha, new.updated_at_ms) ON CONFLICT DO NOTHING;
END;

-- News. The newest 100,000 are kept; every thousandth takes away what is older.
CREATE TRIGGER news_trimmed AFTER INSERT ON news WHEN new.id % 1000 = 0 BEGIN
    DELETE FROM news WHERE id <= new.id - 100000;
END;

CREATE TRIGGER news_of_job AFTER INSERT ON job BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES (iif(new.pr_number IS NULL, 'downstream', 'pull'), new.upstream, new.pr_number, new.downstream);
END;

CREATE TRIGGER news_of_job_again AFTER UPDATE ON job BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES (iif(new.pr_number IS NULL, 'downstream', 'pull'), new.upstream, new.pr_number, new.downstream);
END;

CREATE TRIGGER news_of_dispatch AFTER INSERT ON dispatch BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES (iif(new.pr_number IS NULL, 'downstream', 'pull'), new.upstream, new.pr_number, new.downstream);
END;

CREATE TRIGGER news_of_dispatch_again AFTER UPDATE OF state ON dispatch
WHEN old.state <> new.state BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES (iif(new.pr_number IS NULL, 'downstream', 'pull'), new.upstream, new.pr_number, new.downstream);
END;

CREATE TRIGGER news_of_pull AFTER INSERT ON pull_request BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES ('pull', new.upstream, new.number, '');
END;

CREATE TRIGGER news_of_pull_again AFTER UPDATE OF head_sha, open, draft, labels ON pull_request
WHEN old.head_sha <> new.head_sha OR old.open <> new.open OR old.draft <> new.draft OR old.labels <> new.labels BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES ('pull', new.upstream, new.number, '');
END;

CREATE TRIGGER news_of_posting AFTER INSERT ON posting BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES (iif(new.pr_number = 0, 'relay', 'pull'), new.upstream, nullif(new.pr_number, 0), '');
END;

CREATE TRIGGER news_of_posting_again AFTER UPDATE OF state, version ON posting
WHEN old.state <> new.state OR old.version <> new.version BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES (iif(new.pr_number = 0, 'relay', 'pull'), new.upstream, nullif(new.pr_number, 0), '');
END;

CREATE TRIGGER news_of_gate_suspension AFTER INSERT ON gate_suspension BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES ('downstream', new.upstream, NULL, new.downstream);
END;

CREATE TRIGGER news_of_gate_suspension_end AFTER DELETE ON gate_suspension BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES ('downstream', old.upstream, NULL, old.downstream);
END;

CREATE TRIGGER news_of_suspension AFTER INSERT ON suspension BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES ('downstream', new.upstream, NULL, new.downstream);
END;

CREATE TRIGGER news_of_suspension_again AFTER UPDATE ON suspension BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES ('downstream', new.upstream, NULL, new.downstream);
END;

CREATE TRIGGER news_of_suspension_end AFTER DELETE ON suspension BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES ('downstream', old.upstream, NULL, old.downstream);
END;

CREATE TRIGGER news_of_allowlist AFTER INSERT ON allowlist_version BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES ('relay', new.upstream, NULL, '');
END;

CREATE TRIGGER news_of_dead_letter AFTER UPDATE OF state ON outbox
WHEN old.state <> new.state BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    VALUES ('relay', '', NULL, '');
END;

-- What is there already. It is no news.
INSERT INTO downstream_now (upstream, downstream, pending, last_sent_at_ms)
SELECT upstream, downstream, sum(state = 'pending'), max(sent_at_ms) FROM dispatch GROUP BY upstream, downstream;

INSERT INTO downstream_now (upstream, downstream, running, last_result_at_ms)
SELECT upstream, downstream, sum(counts = 1 AND status = 'in_progress'), max(iif(said_by = 'downstream', completed_at_ms, NULL))
  FROM job WHERE true GROUP BY upstream, downstream
ON CONFLICT DO UPDATE SET running = excluded.running, last_result_at_ms = excluded.last_result_at_ms;

INSERT INTO cell_day (upstream, downstream, day_ms, silent)
SELECT upstream, downstream, silent_at_ms - silent_at_ms % 86400000, count(*)
  FROM dispatch WHERE silent_at_ms IS NOT NULL GROUP BY 1, 2, 3;

INSERT INTO pull_head (upstream, pr_number, head_sha, first_at_ms)
SELECT upstream, pr_number, head_sha, min(created_at_ms) FROM dispatch WHERE pr_number IS NOT NULL GROUP BY 1, 2, 3;
INSERT INTO pull_head (upstream, pr_number, head_sha, first_at_ms)
SELECT upstream, number, head_sha, updated_at_ms FROM pull_request WHERE true ON CONFLICT DO NOTHING;

INSERT INTO grid_row (upstream, downstream, event_type, head_sha, pr_number, last_at_ms)
SELECT upstream, downstream, event_type, head_sha, max(pr_number), 0 FROM job WHERE counts = 1
 GROUP BY upstream, downstream, event_type, head_sha ORDER BY min(id);

INSERT INTO cell (grid_row, workflow, job_name)
SELECT DISTINCT g.id, j.workflow, j.job_name
  FROM job AS j CROSS JOIN grid_row AS g USING (upstream, head_sha, event_type, downstream) WHERE j.counts = 1;

INSERT INTO cell_job (cell, dispatch, attempt, job)
SELECT c.id, coalesce(j.dispatch, 0), j.attempt, j.id
  FROM job AS j CROSS JOIN grid_row AS g USING (upstream, head_sha, event_type, downstream)
  CROSS JOIN cell AS c ON c.grid_row = g.id AND c.workflow = j.workflow AND c.job_name = j.job_name WHERE j.counts = 1;

UPDATE cell SET version = 1;
