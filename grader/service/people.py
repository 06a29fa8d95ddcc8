"""Who may use the service: people of the course, their tokens, and their browsers' sessions.

Tokens and sessions are random secrets, of which the database has the SHA-256 alone.
"""

import base64
import hashlib
import re
import secrets
import sqlite3
import unicodedata
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from grader.service.database import text_of, time_of
from grader.service.refused import Refused
from grader.service.service import Change, Service

SESSION_LASTS = timedelta(days=14)
_USED_EVERY = timedelta(hours=1)
"""How exactly the last use of a token is known: not every request writes."""
_LONGEST_NICKNAME = 30
_MOST_SESSIONS = _MOST_TOKENS = 50
"""Of a person: nobody fills the disk, or a page."""


@dataclass(frozen=True)
class Person:
    """A student, or a member of staff."""

    name: str
    role: Literal["student", "staff"]
    nickname: str | None = None

    @property
    def is_staff(self) -> bool:
        return self.role == "staff"


@dataclass(frozen=True)
class Token:
    """A token as its owner and staff may see it."""

    id: int
    person: str
    made_at: datetime
    made_by: str
    revoked_at: datetime | None
    used_at: datetime | None


@dataclass(frozen=True)
class Session:
    """A browser that is signed in."""

    person: Person
    csrf: str


def secret() -> str:
    """130 random bits as 26 letters and digits, which nobody has to quote or escape."""
    return base64.b32encode(secrets.token_bytes(17)).decode().lower()[:26]


def digest_of(a_secret: str) -> str:
    return hashlib.sha256(a_secret.encode("utf-8", "surrogatepass")).hexdigest()


def enrol(service: Service) -> None:
    """Brings people and their roles in line with the course."""
    course = service.course
    students = {*course.students, *(name for group in course.groups for name in group.students)}
    wanted = dict.fromkeys(sorted(students), "student") | dict.fromkeys(course.staff, "staff")
    known = dict(service.connect().execute("SELECT name, role FROM people").fetchall())
    demoted = {name for name, role in known.items() if role == "staff" and name not in wanted}
    changed = {name: role for name, role in wanted.items() if known.get(name) != role}
    changed |= dict.fromkeys(demoted, "student")
    if not changed:
        return
    with service.change() as change:
        for name, role in changed.items():
            change.database.execute(
                "INSERT INTO people (name, role) VALUES (?, ?)"
                " ON CONFLICT (name) DO UPDATE SET role = excluded.role",
                (name, role),
            )
            change.log("course.toml", "role", name, role)


def person(service: Service, name: str) -> Person | None:
    """Someone of the course; None for others, also for those whom course.toml names no more."""
    query = "SELECT * FROM people WHERE name = ?"
    row = service.connect().execute(query, (name,)).fetchone()
    if row is None and name in (*service.course.students, *service.course.staff):
        enrol(service)  # course.toml has changed
        row = service.connect().execute(query, (name,)).fetchone()
    return None if row is None else _person(service, row)


def _person(service: Service, row: sqlite3.Row) -> Person | None:
    course = service.course
    if row["name"] in course.staff:
        role: Literal["student", "staff"] = "staff"
    elif not course.students or row["name"] in course.students:
        role = "student"
    else:
        return None
    return Person(row["name"], role, row["nickname"])


def new_token(service: Service, name: str, by: str) -> str:
    """A token for someone of the course, shown this once; Refused for others.

    Without a class list in course.toml, whoever gets a token is of the course.
    """
    known = service.course.students
    if known and name not in known and name not in service.course.staff:
        raise Refused(
            404,
            f"{name!r} is neither in students nor in staff of course.toml.",
            "Check the spelling, or add the name there.",
        )
    made = secret()
    with service.change() as change:
        if by == name:
            _require_few(change, name)
        role = "staff" if name in service.course.staff else "student"
        change.database.execute(
            "INSERT INTO people (name, role) VALUES (?, ?) ON CONFLICT DO NOTHING", (name, role)
        )
        change.database.execute(
            "INSERT INTO tokens (person, digest, made_at, made_by) VALUES (?, ?, ?, ?)",
            (name, digest_of(made), change.at_text, by),
        )
        change.log(by, "token made", name)
    return made


def _require_few(change: Change, name: str) -> None:
    """Refused for people who make token after token."""
    count = change.database.execute(
        "SELECT COUNT(*) FROM tokens WHERE person = ? AND revoked_at IS NULL", (name,)
    ).fetchone()[0]
    if count >= _MOST_TOKENS:
        raise Refused(409, f"You have {count} tokens.", "End those that you do not use, first.")


def tokens_of(service: Service, name: str) -> list[Token]:
    rows = service.connect().execute("SELECT * FROM tokens WHERE person = ? ORDER BY id", (name,))
    return [
        Token(
            row["id"],
            row["person"],
            datetime.fromisoformat(row["made_at"]),
            row["made_by"],
            time_of(row["revoked_at"]),
            time_of(row["used_at"]),
        )
        for row in rows
    ]


