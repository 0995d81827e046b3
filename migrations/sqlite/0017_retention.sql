-- 0017_retention.sql
-- Results are kept for a time only, roll-ups and the ledger for ever: what is pruned leaves every figure as it was. `tally` counts what is
-- kept, so it follows; days, hours, clusters and the ladder's days do not. docs/design/clock.md says what goes and what stays.
-- beside: 0016

-- The jobs that one transaction prunes, with what hangs from them; empty whenever anybody else looks.
CREATE TABLE leaving (
    job INTEGER PRIMARY KEY
) STRICT;

-- How far results were pruned: of what ended before, roll-ups may count more than there is.
CREATE TABLE retention (
    one              INTEGER PRIMARY KEY CHECK (one = 1),
    results_until_ms INTEGER NOT NULL
) STRICT;

-- How much room each kind of thing took when it was last measured.
CREATE TABLE kept_size (
    kind  TEXT    PRIMARY KEY CHECK (kind <> ''),
    bytes INTEGER NOT NULL CHECK (bytes >= 0),
    at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- When a payload was received, so that PostgreSQL can keep each month's apart; 0: before this migration.
ALTER TABLE delivery_body ADD COLUMN at_ms INTEGER NOT NULL DEFAULT 0;

-- A row that goes is looked for wherever it is referred to.
CREATE INDEX cell_job_of_job ON cell_job (job);
CREATE INDEX job_latest_of_job ON job_latest (job);
CREATE INDEX benchmark_value_of_job ON benchmark_value (job);
CREATE INDEX flaky_cell_of_cell ON flaky_cell (cell);
CREATE INDEX outbox_of_job ON outbox (job);

CREATE TRIGGER job_uncounted AFTER DELETE ON job BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'job_' || coalesce(old.conclusion, old.status);
    UPDATE tally SET n = n - 1 WHERE name = 'job_by_relay' AND old.said_by = 'relay';
END;

CREATE TRIGGER dispatch_silence_uncounted AFTER DELETE ON dispatch WHEN old.silent_at_ms IS NOT NULL BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'silent';
END;

-- What is pruned was there: only what is taken back is counted off.
DROP TRIGGER attribution_gone;
CREATE TRIGGER attribution_gone AFTER DELETE ON attribution WHEN old.excused = 1 AND NOT EXISTS (SELECT 1 FROM leaving) BEGIN
    UPDATE cell_day SET excused = excused - 1
     WHERE upstream = old.upstream AND downstream = old.downstream AND day_ms = old.day_ms;
END;

-- The same for failed tests. Where those before it were pruned nobody knows their times any more: then the time stays.
DROP TRIGGER failed_test_out_of_cluster;
CREATE TRIGGER failed_test_out_of_cluster AFTER DELETE ON failed_test WHEN NOT EXISTS (SELECT 1 FROM leaving) BEGIN
    UPDATE cluster_day SET failures = failures - 1
     WHERE cluster = old.cluster AND day_ms = old.at_ms - old.at_ms % 86400000 AND downstream = old.downstream;
    DELETE FROM cluster_day
     WHERE cluster = old.cluster AND day_ms = old.at_ms - old.at_ms % 86400000 AND downstream = old.downstream AND failures = 0;

    -- With no failure left the row goes, so nobody looks for another time.
    UPDATE cluster_pull SET failures = failures - 1,
           last_at_ms = iif(old.at_ms < last_at_ms OR failures = 1, last_at_ms, ifnull((
               SELECT at_ms FROM failed_test INDEXED BY failed_test_of_cluster
                WHERE cluster = old.cluster AND downstream = old.downstream AND at_ms <= old.at_ms AND pr_number = old.pr_number
                ORDER BY at_ms DESC LIMIT 1), last_at_ms))
     WHERE cluster = old.cluster AND pr_number = old.pr_number AND downstream = old.downstream;
    DELETE FROM cluster_pull
     WHERE cluster = old.cluster AND pr_number = old.pr_number AND downstream = old.downstream AND failures = 0;

    UPDATE cluster_test SET failures = failures - 1,
           first_at_ms = iif(old.at_ms > first_at_ms OR failures = 1, first_at_ms, ifnull((
               SELECT at_ms FROM failed_test INDEXED BY failed_test_named
                WHERE upstream = old.upstream AND test = old.test AND downstream = old.downstream AND at_ms >= old.at_ms
                  AND cluster = old.cluster
                ORDER BY at_ms LIMIT 1), first_at_ms)),
           last_at_ms = iif(old.at_ms < last_at_ms OR failures = 1, last_at_ms, ifnull((
               SELECT at_ms FROM failed_test INDEXED BY failed_test_named
                WHERE upstream = old.upstream AND test = old.test AND downstream = old.downstream AND at_ms <= old.at_ms
                  AND cluster = old.cluster
                ORDER BY at_ms DESC LIMIT 1), last_at_ms))
     WHERE cluster = old.cluster AND test = old.test AND downstream = old.downstream;
    DELETE FROM cluster_test
     WHERE cluster = old.cluster AND test = old.test AND downstream = old.downstream AND failures = 0;

    UPDATE cluster_downstream SET failures = failures - 1,
           first_at_ms = iif(old.at_ms > first_at_ms OR failures = 1, first_at_ms, ifnull((
               SELECT at_ms FROM failed_test INDEXED BY failed_test_of_cluster
                WHERE cluster = old.cluster AND downstream = old.downstream ORDER BY at_ms LIMIT 1), first_at_ms)),
           last_at_ms = iif(old.at_ms < last_at_ms OR failures = 1, last_at_ms, ifnull((
               SELECT at_ms FROM failed_test INDEXED BY failed_test_of_cluster
                WHERE cluster = old.cluster AND downstream = old.downstream ORDER BY at_ms DESC LIMIT 1), last_at_ms)),
           trunk_at_ms = iif(NOT old.trunk OR old.at_ms < trunk_at_ms, trunk_at_ms, (
               SELECT at_ms FROM failed_test INDEXED BY failed_test_on_trunk
                WHERE cluster = old.cluster AND downstream = old.downstream AND trunk = 1 ORDER BY at_ms DESC LIMIT 1))
     WHERE cluster = old.cluster AND downstream = old.downstream;
    DELETE FROM cluster_downstream WHERE cluster = old.cluster AND downstream = old.downstream AND failures = 0;
END;
