"""term.csv and term.json: the term's table for spreadsheets and scripts."""

import csv
import dataclasses
import json
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from grader.model.files import replacing
from grader.pages.export.csv_format import cell
from grader.people.course.course import Course
from grader.people.course.term import Line, Student

_LINE = [entry.name for entry in dataclasses.fields(Line) if entry.name != "lab"]


def write_term(table: list[Student], course: Course, at: datetime, folder: Path) -> list[Path]:
    """Writes both files into `folder`, each whole or not at all."""
    return [_write_csv(table, course, folder), _write_json(table, course, at, folder)]


def _write_csv(table: list[Student], course: Course, folder: Path) -> Path:
    path = folder / "term.csv"
    with replacing(path) as file:
        rows = csv.writer(file, lineterminator="\r\n")
        heads = [f"{lab.name}_{what}" for lab in course.labs for what in _LINE]
        first = ["student", "name", "total", "curved", "grade", "published_total", "late_days_left"]
        rows.writerow(map(cell, [*first, *heads]))
        for student in table:
            row = [
                cell(student.student),
                cell(student.name),
                *map(_text, (student.total, student.curved)),
                cell(student.grade or ""),
                *map(_text, (student.published_total, student.late_days_left)),
            ]
            for line in student.labs:
                row += [_text(getattr(line, what)) for what in _LINE]
            rows.writerow(row)
    return path


def _text(value: object) -> str:
    if isinstance(value, str):
        return cell(value)
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value is None else str(value)


def _write_json(table: list[Student], course: Course, at: datetime, folder: Path) -> Path:
    path = folder / "term.json"
    whole = {"schema": 1, **facts(table, course, at)}
    with replacing(path) as file:
        file.write(json.dumps(whole, ensure_ascii=False, indent=1) + "\n")
    return path


def facts(table: list[Student], course: Course, at: datetime) -> dict[str, Any]:
    """What term.json has below the number of its schema."""
    students = [dataclasses.asdict(student) for student in table]
    whole = {"course": course.name, "at": at.isoformat(), "students": students}
    plain: dict[str, Any] = json.loads(json.dumps(whole, default=_number))
    return plain


def _number(value: object) -> float:
    assert isinstance(value, Decimal)
    return float(value)
