-- 0015_cluster_ends.sql
-- The same step as migrations/sqlite/0015_cluster_ends.sql, where its reasons stand.

DROP TRIGGER failed_test_out_of_cluster ON failed_test;
DROP FUNCTION failed_test_out_of_cluster();

CREATE INDEX failed_test_on_trunk ON failed_test (cluster, downstream, at_ms) WHERE trunk = 1;

-- The times that are looked for may be nobody's: when one statement takes several failed tests back, all of them are gone before this
-- runs for the first, and the row lives only until it ran for the last.
CREATE FUNCTION failed_test_out_of_cluster() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE cluster_day SET failures = failures - 1
     WHERE cluster = OLD.cluster AND day_ms = OLD.at_ms - OLD.at_ms % 86400000 AND downstream = OLD.downstream;
    DELETE FROM cluster_day
     WHERE cluster = OLD.cluster AND day_ms = OLD.at_ms - OLD.at_ms % 86400000 AND downstream = OLD.downstream AND failures = 0;

    UPDATE cluster_pull SET failures = failures - 1,
           last_at_ms = CASE WHEN OLD.at_ms < last_at_ms OR failures = 1 THEN last_at_ms ELSE coalesce((
               SELECT t.at_ms FROM failed_test AS t
                WHERE t.cluster = OLD.cluster AND t.downstream = OLD.downstream AND t.at_ms <= OLD.at_ms
                  AND t.pr_number = OLD.pr_number
                ORDER BY t.at_ms DESC LIMIT 1), last_at_ms) END
     WHERE cluster = OLD.cluster AND pr_number = OLD.pr_number AND downstream = OLD.downstream;
    DELETE FROM cluster_pull
     WHERE cluster = OLD.cluster AND pr_number = OLD.pr_number AND downstream = OLD.downstream AND failures = 0;

    UPDATE cluster_test SET failures = failures - 1,
           first_at_ms = CASE WHEN OLD.at_ms > first_at_ms OR failures = 1 THEN first_at_ms ELSE coalesce((
               SELECT t.at_ms FROM failed_test AS t
                WHERE t.upstream = OLD.upstream AND t.test = OLD.test AND t.downstream = OLD.downstream
                  AND t.at_ms >= OLD.at_ms AND t.cluster = OLD.cluster
                ORDER BY t.at_ms LIMIT 1), first_at_ms) END,
           last_at_ms = CASE WHEN OLD.at_ms < last_at_ms OR failures = 1 THEN last_at_ms ELSE coalesce((
               SELECT t.at_ms FROM failed_test AS t
                WHERE t.upstream = OLD.upstream AND t.test = OLD.test AND t.downstream = OLD.downstream
                  AND t.at_ms <= OLD.at_ms AND t.cluster = OLD.cluster
                ORDER BY t.at_ms DESC LIMIT 1), last_at_ms) END
     WHERE cluster = OLD.cluster AND test = OLD.test AND downstream = OLD.downstream;
    DELETE FROM cluster_test
     WHERE cluster = OLD.cluster AND test = OLD.test AND downstream = OLD.downstream AND failures = 0;

    UPDATE cluster_downstream SET failures = failures - 1,
           first_at_ms = CASE WHEN OLD.at_ms > first_at_ms OR failures = 1 THEN first_at_ms ELSE coalesce((
               SELECT t.at_ms FROM failed_test AS t
                WHERE t.cluster = OLD.cluster AND t.downstream = OLD.downstream ORDER BY t.at_ms LIMIT 1), first_at_ms) END,
           last_at_ms = CASE WHEN OLD.at_ms < last_at_ms OR failures = 1 THEN last_at_ms ELSE coalesce((
               SELECT t.at_ms FROM failed_test AS t
                WHERE t.cluster = OLD.cluster AND t.downstream = OLD.downstream ORDER BY t.at_ms DESC LIMIT 1), last_at_ms) END,
           trunk_at_ms = CASE WHEN OLD.trunk = 0 OR OLD.at_ms < trunk_at_ms THEN trunk_at_ms ELSE (
               SELECT t.at_ms FROM failed_test AS t
                WHERE t.cluster = OLD.cluster AND t.downstream = OLD.downstream AND t.trunk = 1
                ORDER BY t.at_ms DESC LIMIT 1) END
     WHERE cluster = OLD.cluster AND downstream = OLD.downstream;
    DELETE FROM cluster_downstream WHERE cluster = OLD.cluster AND downstream = OLD.downstream AND failures = 0;
    RETURN NULL;
END $$;
CREATE TRIGGER failed_test_out_of_cluster AFTER DELETE ON failed_test FOR EACH ROW EXECUTE FUNCTION failed_test_out_of_cluster();
