-- Rows as 0014 knows them: a day, what was said of it, a downstream that was lowered, the move that did it, and a person's word.
INSERT INTO ladder_day (upstream, downstream, day_ms, revision, counts, digest) VALUES ('Up/Stream', 'a/one', 1799971200000, 1, '{}', 'd1');
INSERT INTO ladder_evaluation (upstream, downstream, as_of_ms, revision, profile, digest, at_ms, verdict_bytes, zstd)
VALUES ('Up/Stream', 'a/one', 1800057600000, 1, 'baton/1', 'd1', 1800057660000, 0, x'28b52ffd2000010000');
INSERT INTO ladder_standing (upstream, downstream, listed, effective, state, since_ms, as_of_ms, detail)
VALUES ('Up/Stream', 'a/one', 4, 3, 'temporary', 1800057600000, 1800057600000, '{}');
INSERT INTO ladder_transition (upstream, downstream, at_ms, as_of_ms, move, from_state, to_state, from_level, to_level, rules, reason,
                               figures, profile, digest, actor)
VALUES ('Up/Stream', 'a/one', 1800057660000, 1800057600000, 'demoted', 'watch', 'temporary', 4, 3, '["d.pass_adj"]', 'it fails',
        '[]', 'baton/1', 'd1', 'baton');
INSERT INTO ladder_ruling (dispatch, workflow, job, excluded, actor, reason, at_ms)
SELECT min(id), 'ci', 'test', 1, 'olga', 'the racks moved', 1800057660000 FROM dispatch;
UPDATE pull_request SET closed_at_ms = updated_at_ms, merged_at_ms = updated_at_ms WHERE open = 0;
