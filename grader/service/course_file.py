"""course.toml of a running service, whose changes take effect within seconds."""

import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from grader.model.errors import GraderError
from grader.people.course.course import Course, load_course

_LOOK_EVERY_S = 1.0
_QUIET_NS = 1_000_000_000
"""A file that was written just now may be half written."""


class CourseFile:
    """The course of the file, as of the last time that it could be read."""

    def __init__(self, course: Course, path: Path) -> None:
        self._course = course
        self._path = path
        self._read = self._stamp()
        self._looked = time.monotonic()
        self.problem: GraderError | None = None
        """Why the file is not followed now."""

    def course(self) -> Course:
        """Looks at the file once a second at most."""
        if time.monotonic() - self._looked > _LOOK_EVERY_S:
            self._looked = time.monotonic()
            stamp = self._stamp()
            if stamp != self._read and stamp and time.time_ns() - stamp[0] > _QUIET_NS:
                self._read = stamp
                self._reload()
        return self._course

    def _stamp(self) -> tuple[int, int, int] | None:
        """Differs after every change of the file; None where it is not there."""
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def _reload(self) -> None:
        when = datetime.now(UTC).isoformat(timespec="seconds")
        try:
            self._course, self.problem = load_course(self._path), None
            print(f"{when} read {self._path} again", file=sys.stderr, flush=True)
        except GraderError as error:
            self.problem = error
            print(f"{when} kept the course as it was: {error}", file=sys.stderr, flush=True)
