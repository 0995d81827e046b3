-- Rows as 0005 knows them: a suspension of each kind, a pin, a shadow's time, an attempt that was withheld.
INSERT INTO suspension (downstream, upstream, since_ms, until_ms, reason, actor)
VALUES ('own/pending', '', 1800000005000, NULL, 'new racks', 'alice'),
       ('own/sent', 'Up/Stream', 1800000005000, 1800003600000, 'too noisy', 'alice');

INSERT INTO pin (repo, repository_id, owner_id, pinned_at_ms, actor) VALUES ('own/sent', 11, 12, 1800000005000, 'alice');

INSERT INTO shadow (one, since_ms) VALUES (1, 1800000005000);

INSERT INTO attempt (dispatch, number, holder, started_at_ms, ended_at_ms, outcome, status, detail)
SELECT id, 1, 'relay-1', 1800000002500, 1800000003000, 'withheld', 0, 'shadow: not sent' FROM dispatch WHERE state = 'cancelled';
