-- 0013_failures.sql
-- What failures have in common, kept on write: each failed test with its signature, and the clusters of one signature by downstream,
-- day, pull request and test. Beside them which cells are flaky, and whose failure each failing cell is said to be.
-- What was reported before stands in no cluster: its texts are compressed, and SQL cannot read them.
-- docs/design/failures.md defines the words.

-- All failures of one upstream with one signature; the id is made from both.
CREATE TABLE cluster (
    id        INTEGER PRIMARY KEY,
    upstream  TEXT    NOT NULL COLLATE NOCASE,
    signature TEXT    NOT NULL
) STRICT;

-- A failed test of a job that counts and is red. `place` is where it stands in the report.
CREATE TABLE failed_test (
    id         INTEGER PRIMARY KEY,
    job        INTEGER NOT NULL REFERENCES job (id),
    place      INTEGER NOT NULL CHECK (place >= 0),
    cluster    INTEGER NOT NULL REFERENCES cluster (id),
    upstream   TEXT    NOT NULL COLLATE NOCASE,
    downstream TEXT    NOT NULL COLLATE NOCASE,
    pr_number  INTEGER,
    trunk      INTEGER NOT NULL CHECK (trunk IN (0, 1)),
    at_ms      INTEGER NOT NULL,
    test       TEXT    NOT NULL,
    message    TEXT    NOT NULL,
    UNIQUE (job, place)
) STRICT;

CREATE INDEX failed_test_of_cluster ON failed_test (cluster, downstream, at_ms, id);
CREATE INDEX failed_test_named ON failed_test (upstream, test, downstream, at_ms, id);

-- A cluster at a downstream. `trunk_at_ms` is when it was last seen for no pull request.
CREATE TABLE cluster_downstream (
    cluster     INTEGER NOT NULL REFERENCES cluster (id),
    downstream  TEXT    NOT NULL COLLATE NOCASE,
    upstream    TEXT    NOT NULL COLLATE NOCASE,
    failures    INTEGER NOT NULL CHECK (failures >= 0),
    first_at_ms INTEGER NOT NULL,
    last_at_ms  INTEGER NOT NULL,
    trunk_at_ms INTEGER,
    PRIMARY KEY (cluster, downstream)
) STRICT, WITHOUT ROWID;

CREATE INDEX cluster_newest ON cluster_downstream (upstream, downstream, last_at_ms, cluster);

CREATE TABLE cluster_day (
    cluster    INTEGER NOT NULL REFERENCES cluster (id),
    day_ms     INTEGER NOT NULL CHECK (day_ms % 86400000 = 0),
    downstream TEXT    NOT NULL COLLATE NOCASE,
    failures   INTEGER NOT NULL CHECK (failures >= 0),
    PRIMARY KEY (cluster, day_ms, downstream)
) STRICT, WITHOUT ROWID;

CREATE TABLE cluster_pull (
    cluster    INTEGER NOT NULL REFERENCES cluster (id),
    pr_number  INTEGER NOT NULL,
    downstream TEXT    NOT NULL COLLATE NOCASE,
    failures   INTEGER NOT NULL CHECK (failures >= 0),
    last_at_ms INTEGER NOT NULL,
    PRIMARY KEY (cluster, pr_number, downstream)
) STRICT, WITHOUT ROWID;

CREATE TABLE cluster_test (
    cluster     INTEGER NOT NULL REFERENCES cluster (id),
    test        TEXT    NOT NULL,
    downstream  TEXT    NOT NULL COLLATE NOCASE,
    upstream    TEXT    NOT NULL COLLATE NOCASE,
    failures    INTEGER NOT NULL CHECK (failures >= 0),
    first_at_ms INTEGER NOT NULL,
    last_at_ms  INTEGER NOT NULL,
    PRIMARY KEY (cluster, test, downstream)
) STRICT, WITHOUT ROWID;

CREATE INDEX cluster_test_named ON cluster_test (upstream, test, downstream);

