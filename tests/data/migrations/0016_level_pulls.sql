-- Rows as 0016 knows them: a proposal that was put before the keepers of the list.
INSERT INTO ladder_pull (move, repo, number, url, at_ms)
SELECT max(id), 'Up/Stream', 7, 'https://github.com/up/stream/pull/7', 1800057661000 FROM ladder_transition;
