-- Failed tests of one red job, over two pull requests' worth of hours and trunk, of which the first, the last, one between and the newest
-- on trunk are taken back.
INSERT INTO failed_test (job, place, cluster, upstream, downstream, pr_number, trunk, at_ms, test, message)
SELECT (SELECT min(job) FROM failed_test), 10 + hour, -7, 'Up/Stream', 'a/one', iif(hour % 3 = 0, NULL, 40 + hour % 2), hour % 3 = 0,
       1800000000000 + hour * 3600000, iif(hour < 6, 'early', 'late'), 'boom'
  FROM (SELECT 1 AS hour UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8
        UNION SELECT 9 UNION SELECT 10 UNION SELECT 11);

DELETE FROM failed_test WHERE place IN (11, 15, 19, 20, 21);
