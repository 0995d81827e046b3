-- Rows as 0002 knows them: every state, a live lease, a marked one, attempts with and without an end.
INSERT INTO pull_request (upstream, number, head_sha, updated_at_ms, open, draft, labels, refused_labels, author, association,
                          approved, newest_forwarded, version)
VALUES ('Up/Stream', 7, 'cccc', 1800000002000, 1, 0, '["ciflow/crcr/npu"]', '["ciflow/crcr/gpu","say \"no\""]', 'alice', 'member', 1, 'delivery-3', 2);

INSERT INTO dispatch (delivery, downstream, generation, upstream, event_type, pr_number, head_sha, level, device, state,
                      reason, created_at_ms, due_at_ms)
SELECT 1, 'own/' || state, 0, 'Up/Stream', 'pull_request', 7, 'aaaa', 2, 'npu', state, 'listed at L2', 1800000000000,
       1800000000000
  FROM (SELECT name AS state FROM tally WHERE name NOT IN ('delivery', 'unknown_outcome')) AS states ORDER BY state;

UPDATE dispatch SET sent_at_ms = 1800000003000 WHERE state IN ('sent', 'started', 'finished');

INSERT INTO dispatch (delivery, downstream, generation, upstream, event_type, pr_number, head_sha, level, device, state,
                      reason, created_at_ms, due_at_ms, attempts, lease_holder, lease_until_ms, fence, mark, mark_reason)
VALUES (3, 'own/leased', 0, 'Up/Stream', 'pull_request', 7, 'cccc', 4, '', 'pending', 'listed at L4', 1800000002000,
        1800000002000, 1, 'relay-1', 1800000040000, 1, NULL, ''),
       (3, 'own/marked', 0, 'Up/Stream', 'pull_request', 7, 'cccc', 1, '', 'pending', 'listed at L1', 1800000002000,
        1800000002000, 2, 'relay-1', 1800000040000, 2, 'cancelled', 'left the list');

INSERT INTO attempt (dispatch, number, holder, started_at_ms, ended_at_ms, outcome, status, detail)
SELECT id, 1, 'relay-1', 1800000002500, 1800000003000, 'accepted', 204, '' FROM dispatch WHERE sent_at_ms IS NOT NULL;
INSERT INTO attempt (dispatch, number, holder, started_at_ms) SELECT id, attempts, 'relay-1', 1800000010000
  FROM dispatch WHERE lease_until_ms > 0;
