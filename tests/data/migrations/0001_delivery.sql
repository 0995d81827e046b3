-- Rows as 0001 knows them: planned and not, with and without a pull request.
INSERT INTO delivery (id, event, action, repository, pr_number, head_sha, received_at_ms, state, plan_at_ms, body_bytes)
VALUES ('delivery-1', 'pull_request', 'opened', 'Up/Stream', 7, 'aaaa', 1800000000000, 'planned', 0, 2),
       ('delivery-2', 'push', '', 'Up/Stream', NULL, 'bbbb', 1800000001000, 'to_plan', 1800000060000, 2),
       ('delivery-3', 'pull_request', 'synchronize', 'Up/Stream', 7, 'cccc', 1800000002000, 'to_plan', 0, 2);

-- "{}" as a zstd frame.
INSERT INTO delivery_body (sequence, zstd) SELECT sequence, x'28b52ffd20021100007b7d' FROM delivery;
