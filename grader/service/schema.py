"""The tables of the service's database."""

APPLICATION_ID = 0x6C616273
VERSION = 1

TABLES = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {VERSION};
CREATE TABLE people (
    name TEXT PRIMARY KEY,
    role TEXT NOT NULL CHECK (role IN ('student', 'staff')),
    nickname TEXT UNIQUE COLLATE NOCASE
) STRICT;
CREATE TABLE tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    person TEXT NOT NULL REFERENCES people (name),
    digest TEXT NOT NULL UNIQUE,
    made_at TEXT NOT NULL,
    made_by TEXT NOT NULL,
    revoked_at TEXT,
    used_at TEXT
) STRICT;
CREATE INDEX tokens_of ON tokens (person);
CREATE TABLE sessions (
    digest TEXT PRIMARY KEY,
    person TEXT NOT NULL REFERENCES people (name),
    token INTEGER REFERENCES tokens (id),
    csrf TEXT NOT NULL,
    made_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
) STRICT;
CREATE TABLE texts (digest TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT;
CREATE TABLE submissions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    person TEXT NOT NULL REFERENCES people (name),
    team TEXT NOT NULL,
    lab TEXT NOT NULL,
    digest TEXT NOT NULL REFERENCES texts (digest),
    received_at TEXT NOT NULL,
    client_key TEXT NOT NULL,
    file_name TEXT NOT NULL,
    same_as INTEGER REFERENCES submissions (number),
    round INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'grading', 'graded', 'judge_error')),
    phase TEXT,
    started_at TEXT,
    ended_at TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    not_before TEXT,
    again INTEGER NOT NULL DEFAULT 0,
    result TEXT,
    verdict TEXT,
    points REAL,
    max_points REAL,
    UNIQUE (person, client_key)
) STRICT;
CREATE INDEX submissions_of ON submissions (team, lab, received_at);
CREATE INDEX submissions_by_person ON submissions (person);
CREATE INDEX waiting ON submissions (round, again, number, id, lab, same_as, state)
    WHERE state = 'waiting';
CREATE INDEX grading ON submissions (number) WHERE state = 'grading';
CREATE INDEX graded ON submissions (lab, same_as IS NULL, ended_at, started_at)
    WHERE state = 'graded';
CREATE INDEX received ON submissions (received_at, team);
CREATE INDEX rounds ON submissions (team, round);
CREATE TABLE requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    submission INTEGER NOT NULL REFERENCES submissions (number),
    part TEXT NOT NULL,
    text TEXT NOT NULL,
    made_at TEXT NOT NULL,
    answer TEXT,
    answered_by TEXT,
    answered_at TEXT
) STRICT;
CREATE TABLE marks (
    lab TEXT NOT NULL,
    team TEXT NOT NULL,
    item TEXT NOT NULL,
    points REAL NOT NULL,
    comment TEXT NOT NULL DEFAULT '',
    by TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (lab, team, item)
) STRICT;
CREATE TABLE replays (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    submission INTEGER NOT NULL REFERENCES submissions (number),
    asked_by TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'waiting'
        CHECK (state IN ('waiting', 'running', 'done', 'failed')),
    found TEXT,
    ended_at TEXT
) STRICT;
CREATE TABLE graders (
    slot INTEGER PRIMARY KEY,
    pid INTEGER NOT NULL,
    submission INTEGER REFERENCES submissions (number),
    since TEXT NOT NULL,
    heartbeat TEXT NOT NULL
) STRICT;
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE log (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    who TEXT NOT NULL,
    what TEXT NOT NULL,
    about TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;
CREATE INDEX log_about ON log (about, number);
"""
