"""Scores from the results folders, and hand-in times from a CSV file."""

import csv
import re
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

from grader.judging.collect import hand_in_times
from grader.judging.collect.shapes import is_marked_late
from grader.judging.store import FILE_NAME, Store
from grader.model.errors import GraderError
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.pages.export.people import Roster, match
from grader.pages.export.scores import Score
from grader.pages.presentation.facts import is_graded
from grader.people.course.course import Course, CourseLab
from grader.people.course.lateness import rounded
from grader.people.course.local_time import instants
from grader.people.course.moodle_times import worksheet_times
from grader.people.course.term import HandIn

_MAX_BYTES = 64 << 20
_WORKSHEET = ".csv"
_WITH_TIME = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*")
_WITH_OFFSET = re.compile(
    r"(?P<date>\d{4}-\d\d-\d\d)[ T](?P<time>\d\d:\d\d:\d\d(?:\.\d{1,6})?)\d*"
    r" ?(?P<zone>Z|UTC|[+-]\d\d:?\d\d)"
)
_SHAPE = "write the columns student,lab,attempt,time; attempt may be missing"

Times = dict[tuple[str, str, int], datetime]
"""By student, lab and attempt (from 1)."""


def read_hand_ins(course: Course, folder: Path) -> dict[str, dict[str, list[HandIn]]]:
    """Every graded hand-in by lab and student; labs without results are left out."""
    times = _downloaded_times(course, folder)
    written = read_times(course, folder / course.handed_in) if course.handed_in else {}
    found = {
        lab.name: _of_lab(lab, folder, _worksheet_times(course, lab, folder) | times | written)
        for lab in course.labs
    }
    return {name: students for name, students in found.items() if students is not None}


def _downloaded_times(course: Course, folder: Path) -> Times:
    """When students handed in, from Gradescope's downloads."""
    times: Times = {}
    for lab in course.labs:
        for attempt, name in enumerate(lab.submissions, 1):
            path = folder / name
            if path.suffix.casefold() == _WORKSHEET:
                continue
            for student, text in hand_in_times(path).items():
                times[student, lab.name, attempt] = _instant(text, f"{path}: {student!r}")
    return times


def _worksheet_times(course: Course, lab: CourseLab, folder: Path) -> Times:
    """When students handed in, from Moodle's worksheets; by the names that the results have."""
    times: Times = {}
    for attempt, (results, name) in enumerate(zip(lab.results, lab.submissions, strict=False), 1):
        path = folder / name
        if path.suffix.casefold() != _WORKSHEET:
            continue
        handed_in = worksheet_times(path, course.zone)
        at_row = {person.row: at for person, at in handed_in}
        roster = Roster([person for person, _ in handed_in])
        graded = _files(folder / results)
        found = match((who, roster.rows_of(Score(who, None, file))) for who, file in graded.items())
        for person, _ in handed_in:
            who = found.rows.get(person.row, person.name)
            times[who, lab.name, attempt] = at_row[person.row]
    return times


def _files(results: Path) -> dict[str, str]:
    """Each student's file, as it was found."""
    if not (results / FILE_NAME).exists():
        return {}
    with Store(results, create=False) as store:
        return {student: source for student, (source, _) in store.handed_in().items()}


def _instant(text: str, where: str) -> datetime:
    """Of a time with an offset, such as 2026-10-23 21:04:11.913270000 -07:00."""
    match = _WITH_OFFSET.fullmatch(text.strip())
    try:
        if match is None:
            raise ValueError(text)
        zone = match["zone"].replace("UTC", "Z")
        return datetime.fromisoformat(f"{match['date']}T{match['time']}{zone}").astimezone(UTC)
    except ValueError as error:
        raise GraderError(
            f"{where}: created_at {text[:80]!r} is no time with an offset",
            "write this student's time to handed_in.csv and leave the download out",
        ) from error


