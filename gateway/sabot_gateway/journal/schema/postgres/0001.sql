-- Version 1. The same tables as in SQLite, but for sections: here an index over (stream, position) costs little,
-- because the server logs an index entry as such and not the page it lies on.

-- A page with room to spare: this row changes with every commit, and stays on its page.
CREATE TABLE clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    first_id BIGINT NOT NULL, last_id BIGINT NOT NULL, statements BIGINT NOT NULL, probes BIGINT NOT NULL
)
WITH (fillfactor = 10);

INSERT INTO clock VALUES (1, 1, 0, 0, 0);

-- base_*: the head that retention left behind; where the stream's chain begins.
CREATE TABLE stream (
    id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    base_position BIGINT NOT NULL, base_hash BYTEA NOT NULL
);

-- One row per period in which one owner wrote one stream; the highest fence is the present one.
CREATE TABLE tenure (
    id BIGINT PRIMARY KEY, stream BIGINT NOT NULL, owner TEXT NOT NULL, fence BIGINT NOT NULL,
    UNIQUE (stream, fence)
);

CREATE TABLE record (
    id BIGINT PRIMARY KEY, stream BIGINT NOT NULL, tenure BIGINT NOT NULL, position BIGINT NOT NULL,
    kind SMALLINT NOT NULL, device_ms BIGINT, received_ms BIGINT NOT NULL, body BYTEA NOT NULL, hash BYTEA NOT NULL,
    UNIQUE (stream, position)
);

CREATE TABLE signer (id BIGINT PRIMARY KEY, public_key BYTEA NOT NULL UNIQUE);

CREATE TABLE statement (
    number BIGINT PRIMARY KEY, text TEXT NOT NULL, signer BIGINT NOT NULL, signature BYTEA NOT NULL
);

CREATE TABLE snapshot (
    stream BIGINT PRIMARY KEY, position BIGINT NOT NULL, hash BYTEA NOT NULL, made_ms BIGINT NOT NULL,
    body BYTEA NOT NULL, signer BIGINT NOT NULL, signature BYTEA NOT NULL
);

CREATE TABLE quarantine (id BIGINT PRIMARY KEY, reason TEXT NOT NULL);

CREATE INDEX quarantine_reason ON quarantine (reason, id);
