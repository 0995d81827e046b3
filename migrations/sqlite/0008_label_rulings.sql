-- 0008_label_rulings.sql
-- Of each label that came or went: when, by GitHub's clock, and whether whoever set it may. A refusal of before is as old as the pull
-- request was then, so that anything newer overrules it.

ALTER TABLE pull_request RENAME COLUMN refused_labels TO label_rulings;

UPDATE pull_request
   SET label_rulings = (SELECT json_group_array(json_array(value, pull_request.updated_at_ms, 'may_not'))
                          FROM json_each(pull_request.label_rulings))
 WHERE label_rulings <> '[]';
