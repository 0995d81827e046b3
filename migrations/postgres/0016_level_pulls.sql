-- 0016_level_pulls.sql
-- The same step as migrations/sqlite/0016_level_pulls.sql, where its reasons stand.

CREATE TABLE ladder_pull (
    move   bigint PRIMARY KEY REFERENCES ladder_transition (id),
    repo   citext COLLATE "C" NOT NULL,
    number bigint NOT NULL CHECK (number > 0),
    url    text COLLATE "C" NOT NULL CHECK (url <> ''),
    at_ms  bigint NOT NULL
);

CREATE FUNCTION news_of_ladder_pull() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO news (topic, upstream, pr_number, downstream)
    SELECT 'downstream', upstream, NULL, downstream FROM ladder_transition WHERE id = NEW.move;
    RETURN NULL;
END $$;
CREATE TRIGGER news_of_ladder_pull AFTER INSERT ON ladder_pull FOR EACH ROW EXECUTE FUNCTION news_of_ladder_pull();