CREATE TRIGGER failed_test_in_cluster AFTER INSERT ON failed_test BEGIN
    INSERT INTO cluster_downstream (cluster, downstream, upstream, failures, first_at_ms, last_at_ms, trunk_at_ms)
    VALUES (new.cluster, new.downstream, new.upstream, 1, new.at_ms, new.at_ms, iif(new.trunk, new.at_ms, NULL))
    ON CONFLICT (cluster, downstream) DO UPDATE SET failures = failures + 1,
       first_at_ms = min(first_at_ms, excluded.first_at_ms), last_at_ms = max(last_at_ms, excluded.last_at_ms),
       trunk_at_ms = max(ifnull(trunk_at_ms, excluded.trunk_at_ms), ifnull(excluded.trunk_at_ms, trunk_at_ms));
    INSERT INTO cluster_day (cluster, day_ms, downstream, failures)
    VALUES (new.cluster, new.at_ms - new.at_ms % 86400000, new.downstream, 1)
    ON CONFLICT (cluster, day_ms, downstream) DO UPDATE SET failures = failures + 1;
    INSERT INTO cluster_pull (cluster, pr_number, downstream, failures, last_at_ms)
    SELECT new.cluster, new.pr_number, new.downstream, 1, new.at_ms WHERE new.pr_number IS NOT NULL
    ON CONFLICT (cluster, pr_number, downstream) DO UPDATE SET failures = failures + 1,
       last_at_ms = max(last_at_ms, excluded.last_at_ms);
    INSERT INTO cluster_test (cluster, test, downstream, upstream, failures, first_at_ms, last_at_ms)
    VALUES (new.cluster, new.test, new.downstream, new.upstream, 1, new.at_ms, new.at_ms)
    ON CONFLICT (cluster, test, downstream) DO UPDATE SET failures = failures + 1,
       first_at_ms = min(first_at_ms, excluded.first_at_ms), last_at_ms = max(last_at_ms, excluded.last_at_ms);
END;

-- Rare: a run lost its claim, or a job told anew. What is left says when it was first and last seen.
CREATE TRIGGER failed_test_out_of_cluster AFTER DELETE ON failed_test BEGIN
    UPDATE cluster_day SET failures = failures - 1
     WHERE cluster = old.cluster AND day_ms = old.at_ms - old.at_ms % 86400000 AND downstream = old.downstream;
    DELETE FROM cluster_day
     WHERE cluster = old.cluster AND day_ms = old.at_ms - old.at_ms % 86400000 AND downstream = old.downstream AND failures = 0;
    UPDATE cluster_pull SET failures = failures - 1, last_at_ms = ifnull((
        SELECT max(at_ms) FROM failed_test AS t
         WHERE t.cluster = old.cluster AND t.downstream = old.downstream AND t.pr_number = old.pr_number), last_at_ms)
     WHERE cluster = old.cluster AND pr_number = old.pr_number AND downstream = old.downstream;
    DELETE FROM cluster_pull
     WHERE cluster = old.cluster AND pr_number = old.pr_number AND downstream = old.downstream AND failures = 0;
    UPDATE cluster_test SET failures = failures - 1, (first_at_ms, last_at_ms) = (
        SELECT ifnull(min(at_ms), first_at_ms), ifnull(max(at_ms), last_at_ms) FROM failed_test AS t
         WHERE t.upstream = old.upstream AND t.test = old.test AND t.downstream = old.downstream AND t.cluster = old.cluster)
     WHERE cluster = old.cluster AND test = old.test AND downstream = old.downstream;
    DELETE FROM cluster_test
     WHERE cluster = old.cluster AND test = old.test AND downstream = old.downstream AND failures = 0;
    UPDATE cluster_downstream SET failures = failures - 1, (first_at_ms, last_at_ms, trunk_at_ms) = (
        SELECT ifnull(min(at_ms), first_at_ms), ifnull(max(at_ms), last_at_ms), max(iif(trunk, at_ms, NULL))
          FROM failed_test AS t WHERE t.cluster = old.cluster AND t.downstream = old.downstream)
     WHERE cluster = old.cluster AND downstream = old.downstream;
    DELETE FROM cluster_downstream WHERE cluster = old.cluster AND downstream = old.downstream AND failures = 0;
END;

CREATE TRIGGER job_without_failed_tests AFTER UPDATE OF counts, conclusion ON job
WHEN old.counts = 1 AND old.conclusion IN ('failure', 'timed_out')
 AND NOT (new.counts = 1 AND new.conclusion IN ('failure', 'timed_out')) BEGIN
    DELETE FROM failed_test WHERE job = new.id;
END;

-- Cells that passed and failed on their commit, by job: the newest are the examples.
CREATE TABLE flaky_cell (
    upstream   TEXT    NOT NULL COLLATE NOCASE,
    downstream TEXT    NOT NULL COLLATE NOCASE,
    workflow   TEXT    NOT NULL,
    job_name   TEXT    NOT NULL,
    cell       INTEGER NOT NULL REFERENCES cell (id),
    PRIMARY KEY (upstream, downstream, workflow, job_name, cell)
) STRICT, WITHOUT ROWID;

