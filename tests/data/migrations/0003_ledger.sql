-- Rows as 0003 knows them.
INSERT INTO ledger (at_ms, kind, delivery, dispatch, detail)
VALUES (1800000000500, 'planned', 'delivery-1', NULL, '{"decisions":[]}'),
       (1800000003000, 'failed', 'delivery-1', 7, 'GitHub said no'),
       (1800000004000, 'allowlist_in_force', '', NULL, 'Up/Stream from file:list.yml at 1');

INSERT INTO allowlist_version (upstream, source, mark, text, in_force_at_ms)
VALUES ('Up/Stream', 'file:list.yml', '1', 'L1: []', 1800000004000);

INSERT INTO signing_key (secret, created_at_ms) VALUES (x'00ff10', 1800000000000);
