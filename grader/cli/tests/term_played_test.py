"""A whole term, by the commands that an instructor types: release, hand-ins, grading on a cluster,
feedback, an appeal, a changed threshold, the term's table, exports, the next term's release."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.cli import places, release
from grader.cli.app import main
from grader.cli.options import GRADED
from grader.judging.executors.tests.cluster import Cluster, cluster, missing
from grader.judging.store import Store
from grader.model.verdict import Verdict
from grader.people.release.tests.fake_workspace import LABS, make_workspace
from grader.proof.fakes.fake_kit import GOOD, make_kit

STUDENTS = 30
ATTEMPTS = 3
LATE, SPLIT_A, SPLIT_B, APPEALING, ABSENT = "s03", "s10", "s11", "s05", "s29"
_BETWEEN = "// fake: timing SumATiming 2.4 2.5 2.6 between\n"
_WRONG = "// fake: tests SumATest wrong_answer expected 3, got 4\n"
_RACE = "// fake: races SumBTest data_race sum.cc:3\n"
_COURSE = f"""
name = "A term"
time_zone = "Europe/Berlin"
students = {json.dumps([f"s{i:02}" for i in range(STUDENTS)])}
handed_in = "handed_in.csv"
[late]
free_days = 0
accept_days = 3
penalty = 10
[[labs]]
name = "fake_sum"
results = {json.dumps([f"grades{i}" for i in range(ATTEMPTS)])}
deadline = 2026-10-23T23:59:59
counts = "last"
[[groups]]
name = "pair"
students = ["{SPLIT_A}", "{SPLIT_B}"]
"""


class Term:
    """One course's desk: its folders, and the commands typed at it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.kit = make_kit(folder)
        self._capsys = capsys
        self.said = ""

    def run(self, *arguments: object, code: int = GRADED) -> str:
        """Runs a command and returns what it printed on standard output."""
        ended = main([str(argument) for argument in arguments])
        captured = self._capsys.readouterr()
        assert ended == code, captured.out + captured.err
        return captured.out

    def grades(self, attempt: int) -> Path:
        return self.folder / f"grades{attempt}"

    def grading(self, attempt: int) -> list[str]:
        """The command that grades one attempt on the cluster."""
        return [
            *("grade", "--lab", "fake_sum", "--kit", str(self.kit), "--seed", "7"),
            *("--submissions", str(self.folder / f"attempt{attempt}")),
            *("--out", str(self.grades(attempt))),
            *("--executor", "slurm", "--spool", str(self.folder / "spool")),
        ]

    def verdicts(self, attempt: int) -> dict[str, Verdict]:
        with Store(self.grades(attempt), create=False) as store:
            return {result.student: result.verdict for result in store.results(texts=False)}

    def points(self) -> dict[str, float]:
        with Store(self.grades(ATTEMPTS - 1), create=False) as store:
            return {result.student: result.points for result in store.results(texts=False)}


def _text(number: int, attempt: int) -> str:
    """Students get better from attempt to attempt; two hand in a renamed copy of a third's."""
    if number in (7, 8):
        number = 6
    slips = _WRONG if number % 3 > attempt else _RACE if number % 5 > attempt + 2 else _BETWEEN
    return f"{GOOD}{slips}// version {attempt} of {number}\n"


