-- 0005_operator.sql
-- The same step as migrations/sqlite/0005_operator.sql, where its reasons stand.

CREATE TABLE suspension (
    downstream citext COLLATE "C" NOT NULL,
    upstream   citext COLLATE "C" NOT NULL,
    since_ms   bigint NOT NULL,
    until_ms   bigint,
    reason     text COLLATE "C" NOT NULL,
    actor      text COLLATE "C" NOT NULL,
    PRIMARY KEY (downstream, upstream)
);

CREATE TABLE pin (
    repo          citext COLLATE "C" PRIMARY KEY,
    repository_id bigint NOT NULL CHECK (repository_id > 0),
    owner_id      bigint NOT NULL CHECK (owner_id > 0),
    pinned_at_ms  bigint NOT NULL,
    actor         text COLLATE "C" NOT NULL
);

CREATE TABLE shadow (
    one      bigint PRIMARY KEY CHECK (one = 1),
    since_ms bigint NOT NULL
);

CREATE INDEX dispatch_unhappy ON dispatch (downstream, id) WHERE state IN ('failed', 'dead');

ALTER TABLE attempt DROP CONSTRAINT attempt_outcome_check;
ALTER TABLE attempt ADD CONSTRAINT attempt_outcome_check CHECK (outcome IN (
    'accepted', 'too_large', 'throttled', 'refused', 'unauthenticated', 'not_sent', 'unknown', 'withheld'));
