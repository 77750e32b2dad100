"""The tables of `views.db`: everything in them can be made again from the journal.

There are no migrations: whoever changes a column raises VERSION, and the file is built anew.
Law 7: what could tell a sealed card (the settlement of a running coup, cards counted) is in columns that the readers
give out only when they may; cards themselves stand here only as totals over many coups.
"""

from typing import Final

VERSION: Final = 2

TABLES: Final = """
CREATE TABLE progress (
    version INTEGER NOT NULL,
    last_id INTEGER NOT NULL,
    last_hash BLOB NOT NULL,
    unreadable INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE ruleset (
    sha256 TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    game TEXT NOT NULL,
    content TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE setup (
    stream TEXT PRIMARY KEY,
    content TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE sheet (
    stream TEXT PRIMARY KEY,
    content TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE coup (
    id INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    number INTEGER NOT NULL,
    game TEXT NOT NULL,
    ruleset TEXT NOT NULL,
    ruleset_sha256 TEXT NOT NULL,
    seance INTEGER NOT NULL,
    dealer TEXT NOT NULL,
    head TEXT NOT NULL,
    start_id INTEGER NOT NULL,
    start_position INTEGER NOT NULL,
    start_ms INTEGER NOT NULL,
    end_id INTEGER,
    end_position INTEGER,
    end_ms INTEGER,
    status TEXT NOT NULL,
    players TEXT NOT NULL,
    drop_cents INTEGER,
    win_cents INTEGER,
    rules TEXT NOT NULL DEFAULT '',
    by TEXT NOT NULL DEFAULT '',
    payment TEXT NOT NULL DEFAULT 'right',
    settled_ms INTEGER,
    paid_ms INTEGER
);
CREATE INDEX coup_number ON coup (stream, number);
CREATE INDEX coup_end ON coup (end_ms);
CREATE INDEX coup_start ON coup (start_ms);
CREATE TABLE spot (
    coup INTEGER NOT NULL,
    nth INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    spot TEXT NOT NULL,
    outcome TEXT NOT NULL,
    stake_cents INTEGER NOT NULL,
    net_cents INTEGER NOT NULL,
    rule TEXT NOT NULL,
    odds TEXT NOT NULL,
    payment TEXT NOT NULL DEFAULT 'right',
    PRIMARY KEY (coup, nth)
) WITHOUT ROWID;
CREATE TABLE alert (
    id INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    alert TEXT NOT NULL,
    code TEXT NOT NULL,
    severity TEXT NOT NULL,
    rank INTEGER NOT NULL,
    rule TEXT NOT NULL,
    seat INTEGER,
    spot TEXT,
    fr TEXT NOT NULL,
    en TEXT NOT NULL,
    evidence TEXT NOT NULL,
    holds TEXT NOT NULL,
    clears TEXT NOT NULL,
    coup INTEGER NOT NULL,
    dealer TEXT NOT NULL,
    count INTEGER NOT NULL,
    first_id INTEGER NOT NULL,
    last_id INTEGER NOT NULL,
    first_ms INTEGER NOT NULL,
    last_ms INTEGER NOT NULL,
    ended_how TEXT,
    ended_by TEXT,
    ended_ms INTEGER,
    is_open INTEGER NOT NULL,
    acknowledged_by TEXT NOT NULL DEFAULT '',
    assigned_to TEXT NOT NULL DEFAULT '',
    escalated_to TEXT NOT NULL DEFAULT '',
    cleared_by TEXT,
    cleared_reason TEXT,
    cleared_ms INTEGER
);
CREATE INDEX alert_known ON alert (stream, alert, id);
CREATE INDEX alert_queue ON alert (rank DESC, last_ms DESC, id DESC) WHERE is_open = 1;
CREATE INDEX alert_similar ON alert (stream, code, rank DESC, last_ms DESC, id DESC) WHERE is_open = 1;
CREATE INDEX alert_time ON alert (first_ms, id);
CREATE INDEX alert_coup ON alert (stream, coup);
CREATE TABLE review (
    id INTEGER PRIMARY KEY,
    alert INTEGER NOT NULL,
    record INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    by TEXT NOT NULL,
    "to" TEXT NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX review_alert ON review (alert, id);
CREATE TABLE staff_action (
    id INTEGER PRIMARY KEY,
    record INTEGER NOT NULL,
    stream TEXT NOT NULL,
    position INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    kind TEXT NOT NULL,
    by TEXT NOT NULL,
    coup INTEGER NOT NULL,
    fr TEXT NOT NULL,
    en TEXT NOT NULL,
    changes TEXT NOT NULL
);
CREATE INDEX staff_action_kind ON staff_action (kind, id);
CREATE INDEX staff_action_time ON staff_action (at_ms, id);
CREATE TABLE hour (
    stream TEXT NOT NULL,
    game TEXT NOT NULL,
    dealer TEXT NOT NULL,
    hour INTEGER NOT NULL,
    ruleset_sha256 TEXT NOT NULL,
    coups INTEGER NOT NULL DEFAULT 0,
    hands INTEGER NOT NULL DEFAULT 0,
    busy_ms INTEGER NOT NULL DEFAULT 0,
    drop_cents INTEGER NOT NULL DEFAULT 0,
    win_cents INTEGER NOT NULL DEFAULT 0,
    square_high INTEGER NOT NULL DEFAULT 0,
    square_low INTEGER NOT NULL DEFAULT 0,
    errors INTEGER NOT NULL DEFAULT 0,
    caught_cents INTEGER NOT NULL DEFAULT 0,
    cost_cents INTEGER NOT NULL DEFAULT 0,
    payments INTEGER NOT NULL DEFAULT 0,
    payment_ms INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (stream, hour, dealer, game, ruleset_sha256)
) WITHOUT ROWID;
CREATE INDEX hour_time ON hour (hour);
CREATE TABLE hour_bet (
    stream TEXT NOT NULL,
    game TEXT NOT NULL,
    dealer TEXT NOT NULL,
    hour INTEGER NOT NULL,
    ruleset_sha256 TEXT NOT NULL,
    spot TEXT NOT NULL,
    bets INTEGER NOT NULL,
    stake_cents INTEGER NOT NULL,
    net_cents INTEGER NOT NULL,
    PRIMARY KEY (stream, hour, dealer, game, ruleset_sha256, spot)
) WITHOUT ROWID;
CREATE INDEX hour_bet_time ON hour_bet (hour);
CREATE TABLE cards (
    stream TEXT NOT NULL,
    game TEXT NOT NULL,
    coups INTEGER NOT NULL,
    spread INTEGER NOT NULL,
    counts TEXT NOT NULL,
    waiting_coups INTEGER NOT NULL,
    waiting_spread INTEGER NOT NULL,
    waiting TEXT NOT NULL,
    PRIMARY KEY (stream, game)
) WITHOUT ROWID;
"""
