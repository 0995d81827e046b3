-- Rows as 0006 knows them: jobs that run, ended, timed out and count for nothing; a self-report; letters waiting and dead.
INSERT INTO job (dispatch, downstream, upstream, event_type, pr_number, head_sha, workflow, job_name, run_id, attempt, status,
                 conclusion, said_by, bound, run_proven, counts, start_missed, replaced, commit_check, level, device, url,
                 check_run_id, artifact_url, dispatched_at_ms, started_at_ms, completed_at_ms, queue_ms)
SELECT id, downstream, upstream, event_type, pr_number, head_sha, 'ci', 'test', '101', 1, 'completed', 'success', 'downstream',
       1, 1, 1, 0, 0, 'known', 2, 'npu', '', '', '', sent_at_ms, 1800000004000, 1800000009000, 1000
  FROM dispatch WHERE state = 'finished';

INSERT INTO job (dispatch, downstream, upstream, event_type, pr_number, head_sha, workflow, job_name, run_id, attempt, status,
                 said_by, bound, run_proven, counts, start_missed, replaced, commit_check, level, device, url, check_run_id,
                 artifact_url, dispatched_at_ms, started_at_ms)
SELECT id, downstream, upstream, event_type, pr_number, head_sha, 'ci', 'test', '101', 1, 'in_progress', 'downstream',
       0, 0, 1, 0, 0, 'known', 2, 'npu', '', '', '', sent_at_ms, 1800000004000
  FROM dispatch WHERE state = 'started';

INSERT INTO job (downstream, upstream, event_type, head_sha, workflow, job_name, run_id, attempt, status, conclusion, said_by,
                 bound, run_proven, counts, start_missed, replaced, commit_check, level, device, url, check_run_id,
                 artifact_url, completed_at_ms)
VALUES ('own/sent', 'Up/Stream', 'nightly', 'dddd', 'nightly', '', '7', 1, 'completed', 'failure', 'downstream',
        0, 1, 1, 1, 0, 'unverified', 2, '', '', '', '', 1800000009000);

INSERT INTO job_detail (job, json_bytes, zstd)
SELECT id, 2, (SELECT zstd FROM delivery_body LIMIT 1) FROM job WHERE conclusion = 'success';

INSERT INTO claim (dispatch, workflow, run_id, started_at_ms)
SELECT dispatch, workflow, run_id, started_at_ms FROM job WHERE dispatch IS NOT NULL;

INSERT INTO job_latest (upstream, pr_number, downstream, workflow, job_name, job)
SELECT upstream, pr_number, downstream, workflow, job_name, id FROM job WHERE pr_number IS NOT NULL;

INSERT INTO outbox (sink, lane, job, body_bytes, zstd, created_at_ms, due_at_ms)
SELECT 'hud', 'lane', id, 2, (SELECT zstd FROM delivery_body LIMIT 1), 1800000009000, CASE WHEN id = 1 THEN 1800000009000 END
  FROM job ORDER BY id;
UPDATE outbox SET state = 'dead', due_at_ms = NULL, died_at_ms = 1800000010000, detail = 'no' WHERE id = 2;

UPDATE dispatch SET state = 'finished', silent_at_ms = 1800007203000, reason = 'silent: no start within 2h' WHERE state = 'sent';

INSERT INTO schedule (upstream, downstream, last_due_ms, last_missed, missed)
VALUES ('Up/Stream', 'own/sent', 1800000000000, 'GitHub was away', 1);
