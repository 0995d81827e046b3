INSERT INTO benchmark (upstream, downstream, suite, name, unit, last_at_ms)
VALUES ('up/stream', 'a/one', 'models', 'resnet', 'ms', 1000);
INSERT INTO benchmark_value (benchmark, job, at_ms, value) SELECT 1, min(id), 1000, 12.5 FROM job;
INSERT INTO schedule_missed (upstream, downstream, due_ms) VALUES ('up/stream', 'a/one', 1000);
