-- 0004_recovery.sql
-- The same step as migrations/sqlite/0004_recovery.sql, where its reasons stand.

CREATE TABLE hook (
    delivery    text COLLATE "C" PRIMARY KEY CHECK (delivery <> ''),
    event       text COLLATE "C" NOT NULL,
    action      text COLLATE "C" NOT NULL,
    first_at_ms bigint NOT NULL,
    try_id      bigint NOT NULL,
    try_at_ms   bigint NOT NULL,
    status      bigint NOT NULL,
    redelivery  bigint NOT NULL CHECK (redelivery IN (0, 1)),
    concerns    bigint NOT NULL CHECK (concerns IN (0, 1)),
    asked       bigint NOT NULL DEFAULT 0 CHECK (asked >= 0),
    asked_at_ms bigint,
    arrived     bigint NOT NULL DEFAULT 0 CHECK (arrived IN (0, 1))
);

CREATE INDEX hook_astray ON hook (asked, first_at_ms)
    WHERE arrived = 0 AND concerns = 1 AND (status < 200 OR status > 201);
CREATE INDEX hook_of_day ON hook (first_at_ms);

CREATE FUNCTION hook_came_late() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE hook SET arrived = 1 WHERE delivery = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER hook_came_late AFTER INSERT ON delivery FOR EACH ROW EXECUTE FUNCTION hook_came_late();

CREATE FUNCTION hook_is_there() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE hook SET arrived = 1
     WHERE delivery = NEW.delivery AND EXISTS (SELECT 1 FROM delivery WHERE id = NEW.delivery);
    RETURN NULL;
END $$;
CREATE TRIGGER hook_is_there AFTER INSERT ON hook FOR EACH ROW EXECUTE FUNCTION hook_is_there();

CREATE TABLE walk (
    "only"      bigint PRIMARY KEY CHECK ("only" = 1),
    born_ms     bigint NOT NULL,
    until_ms    bigint NOT NULL,
    ended_at_ms bigint NOT NULL
);

CREATE TABLE accounted_day (
    from_ms bigint PRIMARY KEY
);

CREATE INDEX pull_request_open ON pull_request (upstream, number) WHERE open = 1;
