-- Rows as 0007 knows them: a branch, looks due, put off and over, postings in every state, re-runs waiting and over, a gate
-- suspension of each kind.
UPDATE dispatch SET ref = 'main' WHERE state = 'finished';

INSERT INTO look (upstream, pr_number, head_sha, version, first_at_ms, due_at_ms)
VALUES ('Up/Stream', 7, 'aaaa', 1, 1800000011000, 1800000011000),
       ('Up/Stream', 7, 'bbbb', 3, 1800000011000, 1800003600000),
       ('Up/Stream', 0, 'qqqq', 2, 1800000011000, NULL);

INSERT INTO posting (upstream, pr_number, head_sha, kind, name, gate, external_id, details_url, status, conclusion, started_at_ms,
                     completed_at_ms, title, summary, text, version, state, github_id, perhaps_there, calls, trouble, attempts,
                     wanted_since_ms, due_at_ms, lease_holder, lease_until_ms, fence)
VALUES ('Up/Stream', 7, 'aaaa', 'check', 'crcr/gate', 1, '', '', 'queued', NULL, NULL, NULL, 'waits', 'for two', '', 1, 'waiting',
        NULL, 1, 0, '', 1, 1800000011000, 1800000041000, 'relay-1', 1800000041000, 1),
       ('Up/Stream', 7, 'bbbb', 'check', 'crcr/own/sent/ci/test', 0, '101:7', 'https://ci.example/101', 'completed', 'success',
        1800000004000, 1800000009000, 'passed', 'all of it', '', 2, 'in_step', 4711, 0, 2, '', 0, 1800000011000, NULL, '', 0, 2),
       ('Up/Stream', 0, 'qqqq', 'check', 'crcr/gate', 1, '', '', 'completed', 'failure', NULL, 1800000012000, 'red', 'one', '', 1,
        'given_up', NULL, 0, 1, 'GitHub said no', 0, 1800000011000, NULL, '', 0, 1),
       ('Up/Stream', 7, '', 'comment', 'summary', 0, '', '', 'queued', NULL, NULL, NULL, '', '', 'all **well**', 1, 'waiting',
        NULL, 0, 0, '', 0, 1800000011000, 1800000011000, '', 0, 0);

INSERT INTO rerun (key, delivery, upstream, pr_number, head_sha, downstream, run_id, scope, cause, actor, state, created_at_ms,
                   ended_at_ms, detail, attempts, due_at_ms, lease_holder, lease_until_ms, fence)
VALUES ('d1 own/sent', 'd1', 'Up/Stream', 7, 'aaaa', 'own/sent', '101', 'failed', 'person', 'alice', 'waiting', 1800000011000,
        NULL, '', 0, 1800000011000, '', 0, 0),
       ('run 102', '', 'Up/Stream', 7, '', 'own/sent', '', 'all', 'infrastructure', '', 'asked', 1800000011000, 1800000012000,
        'GitHub runs it again', 1, NULL, '', 0, 1);

INSERT INTO gate_suspension (upstream, downstream, since_ms, reason, evidence, by_hand, actor)
VALUES ('Up/Stream', 'own/sent', 1800000011000, 'silent on 3 pull requests', '{"runs":["101"]}', 0, ''),
       ('Up/Stream', 'own/pending', 1800000011000, 'maintenance', '', 1, 'alice');
