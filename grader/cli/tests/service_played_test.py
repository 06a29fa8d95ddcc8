"""A term through the service: hand-ins, gradings, a marker, a request, a replay, a changed lab, the
term's table and gradebooks, all by the commands that staff type."""

import csv
import json
import re
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from grader.cli.app import main
from grader.cli.options import GRADED, UNSETTLED
from grader.model.manifest import Kit, load_kit
from grader.proof.fakes.fake_kit import GOOD
from grader.service import desk, people, requests
from grader.service.grading.tests.official import RACY, WRONG, Official

BETWEEN = f"{GOOD}// fake: timing SumATiming 2.4 2.5 2.6 between\n"
_COURSE = """
[hand_in]
data = "data"
[[rubric]]
lab = "fake_sum"
item = "style"
points = 10
text = "Names, structure, comments"
"""
_GRADEBOOK = (
    "Student,ID,SIS Login ID,Section,fake_sum (1)\n"
    "    Points Possible,,,,100\n"
    "Ada,1,ada,A,\nBen,2,ben,A,\nCleo,3,cleo,A,\n"
)


@dataclass
class Term:
    """A course, its grading process, and the commands typed beside it."""

    official: Official
    capsys: pytest.CaptureFixture[str]

    def run(self, *words: object, code: int = GRADED) -> str:
        self.capsys.readouterr()
        ended = main([str(word) for word in words])
        captured = self.capsys.readouterr()
        assert ended == code, captured.out + captured.err
        return captured.out

    def desk(self, *words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(
            self.run("desk", *words, "--course", self.official.course, "--json")
        )
        return found

    def table(self, *more: str, code: int = GRADED) -> dict[str, dict[str, Any]]:
        said = self.run("term", "--course", self.official.course, "--json", *more, code=code)
        return {student["student"]: student["labs"][0] for student in json.loads(said)["students"]}

    def counted(self, *more: str) -> dict[str, Decimal]:
        return {name: Decimal(str(line["counted"])) for name, line in self.table(*more).items()}


def _hand_in(term: Term, texts: Sequence[tuple[str, str]]) -> list[str]:
    return [term.official.hand_in(person, text) for person, text in texts]


def test_a_term_is_played_through_the_service(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRADER_LOCKS", str(tmp_path))
    term = Term(Official(tmp_path, more=_COURSE), capsys)
    official = term.official
    official.clock.move(days=(datetime.now(UTC) - official.clock()) / timedelta(days=1))
    _set_deadline(term, datetime.now(UTC) + timedelta(hours=1))
    _, racy, _ = _hand_in(term, [("ada", WRONG), ("cleo", RACY), ("ben", BETWEEN)])
    assert {line["status"] for line in term.table(code=UNSETTLED).values()} == {"not_graded"}
    official.grade()
    assert official.verdicts() == ["wrong_answer", "data_race", "accepted"]
    _mark(term)
    _appeal(term, racy)
    _set_deadline(term, datetime.now(UTC))
    time.sleep(1.1)  # the deadline's last second is in time
    _hand_in(term, [("cleo", f"{GOOD}// on a second thought\n")])
    official.grade()
    _publish(term)
    _change_the_lab(term)
    _export(term)


def _set_deadline(term: Term, at: datetime) -> None:
    """Commands take the machine's time, so it is the deadline that moves."""
    path = term.official.course
    text = re.sub("deadline = .*", f"deadline = {at:%Y-%m-%dT%H:%M:%SZ}", path.read_text())
    path.write_text(text)
    term.official.service = term.official.another_service()


def _mark(term: Term) -> None:
    """Who is not marked is open; a group is marked once."""
    term.desk("mark", "fake_sum", "cleo", "style=5")
    table = term.table(code=UNSETTLED)
    assert [table[name]["status"] for name in ("ada", "ben", "cleo")] == [
        "not_marked",
        "not_marked",
        "on_time",
    ]
    term.desk("mark", "fake_sum", "pair", "style=10", "--comment", "style=A pleasure to read")
    assert term.table()["ada"]["counted"] == term.table()["ben"]["counted"]


def _appeal(term: Term, racy: str) -> None:
    """A student asks, staff repeat the grading and answer."""
    service = term.official.service
    cleo = people.person(service, "cleo")
    assert cleo
    requests.ask(service, cleo, racy, "SumB", "There is no race.", ["SumA", "SumB"])
    term.desk("replay", racy)
    with term.official.grading():
        term.official.wait_for(
            lambda: term.desk("submission", racy)["replay"]["state"] not in ("waiting", "running")
        )
        term.desk("drain")
    term.desk("resume")
    replay = term.desk("submission", racy)["replay"]
    assert replay["state"] == "done", replay
    assert all(field["agrees"] for field in replay["fields"])
    (asked,) = term.desk("requests")["requests"]
    term.desk("answer", str(asked["id"]), "sum.cc:3 is written by two threads.")
    assert term.desk("requests")["requests"] == []


def _publish(term: Term) -> None:
    """The late hand-in counts less its penalty, if that is more than the one in time."""
    line = term.table("--publish")["cleo"]
    assert (line["status"], line["raw"]) == ("late", pytest.approx(95.45))
    assert line["penalty"] == pytest.approx(19.09)
    assert line["counted"] == pytest.approx(76.36)
    said = term.run("term", "--course", term.official.course, "--student", "cleo")
    assert "The best of 2 hand-ins." in said


def _change_the_lab(term: Term) -> None:
    """Slower programs get more points with a new kit: what counts is graded again."""
    official, before = term.official, term.counted()
    official.kit = _kinder(official)
    _recompute(term)
    assert len(term.desk("regrade", "--lab", "fake_sum")["waiting"]) == 2
    assert term.counted() == before  # until the new verdicts are there
    official.grade()
    assert not (official.kit.root / "log").exists()  # what was computed is not run
    after = term.table()
    assert after["ben"]["counted"] > before["ben"]
    assert after["ben"]["published"] == pytest.approx(float(before["ben"]))
    assert Decimal(str(after["cleo"]["counted"])) == before["cleo"]
    number = desk.submissions_of(official.service, "ben")[0].id
    whats = [entry["what"] for entry in term.desk("log", "--about", number)["entries"]]
    assert whats.count("graded") == 2


def _kinder(official: Official) -> Kit:
    """A new kit, which gives slower programs more points."""
    root = official.data / "new" / official.kit.root.name
    shutil.copytree(official.kit.root, root, ignore=shutil.ignore_patterns("log"))
    lab, manifest = root / "lab.toml", root / "manifest.json"
    lab.write_text(lab.read_text(encoding="utf-8").replace("zero = 3.5", "zero = 5.5"), "utf-8")
    facts = json.loads(manifest.read_text(encoding="utf-8"))
    manifest.write_text(json.dumps({**facts, "digest": "1" * 64}), encoding="utf-8")
    return load_kit(root)


def _recompute(term: Term) -> None:
    """From stored measurements, as these decide by the new threshold, too."""
    kit, results = term.official.kit.root, term.official.data / "results" / "fake_sum"
    regrade = ("regrade", "--lab", "fake_sum", "--kit", kit, "--out", results, "--apply", "--json")
    said = json.loads(term.run(*regrade))
    assert (said["computed"], said["graded_again"]) == (2, 0)
    assert [change["student"] for change in said["changes"]] == ["pair"]


def _export(term: Term) -> None:
    book, filled = term.official.course.with_name("book.csv"), term.official.data / "filled.csv"
    book.write_text(_GRADEBOOK, encoding="utf-8")
    term.run(
        *("term", "--course", term.official.course, "--lab", "fake_sum"),
        *("--format", "canvas", "--gradebook", book, "--to", filled),
    )
    with filled.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[2:]
    counted = term.counted()
    assert {row[2]: Decimal(row[4]) for row in rows} == counted
    to = term.official.data / "scores.csv"
    results = term.official.data / "results" / "fake_sum"
    term.run("export", "--out", results, "--format", "csv", "--to", to)
    with to.open(encoding="utf-8", newline="") as file:
        teams = {row["student"]: row["verdict"] for row in csv.DictReader(file)}
    assert teams == {"pair": "accepted", "cleo": "accepted"}
