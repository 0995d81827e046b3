-- Rows as 0017 knows them: a payload that has its time, and the results of one commit pruned; of a cluster whose first failure was pruned the
-- second is taken back.
INSERT INTO delivery (id, event, action, repository, pr_number, head_sha, received_at_ms, plan_at_ms, body_bytes)
VALUES ('kept-since-0017', 'push', '', 'Up/Stream', NULL, 'eeee', 1800057662000, 0, 2);
INSERT INTO delivery_body (sequence, zstd, at_ms)
SELECT sequence, x'28b52ffd20021100007b7d', received_at_ms FROM delivery WHERE id = 'kept-since-0017';

INSERT INTO cluster (id, upstream, signature) VALUES (-8, 'Up/Stream', 'once: boom');
INSERT INTO failed_test (job, place, cluster, upstream, downstream, pr_number, trunk, at_ms, test, message)
SELECT job, 90, -8, upstream, downstream, 77, 0, 1700000000000, 'once', 'boom' FROM failed_test WHERE place = 12;
INSERT INTO failed_test (job, place, cluster, upstream, downstream, pr_number, trunk, at_ms, test, message)
SELECT job, 91, -8, upstream, downstream, 77, 0, 1900000000000, 'once', 'boom' FROM failed_test WHERE place = 12;

INSERT INTO leaving (job) SELECT id FROM job WHERE event_type = 'nightly' AND head_sha = 'dddd';
DELETE FROM attribution WHERE cell IN (SELECT cell FROM cell_job WHERE job IN (SELECT job FROM leaving));
DELETE FROM flaky_cell WHERE cell IN (SELECT cell FROM cell_job WHERE job IN (SELECT job FROM leaving));
DELETE FROM cell_job WHERE job IN (SELECT job FROM leaving);
DELETE FROM cell WHERE NOT EXISTS (SELECT 1 FROM cell_job WHERE cell = cell.id);
DELETE FROM grid_row WHERE NOT EXISTS (SELECT 1 FROM cell WHERE grid_row = grid_row.id);
DELETE FROM failed_test WHERE job IN (SELECT job FROM leaving) OR place = 90;
DELETE FROM benchmark_value WHERE job IN (SELECT job FROM leaving);
DELETE FROM outbox WHERE job IN (SELECT job FROM leaving);
DELETE FROM job WHERE id IN (SELECT job FROM leaving);
DELETE FROM leaving;
DELETE FROM failed_test WHERE place = 91;

DELETE FROM dispatch WHERE silent_at_ms IS NOT NULL AND NOT EXISTS (SELECT 1 FROM job WHERE dispatch = dispatch.id);
INSERT INTO retention (one, results_until_ms) VALUES (1, 1800057600000);
INSERT INTO kept_size (kind, bytes, at_ms) VALUES ('results', 4096, 1800057663000);
