-- 0008_label_rulings.sql
-- The same step as migrations/sqlite/0008_label_rulings.sql, where its reasons stand.

ALTER TABLE pull_request RENAME COLUMN refused_labels TO label_rulings;

UPDATE pull_request
   SET label_rulings = (SELECT '[' || string_agg('[' || label || ',' || updated_at_ms || ',"may_not"]', ',' ORDER BY place) || ']'
                          FROM json_array_elements(pull_request.label_rulings::json) WITH ORDINALITY AS refused (label, place))
 WHERE label_rulings <> '[]';
