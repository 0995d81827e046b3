-- Rows as 0018 knows them: a rehearsal, and somebody on call for two downstreams who answered on a pull request.
INSERT INTO rehearsal (dispatch, started_at_ms, ended_at_ms, reports)
SELECT min(id), 1800057662000, 1800057663000, 2 FROM dispatch;
INSERT INTO oncall_answer (upstream, at_ms, downstream, pr_number)
VALUES ('Up/Stream', 1800057662000, 'a/one', 7), ('Up/Stream', 1800057662000, 'B/Two', 7);