CREATE INDEX job_day_flaky ON job_day (upstream, downstream, day_ms, workflow, job_name) WHERE flaky > 0;

CREATE TRIGGER cell_flakes AFTER UPDATE OF outcome ON cell WHEN new.outcome IS 'flaky' AND old.outcome IS NOT 'flaky' BEGIN
    INSERT INTO flaky_cell (upstream, downstream, workflow, job_name, cell)
    SELECT upstream, downstream, new.workflow, new.job_name, new.id FROM grid_row WHERE id = new.grid_row;
END;

CREATE TRIGGER cell_flakes_no_more AFTER UPDATE OF outcome ON cell WHEN old.outcome IS 'flaky' AND new.outcome IS NOT 'flaky' BEGIN
    DELETE FROM flaky_cell WHERE (upstream, downstream) = (SELECT upstream, downstream FROM grid_row WHERE id = old.grid_row)
       AND workflow = old.workflow AND job_name = old.job_name AND cell = old.id;
END;

INSERT INTO flaky_cell (upstream, downstream, workflow, job_name, cell)
SELECT g.upstream, g.downstream, c.workflow, c.job_name, c.id
  FROM cell AS c CROSS JOIN grid_row AS g ON g.id = c.grid_row WHERE c.outcome = 'flaky';

-- Whose failure a failing cell is said to be. It is looked at when it ends and a few times after, for evidence comes late;
-- `due_at_ms` is the next time, empty when it is settled. Cells that failed before are never looked at.
CREATE TABLE attribution (
    cell       INTEGER PRIMARY KEY REFERENCES cell (id),
    upstream   TEXT    NOT NULL COLLATE NOCASE,
    downstream TEXT    NOT NULL COLLATE NOCASE,
    day_ms     INTEGER NOT NULL CHECK (day_ms % 86400000 = 0),
    verdict    TEXT    NOT NULL DEFAULT 'unknown'
               CHECK (verdict IN ('pr', 'trunk', 'backend', 'infra', 'relay', 'flake', 'unknown')),
    confidence TEXT    NOT NULL DEFAULT 'low' CHECK (confidence IN ('low', 'medium', 'high')),
    evidence   TEXT    NOT NULL DEFAULT '[]' CHECK (json_valid(evidence)),
    looks      INTEGER NOT NULL DEFAULT 0 CHECK (looks >= 0),
    looked_ms  INTEGER,
    due_at_ms  INTEGER,
    excused    INTEGER AS (verdict IN ('trunk', 'infra') AND confidence <> 'low')
) STRICT;

CREATE INDEX attribution_due ON attribution (due_at_ms) WHERE due_at_ms IS NOT NULL;

-- Failing cells that are said to be trunk's or the infrastructure's, and not with low confidence: what the adjusted rate leaves out.
ALTER TABLE cell_day ADD COLUMN excused INTEGER NOT NULL DEFAULT 0 CHECK (excused >= 0);

CREATE TRIGGER cell_fails AFTER UPDATE OF outcome, ended_at_ms ON cell
WHEN new.outcome IN ('failure', 'timed_out') AND (old.outcome, old.ended_at_ms) IS NOT (new.outcome, new.ended_at_ms) BEGIN
    DELETE FROM attribution WHERE cell = new.id;
    INSERT INTO attribution (cell, upstream, downstream, day_ms, due_at_ms)
    SELECT new.id, upstream, downstream, new.ended_at_ms - new.ended_at_ms % 86400000, new.ended_at_ms
      FROM grid_row WHERE id = new.grid_row;
END;

CREATE TRIGGER cell_fails_no_more AFTER UPDATE OF outcome ON cell
WHEN old.outcome IN ('failure', 'timed_out') AND (new.outcome IS NULL OR new.outcome NOT IN ('failure', 'timed_out')) BEGIN
    DELETE FROM attribution WHERE cell = new.id;
END;

CREATE TRIGGER attribution_excuses AFTER UPDATE OF verdict, confidence ON attribution WHEN old.excused <> new.excused BEGIN
    UPDATE cell_day SET excused = excused + new.excused - old.excused
     WHERE upstream = new.upstream AND downstream = new.downstream AND day_ms = new.day_ms;
END;

CREATE TRIGGER attribution_gone AFTER DELETE ON attribution WHEN old.excused = 1 BEGIN
    UPDATE cell_day SET excused = excused - 1
     WHERE upstream = old.upstream AND downstream = old.downstream AND day_ms = old.day_ms;
END;
