"""`demo --serve`: the official run with the demo's class, handed in and graded already.

The service finds the results that the demo stored, as it finds those of any text that was graded
before: nothing is graded twice.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from grader.cli.serving import Asked, How, serve_course
from grader.judging.sample.classes import SampleClass
from grader.model.verdict import Verdict
from grader.service import desk, people
from grader.service.refused import Refused
from grader.service.serve import Reached, Ready
from grader.service.service import Service

_STAFF = "staff"
_NICKNAMES = (
    *("Amdahl", "Blelloch", "Brent", "Dijkstra", "Flynn", "Gustafson", "Hillis", "Kogge"),
    *("Lamport", "Valiant"),
)
_COURSE = """# Written by `demo --serve`.
name = "Demo course"
time_zone = "UTC"
students = {students}
staff = ["{staff}"]
"""
_LAB = """
[[labs]]
name = "{name}"
deadline = {deadline:%Y-%m-%d}
"""


def serve_demo(
    out: Path, classes: Mapping[str, SampleClass], kits: Sequence[Path], jobs: int | None
) -> None:
    """Serves until a signal comes; below `out` are the classes and their results."""
    data, course = out / "service", out / "course.toml"
    course.write_text(_course(classes), encoding="utf-8")
    for lab in classes:
        _share_results(out / lab / "results", data / "results" / lab)
    asked = Asked(course, data, Reached("127.0.0.1", 0), How("local", jobs, ()), tuple(kits))
    serve_course(asked, _ready(classes))


def _course(classes: Mapping[str, SampleClass]) -> str:
    students = sorted({student for each in classes.values() for student in each.samples})
    text = _COURSE.format(students=json.dumps(students), staff=_STAFF)
    deadline = datetime.now(UTC) + timedelta(days=7)
    return text + "".join(_LAB.format(name=lab, deadline=deadline) for lab in classes)


def _share_results(demo: Path, service: Path) -> None:
    service.parent.parent.mkdir(exist_ok=True, mode=0o700)
    service.parent.mkdir(exist_ok=True)
    if not service.is_symlink():
        service.symlink_to(demo.resolve(), target_is_directory=True)


def _ready(classes: Mapping[str, SampleClass]) -> Ready:
    def ready(service: Service, addresses: Sequence[str]) -> None:
        for lab, handed_in in classes.items():
            for student in handed_in.samples:
                _hand_in(service, lab, student, handed_in)
        if not people.tokens_of(service, _STAFF):  # later, whoever tries it may have chosen others
            for student, nickname in zip(service.course.students, _NICKNAMES, strict=False):
                people.set_nickname(service, student, nickname)
        _say(service, addresses[0], classes)

    return ready


def _hand_in(service: Service, lab: str, student: str, handed_in: SampleClass) -> None:
    content = handed_in.samples[student].read()
    key = hashlib.sha256(f"{lab} {student} ".encode() + content).hexdigest()[:32]
    try:
        desk.hand_in(service, student, lab, content, service.labs[lab].file, key)
    except Refused as refused:
        click.echo(f"note: {student} cannot hand in to {lab}: {refused.error}")


def _say(service: Service, address: str, classes: Mapping[str, SampleClass]) -> None:
    lab = next(iter(classes))
    student = _who_has_a_race(classes[lab])
    links = {
        f"student ({student})": _sign_in(service, address, student),
        "staff": _sign_in(service, address, _STAFF),
        "board (once signed in)": f"{address}/board/{lab}",
    }
    click.echo("The official run with this class; each sign-in link opens a page with a button:")
    for name, link in links.items():
        click.echo(f"  {name + ':':<24}{link}")
    click.echo("Ctrl-C ends it")


def _who_has_a_race(handed_in: SampleClass) -> str:
    """A student whose feedback shows evidence, or the first one."""
    students = handed_in.samples
    return next((s for s in students if students[s].expected is Verdict.DATA_RACE), min(students))


def _sign_in(service: Service, address: str, name: str) -> str:
    return f"{address}/sign-in/{people.new_token(service, name, 'demo')}"
