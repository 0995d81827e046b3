-- Failed tests of one red job, over two pull requests' worth of hours and trunk, of which the first, the last, one between and the newest
-- on trunk are taken back.
INSERT INTO failed_test (job, place, cluster, upstream, downstream, pr_number, trunk, at_ms, test, message)
SELECT (SELECT min(job) FROM failed_test), 10 + hour, -7, 'Up/Stream', 'a/one', CASE WHEN hour % 3 <> 0 THEN 40 + hour % 2 END,
       CASE WHEN hour % 3 = 0 THEN 1 ELSE 0 END, 1800000000000 + hour * 3600000, CASE WHEN hour < 6 THEN 'early' ELSE 'late' END, 'boom'
  FROM (SELECT 1 AS hour UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8
        UNION SELECT 9 UNION SELECT 10 UNION SELECT 11) AS hours;

DELETE FROM failed_test WHERE place IN (11, 15, 19, 20, 21);
