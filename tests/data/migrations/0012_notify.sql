-- Rows as 0012 knows them: a receiver, who is on call, an incident that was told, and the letter about it that still waits.
INSERT INTO receiver (sink) VALUES ('notify:oncall');
INSERT INTO concern (upstream, downstream, level, oncalls) VALUES ('Up/Stream', 'a/one', 'L4', 'fay olga');
INSERT INTO notification (kind, upstream, downstream, level, oncalls, reason, evidence, by_hand, actor, since_ms, at_ms)
VALUES ('suspended', 'Up/Stream', 'a/one', 'L4', 'fay olga', 'silent', '{}', 0, 'baton', 1800000020000, 1800000020000);
INSERT INTO outbox (sink, lane, notification, body_bytes, zstd, created_at_ms, due_at_ms)
VALUES ('notify:oncall', 'a/one gate of up/stream', (SELECT max(id) FROM notification), 0, x'28b52ffd2000010000', 1800000020000, 1800000020000);
