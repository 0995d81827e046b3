-- Rows as 0008 knows them: its triggers keep them. A second attempt that passed, one that runs, a commit that is not known after all.
INSERT INTO job (dispatch, downstream, upstream, event_type, pr_number, head_sha, workflow, job_name, run_id, attempt, status,
                 conclusion, said_by, bound, run_proven, counts, start_missed, replaced, commit_check, level, device, url,
                 check_run_id, artifact_url, dispatched_at_ms, started_at_ms, completed_at_ms)
SELECT dispatch, downstream, upstream, event_type, pr_number, head_sha, workflow, job_name, run_id, 2, 'completed', 'failure',
       'downstream', 1, 1, 1, 0, 0, 'known', 2, 'npu', '', '', '', dispatched_at_ms, 1800086400000, 1800086405000
  FROM job WHERE conclusion = 'success';

UPDATE job SET status = 'completed', conclusion = 'timed_out', said_by = 'relay', completed_at_ms = 1800030000000
 WHERE status = 'in_progress';

UPDATE job SET counts = 0, commit_check = 'unknown' WHERE commit_check = 'unverified';
