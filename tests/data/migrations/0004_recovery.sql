-- Rows as 0004 knows them.
INSERT INTO hook
    (delivery, event, action, first_at_ms, try_id, try_at_ms, status, redelivery, concerns, asked, asked_at_ms)
VALUES ('delivery-1', 'pull_request', 'opened', 1800000000000, 11, 1800000000000, 202, 0, 1, 0, NULL),
       ('never-came', 'push', '', 1800000001000, 13, 1800000002000, 502, 1, 1, 2, 1800000001500);

INSERT INTO walk ("only", born_ms, until_ms, ended_at_ms) VALUES (1, 1800000000000, 1800000002000, 1800000003000);

INSERT INTO accounted_day (from_ms) VALUES (1799971200000);
