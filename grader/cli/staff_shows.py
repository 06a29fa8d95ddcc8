"""What the commands of `desk` show: what staff's pages show."""

from collections.abc import Sequence
from dataclasses import asdict

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grader.cli.staff_desk import Facts, require_lab, require_person, say, staff, translated
from grader.pages.presentation.text import one_line
from grader.pages.report.explanation import print_explanation
from grader.people.course.local_time import time_text
from grader.service import desk, marks, people, replays, requests
from grader.service import log as service_log
from grader.service.explanations import explanation
from grader.service.grading import control
from grader.service.hand_ins import term_so_far
from grader.service.overview import overview
from grader.service.service import Service
from grader.service.standing import table

_ID = "submission"
"""A column that is copied into the next command: it stays on one line."""


def _grid(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    grid = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for head in heads:
        grid.add_column(head, overflow="fold", no_wrap=head == _ID)
    for row in rows:
        grid.add_row(*(Text(one_line("–" if each is None else str(each))) for each in row))
    Console().print(grid)


def show_queue(service: Service, facts: Facts) -> None:
    zone, run = service.course.zone, overview(service)
    wish = control.wish(service)
    facts.update(wish=wish, **asdict(run))
    say(f"{wish}: {run.waiting} waiting, {run.grading} being graded")
    if run.queue:
        rows = [
            (
                "now" if each.state == "grading" else each.position,
                each.person,
                each.lab,
                time_text(each.received_at, zone),
                None if each.estimate_s is None else f"{each.estimate_s:.0f} s",
                each.id,
            )
            for each in run.queue
        ]
        _grid(("place", "who", "lab", "handed in", "verdict in", _ID), rows)
    for grader in run.graders:
        doing = "no sign of life" if grader.is_silent else grader.submission or "nothing to do"
        say(f"grader {grader.slot + 1}, process {grader.pid}: {doing}")
    for sign in run.signs:
        say(sign.what, f"  next: {sign.next}")


def show_person(service: Service, name: str, facts: Facts) -> None:
    require_person(service, name)
    zone = service.course.zone
    rows, tokens = desk.submissions_of(service, name), people.tokens_of(service, name)
    term = term_so_far(service, name, service.now())
    facts.update(
        person=name,
        term=asdict(term),
        submissions=[asdict(row) for row in rows],
        tokens=[asdict(token) for token in tokens],
    )
    shown = [
        (time_text(row.received_at, zone), row.lab, row.verdict or row.state, row.points, row.id)
        for row in rows
    ]
    _grid(("handed in", "lab", "verdict", "points", _ID), shown)
    for line in term.labs:
        say(one_line(f"{line.lab}: {line.why}"))
    for token in tokens:
        used = f"last used {time_text(token.used_at, zone)}" if token.used_at else "never used"
        state = "revoked" if token.revoked_at else used
        made = f"made {time_text(token.made_at, zone)} by {token.made_by}"
        say(one_line(f"token {token.id}: {made}, {state}"))


def show_class(service: Service, lab: str, facts: Facts) -> None:
    require_lab(service, lab)
    rows = table(service, lab)
    facts.update(lab=lab, students=[asdict(row) for row in rows])
    shown = [
        (row.student, row.verdict, row.points, row.line.counted, row.attempts, row.counted)
        for row in rows
    ]
    _grid(("student", "verdict", "automatic", "counted, %", "attempts", _ID), shown)


def show_submission(service: Service, submission: str, facts: Facts) -> None:
    with translated():
        row = desk.submission(service, submission, staff())
    result = desk.result_of(service, row)
    explained = explanation(service, result) if result else None
    given = marks.marks_of(service, row.lab, row.team)
    asked = requests.requests_of(service, row.id)
    replay_ = replays.last_of(service, row.number)
    others = [each.id for each in desk.same_text_by_others(service, row)]
    facts.update(
        submission=asdict(row),
        same_text_by_others=others,
        derivation=explained[0] if explained else None,
        provenance=explained[1] if explained else None,
        marks=[asdict(mark_) for mark_ in given],
        requests=[asdict(each) for each in asked],
        replay=asdict(replay_) if replay_ else None,
    )
    say(one_line(f"{row.lab}, {row.person}: {row.verdict or row.state}"))
    if others:
        say(f"other teams handed in the same text: {' '.join(others)}")
    if explained:
        print_explanation(*explained, Console())
    for each in given:
        points = "not marked" if each.points is None else f"{each.points} of {each.max_points}"
        say(one_line(f"{each.item}: {points} {each.comment}"))
    for request in asked:
        _print_request(request)
    if replay_:
        differing = [field.name for field in replay_.fields if not field.agrees]
        found = f"differs in {', '.join(differing)}" if differing else "nothing differs"
        state = found if replay_.state == "done" else replay_.state
        say(one_line(f"replay: {state} {' '.join(replay_.notes)}"))


def show_requests(service: Service, facts: Facts) -> None:
    waiting = requests.open_requests(service)
    facts["requests"] = [asdict(each) for each in waiting]
    for each in waiting:
        _print_request(each)
    if not waiting:
        say("no request waits for an answer")


def _print_request(each: requests.Request) -> None:
    about = f"{each.lab}, {each.part or 'the whole file'}, submission {each.submission_id}"
    say(f"{each.id}: {one_line(each.person)}, {about}", f"  {one_line(each.text)}")
    if each.answer is not None:
        say(f"  answer of {one_line(each.answered_by or '')}: {one_line(each.answer)}")


def show_log(
    service: Service, about: str | None, before: int | None, most: int, facts: Facts
) -> None:
    entries = service_log.entries(service.connect(), about, before, most)
    facts["entries"] = [asdict(entry) for entry in entries]
    zone = service.course.zone
    rows = [
        (entry.number, time_text(entry.at, zone), entry.who, entry.what, entry.about, entry.detail)
        for entry in entries
    ]
    _grid(("number", "when", "who", "what", "about", "detail"), rows)
