"""Whether the names in course.toml fit together: a misspelt one is found before it costs points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader.people.course.course import Course


def check_names(course: Course) -> None:
    """ValueError with the first name that does not fit."""
    _check_labs(course)
    _check_groups(course)
    _check_students(course)
    _check_staff(course)


def _check_labs(course: Course) -> None:
    labs = [lab.name for lab in course.labs]
    _once("labs", labs)
    named = [entry.lab for entry in course.extensions]
    named += [entry.lab for entry in course.extra_points]
    named += [entry.lab for entry in course.rubric]
    named += [name for group in course.groups for name in (group.first_lab, group.last_lab)]
    for name in named:
        if name is not None and name not in labs:
            raise ValueError(f"no lab is named {name!r}: there is {', '.join(labs)}")
    for lab in labs:
        _once(f"items of {lab}", [entry.item for entry in course.rubric if entry.lab == lab])


def _once(what: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two {what} are named {name!r}")


def _check_groups(course: Course) -> None:
    for lab in course.labs:
        seen: dict[str, str] = {}
        for group in course.groups_of(lab):
            for student in group.students:
                if student in seen:
                    raise ValueError(
                        f"{student!r} is in {seen[student]!r} and in {group.name!r} for {lab.name}"
                    )
                seen[student] = group.name


def _check_students(course: Course) -> None:
    if not course.students:
        return
    known = {*course.students, *(group.name for group in course.groups)}
    for entry in course.extensions:
        for student in entry.students:
            if student not in known:
                raise ValueError(f"extensions: {student!r} is not in students")
    others = [name for group in course.groups for name in group.students]
    for student in [*others, *(entry.student for entry in course.extra_points)]:
        if student not in course.students:
            raise ValueError(f"groups or extra_points: {student!r} is not in students")


def _check_staff(course: Course) -> None:
    """Who hands in and reads whose work is decided by these names alone."""
    members = {name for group in course.groups for name in group.students}
    students = {*course.students, *members}
    for group in course.groups:
        if group.name in students and group.name not in group.students:
            raise ValueError(f"groups: {group.name!r} is also a student, who is not in that group")
    for name in course.staff:
        if name in students or name in {group.name for group in course.groups}:
            raise ValueError(f"staff: {name!r} is also a student or a group")
