-- 0015_cluster_ends.sql
-- A failed test that is taken back costs the same however long its cluster's history is: when something was first and last seen is
-- looked up anew only where the one taken back was the first or the last, and from there on.

DROP TRIGGER failed_test_out_of_cluster;

CREATE INDEX failed_test_on_trunk ON failed_test (cluster, downstream, at_ms) WHERE trunk = 1;

CREATE TRIGGER failed_test_out_of_cluster AFTER DELETE ON failed_test BEGIN
    UPDATE cluster_day SET failures = failures - 1
     WHERE cluster = old.cluster AND day_ms = old.at_ms - old.at_ms % 86400000 AND downstream = old.downstream;
    DELETE FROM cluster_day
     WHERE cluster = old.cluster AND day_ms = old.at_ms - old.at_ms % 86400000 AND downstream = old.downstream AND failures = 0;

    -- With no failure left the row goes, so nobody looks for another time.
    UPDATE cluster_pull SET failures = failures - 1,
           last_at_ms = iif(old.at_ms < last_at_ms OR failures = 1, last_at_ms, (
               SELECT at_ms FROM failed_test INDEXED BY failed_test_of_cluster
                WHERE cluster = old.cluster AND downstream = old.downstream AND at_ms <= old.at_ms AND pr_number = old.pr_number
                ORDER BY at_ms DESC LIMIT 1))
     WHERE cluster = old.cluster AND pr_number = old.pr_number AND downstream = old.downstream;
    DELETE FROM cluster_pull
     WHERE cluster = old.cluster AND pr_number = old.pr_number AND downstream = old.downstream AND failures = 0;

    UPDATE cluster_test SET failures = failures - 1,
           first_at_ms = iif(old.at_ms > first_at_ms OR failures = 1, first_at_ms, (
               SELECT at_ms FROM failed_test INDEXED BY failed_test_named
                WHERE upstream = old.upstream AND test = old.test AND downstream = old.downstream AND at_ms >= old.at_ms
                  AND cluster = old.cluster
                ORDER BY at_ms LIMIT 1)),
           last_at_ms = iif(old.at_ms < last_at_ms OR failures = 1, last_at_ms, (
               SELECT at_ms FROM failed_test INDEXED BY failed_test_named
                WHERE upstream = old.upstream AND test = old.test AND downstream = old.downstream AND at_ms <= old.at_ms
                  AND cluster = old.cluster
                ORDER BY at_ms DESC LIMIT 1))
     WHERE cluster = old.cluster AND test = old.test AND downstream = old.downstream;
    DELETE FROM cluster_test
     WHERE cluster = old.cluster AND test = old.test AND downstream = old.downstream AND failures = 0;

    UPDATE cluster_downstream SET failures = failures - 1,
           first_at_ms = iif(old.at_ms > first_at_ms OR failures = 1, first_at_ms, (
               SELECT at_ms FROM failed_test INDEXED BY failed_test_of_cluster
                WHERE cluster = old.cluster AND downstream = old.downstream ORDER BY at_ms LIMIT 1)),
           last_at_ms = iif(old.at_ms < last_at_ms OR failures = 1, last_at_ms, (
               SELECT at_ms FROM failed_test INDEXED BY failed_test_of_cluster
                WHERE cluster = old.cluster AND downstream = old.downstream ORDER BY at_ms DESC LIMIT 1)),
           trunk_at_ms = iif(NOT old.trunk OR old.at_ms < trunk_at_ms, trunk_at_ms, (
               SELECT at_ms FROM failed_test INDEXED BY failed_test_on_trunk
                WHERE cluster = old.cluster AND downstream = old.downstream AND trunk = 1 ORDER BY at_ms DESC LIMIT 1))
     WHERE cluster = old.cluster AND downstream = old.downstream;
    DELETE FROM cluster_downstream WHERE cluster = old.cluster AND downstream = old.downstream AND failures = 0;
END;
