"""The database's tables, and how those of an older grader are brought up to date."""

import sqlite3

APPLICATION_ID = 0x47524144  # "GRAD"
SCHEMA = 2
OLDEST = 1
"""The oldest schema that is read."""

_RESULTS = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE results (
  id INTEGER PRIMARY KEY,
  kit TEXT NOT NULL, submission TEXT NOT NULL, seed INTEGER NOT NULL, machine TEXT NOT NULL,
  final INTEGER NOT NULL, body TEXT NOT NULL, diagnostics TEXT NOT NULL,
  UNIQUE (kit, submission, seed, machine));
CREATE TABLE students (
  student TEXT PRIMARY KEY, source TEXT NOT NULL,
  result INTEGER NOT NULL REFERENCES results (id)) WITHOUT ROWID
"""
_ARCHIVE = """
CREATE TABLE contents (digest TEXT PRIMARY KEY NOT NULL, packed BLOB NOT NULL);
CREATE TABLE kit_files (
  kit TEXT NOT NULL, place TEXT NOT NULL, digest TEXT NOT NULL REFERENCES contents (digest),
  PRIMARY KEY (kit, place)) WITHOUT ROWID;
CREATE TABLE earlier (
  id INTEGER PRIMARY KEY, student TEXT NOT NULL, source TEXT NOT NULL,
  body TEXT NOT NULL, diagnostics TEXT NOT NULL, replaced_at TEXT NOT NULL);
CREATE INDEX earlier_of_student ON earlier (student)
"""
_ADDED = {1: _RESULTS, 2: _ARCHIVE}
"""Schema -> what it added to the one before."""


def create_tables(database: sqlite3.Connection) -> None:
    """Makes the tables of an empty database. Call it in a transaction."""
    database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    migrate(database, 0)


def migrate(database: sqlite3.Connection, version: int) -> None:
    """Brings the tables of an older schema to SCHEMA. Call it in a transaction."""
    for number in range(version + 1, SCHEMA + 1):
        for statement in _ADDED[number].split(";"):
            database.execute(statement)
    database.execute(f"PRAGMA user_version = {SCHEMA}")
