-- Rows as 0011 knows them: a report that was refused, a note, and somebody who looks after a matter.
INSERT INTO refusal (downstream, reason, hour_ms, status, detail, delivery, first_at_ms, last_at_ms, n)
VALUES ('a/one', 'no matching dispatch record', 1799996400000, 400, 'nothing was dispatched', '', 1800000000000, 1800000001000, 3);
INSERT INTO note (about, subject, text, actor, at_ms) VALUES ('downstream', 'a/one', 'moves house', 'ann', 1800000000000);
INSERT INTO acknowledgement (key, at_ms, until_ms, actor, reason) VALUES ('dead', 1800000000000, 1800003600000, 'ann', 'mine');