def without_results(course: Course, folder: Path) -> list[Path]:
    """Results folders of the course in which nothing was graded, or that are misspelt."""
    named = [folder / name for lab in course.labs for name in lab.results]
    return [place for place in named if not (place / FILE_NAME).exists()]


def _of_lab(lab: CourseLab, folder: Path, times: Times) -> dict[str, list[HandIn]] | None:
    places = [folder / name for name in lab.results]
    if not any((place / FILE_NAME).exists() for place in places):
        return None
    found: dict[str, list[HandIn]] = {}
    graded: set[tuple[str, int]] = set()
    for attempt, place in enumerate(places, 1):
        if not (place / FILE_NAME).exists():
            continue
        with Store(place, create=False) as store:
            for result in store.results(texts=False):
                at = times.get((result.student, lab.name, attempt))
                found.setdefault(result.student, []).append(_hand_in(result, at, attempt))
                graded.add((result.student, attempt))
    if not found:  # a run that was killed before it had found anybody
        return None
    for (student, name, attempt), at in sorted(times.items()):
        if name == lab.name and (student, attempt) not in graded:
            found.setdefault(student, []).append(HandIn(None, at))
    return found


def _hand_in(result: Result, at: datetime | None, attempt: int) -> HandIn:
    digest = f"{attempt} {result.key.submission}"
    late = is_marked_late(result.source)
    if not is_graded(result):
        waiting = result.verdict is Verdict.NOT_GRADED
        return HandIn(None, at, digest, result.source, result.name, waiting, late)
    percent = Decimal(repr(result.points)) * 100 / Decimal(repr(result.max_points))
    return HandIn(rounded(percent), at, digest, result.source, result.name, marked_late=late)


def read_times(course: Course, path: Path) -> Times:
    """The CSV file `handed_in`; of several rows for one attempt the latest time counts.

    A time without an offset is a local time of the course; of two instants it is the earlier one.
    """
    try:
        raw = path.read_bytes()
        if len(raw) > _MAX_BYTES:
            raise GraderError(f"{path} is larger than {_MAX_BYTES >> 20} MB", "split it")
        text = raw.decode("utf-8-sig")
        rows = csv.DictReader(text.splitlines(), strict=True)
        missing = {"student", "lab", "time"} - {*(rows.fieldnames or ())}
        if missing:
            raise GraderError(f"{path} has no column {', '.join(sorted(missing))}", _SHAPE)
        times: Times = {}
        for row in rows:
            key, at = _row(course, row, f"{path}:{rows.line_num}")
            times[key] = max(at, times.get(key, at))
    except OSError as error:
        raise GraderError(f"cannot read {path}: {error.strerror}", "check handed_in") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise GraderError(f"{path} is not CSV in UTF-8: {error}", "save it as such") from error
    return times


def _row(
    course: Course, row: dict[str, str | None], where: str
) -> tuple[tuple[str, str, int], datetime]:
    student, lab = (row["student"] or "").strip(), (row["lab"] or "").strip()
    labs = [entry.name for entry in course.labs]
    if lab not in labs:
        raise GraderError(f"{where}: no lab {lab!r} in the course", f"use {', '.join(labs)}")
    if not student:
        raise GraderError(f"{where}: no student", _SHAPE)
    attempt = (row.get("attempt") or "1").strip()
    if not re.fullmatch(r"[1-9]\d{0,3}", attempt):
        raise GraderError(f"{where}: attempt {attempt!r} is not 1, 2, …", "correct it")
    return (student, lab, int(attempt)), _time(course, (row["time"] or "").strip(), where)


def _time(course: Course, text: str, where: str) -> datetime:
    try:
        if not _WITH_TIME.fullmatch(text):
            raise ValueError(text)
        at = datetime.fromisoformat(text)
        if not 2000 <= at.year < 2200:
            raise ValueError(text)
    except ValueError as error:
        raise GraderError(
            f"{where}: {text!r} is not a time", "write it as 2026-10-23T23:59:59"
        ) from error
    return at.astimezone(UTC) if at.tzinfo else instants(at, course.zone)[0]
