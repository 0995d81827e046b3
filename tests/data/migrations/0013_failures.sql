-- A failed test of each red job, one of which stops counting; what is said of two failing cells, and what they add to their days.
INSERT INTO cluster (id, upstream, signature) VALUES (-7, 'Up/Stream', 't: boom');

INSERT INTO failed_test (job, place, cluster, upstream, downstream, pr_number, trunk, at_ms, test, message)
SELECT id, 0, -7, upstream, downstream, pr_number, CASE WHEN pr_number IS NULL THEN 1 ELSE 0 END, completed_at_ms, 't' || id, 'boom'
  FROM job WHERE counts = 1 AND conclusion IN ('failure', 'timed_out');

UPDATE job SET started_at_ms = started_at_ms + 1, completed_at_ms = completed_at_ms + 86400000
 WHERE counts = 1 AND conclusion = 'timed_out' AND pr_number IS NOT NULL;

UPDATE attribution SET verdict = 'infra', confidence = 'medium', looks = 1, due_at_ms = due_at_ms + 3600000;

UPDATE job SET counts = 0 WHERE id = (SELECT max(job) FROM failed_test);
