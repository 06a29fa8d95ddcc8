"""What graders note about a class between runs: texts by name, kept beside the results."""

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path

from grader.judging.store.opening import transaction, translated

NAMES = "names"
"""Student -> name, where the platform's own key is a number."""
CHOSEN = "chosen"
"""Student -> which file was graded, where it has not the lab's name or lay in an archive."""
CORRECTED = "corrected"
"""Student -> the file that was graded by hand, from another folder than the class's."""
CLASS = "class"
"""The class's folder and how many submissions it held."""


class Notes:
    """The notes of one open database."""

    def __init__(self, database: sqlite3.Connection, path: Path) -> None:
        self._database = database
        self._path = path
        self._known: dict[str, dict[str, str]] = {}

    def read(self, topic: str) -> dict[str, str]:
        """Empty if nothing was noted."""
        if topic not in self._known:
            with translated(self._path):
                query = "SELECT value FROM facts WHERE name = ?"
                row = self._database.execute(query, (_key(topic),)).fetchone()
            self._known[topic] = {} if row is None else dict(json.loads(row[0]))
        return self._known[topic]

    def write(self, topic: str, notes: Mapping[str, str]) -> None:
        """Replaces a topic's notes, unless they are the same."""
        if notes == self.read(topic):
            return
        with translated(self._path), transaction(self._database):
            row = (_key(topic), json.dumps(notes, ensure_ascii=False))
            self._database.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", row)
        self._known[topic] = dict(notes)


def _key(topic: str) -> str:
    return f"notes of {topic}"
