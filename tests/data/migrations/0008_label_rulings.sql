-- Rows as 0008 knows them: a label that was refused, and one that counts.
UPDATE pull_request
   SET label_rulings = '[["ciflow/crcr/npu",1800000012000,"may_not"],["bug",1800000011000,"may"]]'
 WHERE number = 7;