def revoke(service: Service, name: str, by: str, token: int | None = None) -> int:
    """Ends one of a person's tokens, or all, with their sessions; returns how many it ended."""
    with service.change() as change:
        rows = change.database.execute(
            "UPDATE tokens SET revoked_at = ?1 WHERE person = ?2 AND revoked_at IS NULL"
            " AND (?3 IS NULL OR id = ?3) RETURNING id",
            (change.at_text, name, token),
        ).fetchall()
        change.database.execute(
            "DELETE FROM sessions WHERE person = ?1 AND (?2 IS NULL OR token = ?2)", (name, token)
        )
        change.log(by, "tokens revoked", name, " ".join(str(row["id"]) for row in rows))
    return len(rows)


def person_by_token(service: Service, token: str) -> Person | None:
    """Whose token it is; None if it is nobody's, revoked, or of someone who left the course."""
    found = _token(service, token)
    if found is None:
        return None
    now = service.now()
    used = time_of(found["used_at"])
    if used is None or now - used > _USED_EVERY:
        # Reading goes on where nothing can be written, as on a full disk.
        with suppress(Refused), service.change() as change:
            change.database.execute(
                "UPDATE tokens SET used_at = ? WHERE id = ?", (change.at_text, found["id"])
            )
    return person(service, found["person"])


def _token(service: Service, token: str) -> sqlite3.Row | None:
    query = "SELECT * FROM tokens WHERE digest = ? AND revoked_at IS NULL"
    row: sqlite3.Row | None = service.connect().execute(query, (digest_of(token),)).fetchone()
    return row


def open_session(service: Service, name: str, token: str | None = None) -> tuple[str, Session]:
    """Signs a person's browser in; returns the session's secret, for its cookie.

    `token` is the one that proved who they are, and ends the session when it is revoked.
    """
    someone = person(service, name)
    made, csrf = secret(), secret()
    with service.change() as change:
        # Within the change: a token that is revoked meanwhile would leave its session open.
        found = _token(service, token) if token is not None else None
        if someone is None or (token is not None and (found is None or found["person"] != name)):
            raise invalid_link()
        expires = change.at + SESSION_LASTS
        change.database.execute("DELETE FROM sessions WHERE expires_at <= ?", (change.at_text,))
        proof = found["id"] if found else None
        row = (digest_of(made), name, proof, csrf, change.at_text, text_of(expires))
        change.database.execute("INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)", row)
        change.database.execute(
            "DELETE FROM sessions WHERE person = ?1 AND digest NOT IN (SELECT digest FROM sessions"
            " WHERE person = ?1 ORDER BY made_at DESC, rowid DESC LIMIT ?2)",
            (name, _MOST_SESSIONS),
        )
        change.log(name, "signed in", name)
    return made, Session(someone, csrf)


def session_of(service: Service, a_secret: str) -> Session | None:
    """The session with this secret; None if there is none, or it has expired."""
    query = "SELECT * FROM sessions WHERE digest = ?"
    row = service.connect().execute(query, (digest_of(a_secret),)).fetchone()
    if row is None or row["expires_at"] <= text_of(service.now()):
        return None
    someone = person(service, row["person"])
    return Session(someone, row["csrf"]) if someone else None


def invalid_link() -> Refused:
    """The one answer to a personal link that is nobody's, revoked, or another's."""
    return Refused(401, "This link is not valid any more.", "Ask the course staff for a new one.")


def close_session(service: Service, a_secret: str) -> None:
    """Signs a browser out."""
    with service.change() as change:
        row = change.database.execute(
            "DELETE FROM sessions WHERE digest = ? RETURNING person", (digest_of(a_secret),)
        ).fetchone()
        if row:
            change.log(row["person"], "signed out", row["person"])


def close_sessions(service: Service, name: str) -> None:
    """Signs a person out in all browsers."""
    with service.change() as change:
        change.database.execute("DELETE FROM sessions WHERE person = ?", (name,))
        change.log(name, "signed out everywhere", name)


def set_nickname(service: Service, name: str, nickname: str | None) -> None:
    """The name on the board; None: not on it. Refused if it is another's, or not readable."""
    if nickname is not None:
        nickname = re.sub(" +", " ", unicodedata.normalize("NFKC", nickname)).strip()
        if not 1 <= len(nickname) <= _LONGEST_NICKNAME or not nickname.isprintable():
            raise Refused(
                400,
                f"A nickname has 1 to {_LONGEST_NICKNAME} visible characters.",
                "Choose another one.",
            )
    with service.change() as change:
        if nickname is not None and _is_taken(change, name, nickname):
            raise Refused(409, "Someone else has this name.", "Choose another one.")
        change.database.execute("UPDATE people SET nickname = ? WHERE name = ?", (nickname, name))
        change.log(name, "nickname", name, nickname or "")


def _is_taken(change: Change, name: str, nickname: str) -> bool:
    """Also by the true name of someone else."""
    wanted = nickname.casefold()
    rows = change.database.execute("SELECT name, nickname FROM people WHERE name <> ?", (name,))
    return any(wanted in {str(text).casefold() for text in row if text} for row in rows)
