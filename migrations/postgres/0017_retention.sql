-- 0017_retention.sql
-- The same step as migrations/sqlite/0017_retention.sql, where its reasons stand. Beside it the payloads of each month are a partition of
-- their own, so that what they took goes back to the system when the month is dropped. docs/design/postgres.md says why these alone.
-- beside: 0016

CREATE TABLE leaving (
    job bigint PRIMARY KEY
);

CREATE TABLE retention (
    one              bigint PRIMARY KEY CHECK (one = 1),
    results_until_ms bigint NOT NULL
);

CREATE TABLE kept_size (
    kind  text COLLATE "C" PRIMARY KEY CHECK (kind <> ''),
    bytes bigint NOT NULL CHECK (bytes >= 0),
    at_ms bigint NOT NULL
);

-- What is there becomes a partition as it is, without being copied.
ALTER TABLE delivery_body ADD COLUMN at_ms bigint NOT NULL DEFAULT 0;
ALTER TABLE delivery_body DROP CONSTRAINT delivery_body_pkey;
ALTER TABLE delivery_body RENAME TO delivery_body_before;

CREATE TABLE delivery_body (
    sequence bigint NOT NULL REFERENCES delivery (sequence) ON DELETE CASCADE,
    zstd     bytea NOT NULL,
    at_ms    bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (sequence, at_ms)
) PARTITION BY RANGE (at_ms);

-- Takes what no month is there for: an insert never fails because a month is missing.
CREATE TABLE delivery_body_other PARTITION OF delivery_body DEFAULT;
ALTER TABLE delivery_body ATTACH PARTITION delivery_body_before FOR VALUES FROM (MINVALUE) TO (1);

-- Sees to it that this month and the next two have a partition, and drops those that end before `cut_ms` and hold next to nothing; what
-- they still hold goes to the others. Says how many it dropped. Months are those of UTC. Both want a lock that a running pg_dump does not let go
-- of, and all who write wait behind it: so it asks briefly, and otherwise leaves it for the next time.
CREATE FUNCTION keep_months(now_ms bigint, cut_ms bigint) RETURNS bigint LANGUAGE plpgsql SET lock_timeout = '200ms' AS $$
DECLARE
    few      constant bigint := 1000; -- rows that are moved in one go
    month    timestamp;
    name     text;
    from_ms  bigint;
    until_ms bigint;
    held     bigint;
    dropped  bigint := 0;
BEGIN
    FOR ahead IN 0..2 LOOP
        month := date_trunc('month', to_timestamp(now_ms / 1000) AT TIME ZONE 'UTC') + make_interval(months => ahead);
        name := to_char(month, '"delivery_body_"YYYY_MM');
        CONTINUE WHEN to_regclass(name) IS NOT NULL;
        from_ms := extract(epoch FROM month) * 1000;
        until_ms := extract(epoch FROM month + interval '1 month') * 1000;
        SELECT count(*) INTO held FROM (
            SELECT 1 FROM delivery_body_other WHERE at_ms >= from_ms AND at_ms < until_ms LIMIT few + 1) AS those;
        CONTINUE WHEN held > few;
        EXECUTE format('CREATE TABLE %I (LIKE delivery_body INCLUDING DEFAULTS)', name);
        EXECUTE format(
            'WITH moved AS (DELETE FROM delivery_body_other WHERE at_ms >= $1 AND at_ms < $2 RETURNING sequence, zstd, at_ms) '
            'INSERT INTO %I (sequence, zstd, at_ms) SELECT sequence, zstd, at_ms FROM moved', name) USING from_ms, until_ms;
        EXECUTE format('ALTER TABLE delivery_body ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', name, from_ms, until_ms);
    END LOOP;

    FOR name IN
        SELECT c.relname FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'delivery_body'::regclass AND c.relname <> 'delivery_body_other' ORDER BY c.relname
    LOOP
        CONTINUE WHEN name <> 'delivery_body_before'
             AND extract(epoch FROM to_timestamp(right(name, 7), 'YYYY_MM')::timestamp + interval '1 month') * 1000 > cut_ms;
        EXECUTE format('SELECT count(*) FROM (SELECT 1 FROM %I LIMIT %s) AS those', name, few + 1) INTO held;
        CONTINUE WHEN held > few;
        EXECUTE format('ALTER TABLE delivery_body DETACH PARTITION %I', name);
        EXECUTE format('INSERT INTO delivery_body (sequence, zstd, at_ms) SELECT sequence, zstd, at_ms FROM %I', name);
        EXECUTE format('DROP TABLE %I', name);
        dropped := dropped + 1;
    END LOOP;
    RETURN dropped;
EXCEPTION WHEN lock_not_available THEN
    RETURN 0;
END $$;

CREATE INDEX cell_job_of_job ON cell_job (job);
CREATE INDEX job_latest_of_job ON job_latest (job);
CREATE INDEX benchmark_value_of_job ON benchmark_value (job);
CREATE INDEX flaky_cell_of_cell ON flaky_cell (cell);
CREATE INDEX outbox_of_job ON outbox (job);

CREATE FUNCTION job_uncounted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'job_' || coalesce(OLD.conclusion, OLD.status);
    UPDATE tally SET n = n - 1 WHERE name = 'job_by_relay' AND OLD.said_by = 'relay';
    RETURN NULL;
END $$;
CREATE TRIGGER job_uncounted AFTER DELETE ON job FOR EACH ROW EXECUTE FUNCTION job_uncounted();

CREATE FUNCTION dispatch_silence_uncounted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE tally SET n = n - 1 WHERE name = 'silent';
    RETURN NULL;
END $$;
CREATE TRIGGER dispatch_silence_uncounted AFTER DELETE ON dispatch
FOR EACH ROW WHEN (OLD.silent_at_ms IS NOT NULL)
EXECUTE FUNCTION dispatch_silence_uncounted();

CREATE OR REPLACE FUNCTION attribution_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE cell_day SET excused = excused - 1
     WHERE upstream = OLD.upstream AND downstream = OLD.downstream AND day_ms = OLD.day_ms
       AND NOT EXISTS (SELECT 1 FROM leaving);
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION failed_test_out_of_cluster() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM leaving) THEN
        RETURN NULL;
    END IF;

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
