-- Version 1. STRICT: a value of another type than its column's cannot be stored.

CREATE TABLE clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    first_id INTEGER NOT NULL, last_id INTEGER NOT NULL, statements INTEGER NOT NULL, probes INTEGER NOT NULL
) STRICT;

INSERT INTO clock VALUES (1, 1, 0, 0, 0);

-- base_*: the head that retention left behind; where the stream's chain begins.
CREATE TABLE stream (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
    base_position INTEGER NOT NULL, base_hash BLOB NOT NULL
) STRICT;

-- One row per period in which one owner wrote one stream; the highest fence is the present one.
CREATE TABLE tenure (
    id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, owner TEXT NOT NULL, fence INTEGER NOT NULL,
    UNIQUE (stream, fence)
) STRICT;

-- No index over (stream, position): with a thousand tables each commit would write as many pages of it as it holds
-- records, which costs five times the records themselves. Directories of sections take its place.
CREATE TABLE record (
    id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, tenure INTEGER NOT NULL, position INTEGER NOT NULL,
    kind INTEGER NOT NULL, device_ms INTEGER, received_ms INTEGER NOT NULL, body BLOB NOT NULL, hash BLOB NOT NULL
) STRICT;

CREATE TABLE layout (one INTEGER PRIMARY KEY CHECK (one = 1), section_size INTEGER NOT NULL) STRICT;

CREATE TABLE section (number INTEGER PRIMARY KEY, directory BLOB NOT NULL) STRICT;

CREATE TABLE signer (id INTEGER PRIMARY KEY, public_key BLOB NOT NULL UNIQUE) STRICT;

CREATE TABLE statement (
    number INTEGER PRIMARY KEY, text TEXT NOT NULL, signer INTEGER NOT NULL, signature BLOB NOT NULL
) STRICT;

CREATE TABLE snapshot (
    stream INTEGER PRIMARY KEY, position INTEGER NOT NULL, hash BLOB NOT NULL, made_ms INTEGER NOT NULL,
    body BLOB NOT NULL, signer INTEGER NOT NULL, signature BLOB NOT NULL
) STRICT;

CREATE TABLE quarantine (id INTEGER PRIMARY KEY, reason TEXT NOT NULL) STRICT;

CREATE INDEX quarantine_reason ON quarantine (reason, id);