def _hand_in(term: Term) -> None:
    """Every attempt, with its time; one student never does, one group member does for both."""
    with (term.folder / "handed_in.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["student", "lab", "attempt", "time"])
        for attempt in range(ATTEMPTS):
            for number in range(STUDENTS):
                name = f"s{number:02}"
                if name in (ABSENT, SPLIT_B):
                    continue
                path = term.folder / f"attempt{attempt}" / name / "sum.cc"
                path.parent.mkdir(parents=True)
                path.write_text(_text(number, attempt), encoding="utf-8")
                day = 24 if name == LATE and attempt == ATTEMPTS - 1 else 20 + attempt
                rows.writerow([name, "fake_sum", attempt + 1, f"2026-10-{day}T18:00:00"])


def _grade_with_a_crash(term: Term, attempt: int) -> None:
    """The grader is killed once some results are there; the same command goes on."""
    main_file = places.workspace() / "grader" / "main.py"
    environment = {k: v for k, v in os.environ.items() if k != "BUILD_WORKING_DIRECTORY"}
    first = subprocess.Popen(
        [sys.executable, str(main_file), *term.grading(attempt)],
        env=environment,
        stdout=subprocess.DEVNULL,
    )
    until = time.monotonic() + 300
    while not list(term.folder.glob("spool/*/results/*.json")):
        assert first.poll() is None
        assert time.monotonic() < until
        time.sleep(0.02)
    first.send_signal(signal.SIGKILL)
    first.wait()
    term.run(*term.grading(attempt))


def _raise_threshold(term: Term) -> None:
    """A new kit: slower programs get more of the points for time."""
    path = term.kit / "lab.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("zero = 3.5", "zero = 5.5"), "utf-8")
    manifest = json.loads((term.kit / "manifest.json").read_text(encoding="utf-8"))
    manifest["digest"] = "1" * 64
    (term.kit / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def _term_table(term: Term, *more: str) -> dict[str, dict[str, object]]:
    said = term.run("term", "--course", term.folder / "course.toml", "--json", *more)
    return {student["student"]: student["labs"][0] for student in json.loads(said)["students"]}


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "slurm"
    folder.mkdir()
    with cluster(folder) as made:
        yield made


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_a_term_is_played_from_release_to_release(
    tmp_path: Path,
    nodes: Cluster,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in {
        **nodes.environment,
        "TMPDIR": str(nodes.folder),
        "GRADER_LOCKS": str(nodes.folder),
    }.items():
        monkeypatch.setenv(name, value)
    term = Term(tmp_path, capsys)
    (tmp_path / "course.toml").write_text(_COURSE, encoding="utf-8")
    _hand_in(term)
    for attempt in range(ATTEMPTS):
        if attempt == 1:
            _grade_with_a_crash(term, attempt)
        else:
            term.run(*term.grading(attempt))
        verdicts = term.verdicts(attempt)
        assert len(verdicts) == STUDENTS - 2
        assert Verdict.JUDGE_ERROR not in verdicts.values()
    improved = [sum(v is Verdict.ACCEPTED for v in term.verdicts(i).values()) for i in range(3)]
    assert improved == sorted(improved)
    assert improved[0] < improved[2]
    last = term.grades(ATTEMPTS - 1)
    _hand_back(term, last)
    _appeal(term, last)
    before = _publish(term)
    _change_a_threshold(term, last, before)
    _export(term, last)


def _hand_back(term: Term, last: Path) -> None:
    pages = json.loads(term.run("feedback", "--out", last, "--json"))["pages"]
    assert len(pages) == STUDENTS - 2
    for page in map(Path, pages):
        text = page.read_text(encoding="utf-8")
        others = set(re.findall(r"\bs\d\d\b", text)) - {page.stem}
        assert not others, f"{page} names {others}"


def _appeal(term: Term, last: Path) -> None:
    explained = term.run("explain", "--out", last, "--student", APPEALING)
    assert f"{APPEALING} " in explained
    shutil.rmtree(term.folder / f"attempt{ATTEMPTS - 1}" / APPEALING)
    assert "nothing differs" in term.run("replay", "--out", last, "--student", APPEALING)


def _publish(term: Term) -> dict[str, dict[str, object]]:
    table = _term_table(term, "--publish")
    assert len(table) == STUDENTS
    assert table[ABSENT]["counted"] in (None, 0)
    assert table[SPLIT_A]["counted"] == table[SPLIT_B]["counted"]
    late = table[LATE]
    assert float(str(late["counted"])) == pytest.approx(float(str(late["raw"])) * 0.9)
    return table


def _change_a_threshold(term: Term, last: Path, before: dict[str, dict[str, object]]) -> None:
    old = term.points()
    _raise_threshold(term)
    regrade = ["regrade", "--lab", "fake_sum", "--kit", term.kit, "--out", last, "--json"]
    said = json.loads(term.run(*regrade))
    assert (said["computed"], said["graded_again"]) == (STUDENTS - 2, 0)
    assert term.points() == old
    term.run(*regrade, "--apply")
    new = term.points()
    gained = {name for name in old if new[name] > old[name]}
    assert gained
    assert all(new[name] >= old[name] for name in old)
    table = _term_table(term)
    for name in gained - {LATE, SPLIT_A}:
        assert table[name]["published"] == before[name]["counted"]
        assert float(str(table[name]["counted"])) > float(str(before[name]["counted"]))
    page = (last / "report" / "index.html").read_text(encoding="utf-8")
    assert "Changes since the last grading" in page


def _export(term: Term, last: Path) -> None:
    gradebook = term.folder / "gradebook.csv"
    rows = [
        "Student,ID,SIS Login ID,Section,Fake sum (7)",
        "    Points Possible,,,,100",
        *(f'"Doe, {number}",{number},s{number:02},A,' for number in range(STUDENTS)),
    ]
    gradebook.write_text("\n".join(rows) + "\n", encoding="utf-8")
    said = term.run("export", "--out", last, "--format", "canvas", "--gradebook", gradebook)
    assert f"filled in {STUDENTS - 2} of {STUDENTS} students' points" in said
    filled = ("--column", "Fake sum", "--to", term.folder / "filled.csv")
    said = term.run(
        *("term", "--course", term.folder / "course.toml", "--lab", "fake_sum"),
        *("--format", "canvas", "--gradebook", gradebook, *filled),
    )
    assert f"filled in {STUDENTS} of {STUDENTS} students' points" in said
    to = term.folder / "gradescope"
    term.run("export", "--out", last, "--format", "gradescope", "--to", to)
    assert len(list(to.rglob("*.json"))) == STUDENTS - 2


def test_the_students_copy_goes_from_term_to_term_and_keeps_their_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = make_workspace(tmp_path / "workspace")
    monkeypatch.setattr(release, "workspace", lambda: root)
    monkeypatch.setattr(release, "lab_names", lambda: list(LABS))
    term = Term(tmp_path, capsys)
    first, second = LABS
    term.run("release", "--out", tmp_path / "course", "--lab", first, "--no-proof")
    student = tmp_path / "student"
    shutil.copytree(tmp_path / "course", student)
    stub = student / "labs" / first / "sum.cc"
    stub.write_text("// my own work\n", encoding="utf-8")
    (student / "notes.txt").write_text("mine\n", encoding="utf-8")
    said = term.run("release", "--out", student, "--lab", second, "--no-proof")
    assert stub.name in said
    assert stub.read_text(encoding="utf-8") == "// my own work\n"
    assert (student / "notes.txt").read_text(encoding="utf-8") == "mine\n"
    assert (student / "labs" / second / "lab.toml").exists()
    assert not (student / "grader").exists()
    assert not (student / "solutions").exists()
