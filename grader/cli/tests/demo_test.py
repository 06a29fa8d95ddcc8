"""The demo: its samples, its table, and what counts as a failure."""

import io
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from itertools import takewhile
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from rich.console import Console

from grader.cli import places
from grader.cli.app import main
from grader.cli.demo import Demo, grade_samples
from grader.cli.options import BAD_INPUT, GRADED
from grader.proof.fakes.fake_kit import GOOD, make_kit

SAMPLES = {
    "accepted/right": GOOD,
    "accepted/right_in_another_way": f"{GOOD}// 2\n",
    "wrong_answer/a_mistake_with_a_name_that_is_longer_than_most": (
        f"{GOOD}// fake: tests SumATest wrong_answer expected 3, got 4\n"
    ),
    "data_race/lucky": f"{GOOD}// fake: races SumATest data_race sum.cc:3\n",
}
FREE_CORES_ARE_MISSING = f"{GOOD}// fake: parallelism SumATiming 0\n"


class Show:
    """Fake labs with samples; `run` returns the demo's output."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "root"
        self.out = folder / "out"
        self.good = False

    def lab(self, name: str, demo: list[str] | None = None, *, parallelism: bool = False) -> None:
        solutions = self.root / "solutions"
        make_kit(solutions, lab=name, parallelism=parallelism)
        for sample, text in SAMPLES.items():
            self.sample(name, sample, text)
        (solutions / name / "hidden_test.cc").touch()
        if demo is not None:
            names = ", ".join(f'"{sample}"' for sample in demo)
            (solutions / name / "demo.toml").write_text(f"samples = [{names}]\n", encoding="utf-8")

    def sample(self, lab: str, name: str, text: str) -> None:
        path = self.root / "solutions" / lab / f"{name}.cc"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, *labs: str, all_labs: bool = False) -> str:
        text = io.StringIO()
        console = Console(file=text, width=80)
        self.good = not grade_samples(Demo(self.out, 1, labs, all_labs), console).wrong
        return text.getvalue()


@pytest.fixture
def show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Show:
    made = Show(tmp_path)
    monkeypatch.setattr(places, "ROOT", made.root)
    return made


def test_shows_the_named_samples_of_the_labs_with_a_demo(show: Show) -> None:
    show.lab("first", ["wrong_answer/a_mistake_with_a_name_that_is_longer_than_most"])
    show.lab("second")
    show.lab("third", ["accepted/right", "data_race/lucky"])
    said = show.run()
    assert show.good
    assert "3 of 3 submissions got exactly the verdict they should" in said
    assert said.count("file://") == 2
    assert "second" not in said.partition("file://")[0]


def test_no_line_of_the_table_is_wider_than_the_terminal_and_no_name_is_cut(show: Show) -> None:
    show.lab("first", [*SAMPLES])
    said = show.run()
    table = said[said.index("student ") : said.index("submissions got")]
    assert max(map(len, table.splitlines())) <= 80
    assert "…" not in table
    assert "student03" in table
    for word in ("a mistake", "longer", "than", "most"):
        assert word in table


def test_another_verdict_than_the_samples_own_is_a_failure_with_its_name(show: Show) -> None:
    show.lab("first", ["accepted/right"])
    show.sample("first", "accepted/right", SAMPLES["data_race/lucky"])
    said = show.run()
    assert not show.good
    assert "0 of 1 submissions" in said
    assert "first: student01 (accepted/right) got data_race" in said


def test_a_sample_that_needs_more_free_cores_is_no_failure(show: Show) -> None:
    show.lab("first", parallelism=True)
    show.sample("first", "too_slow/threads_wait_for_each_other", FREE_CORES_ARE_MISSING)
    said = show.run("first")
    assert show.good, said
    assert "4 of 4 submissions got exactly the verdict they should" in said
    assert "no verdict without free cores, and no failure: " in said


def test_a_second_run_shows_the_stored_results(show: Show) -> None:
    show.lab("first", [*SAMPLES])
    show.run()
    log = show.root / "solutions" / "first_kit" / "log"
    before = log.read_text(encoding="utf-8")
    assert "4 of 4 submissions" in show.run()
    assert log.read_text(encoding="utf-8") == before


def test_a_smaller_class_after_a_larger_one_shows_its_own_samples(show: Show) -> None:
    show.lab("first", ["data_race/lucky"])
    assert "4 of 4 submissions" in show.run("first")
    said = show.run()
    assert show.good, said
    assert "1 of 1 submissions" in said
    assert "student02" not in said


def test_all_takes_every_lab(show: Show) -> None:
    show.lab("first")
    show.lab("second", ["accepted/right"])
    assert "8 of 8 submissions" in show.run(all_labs=True)


def test_an_unknown_sample_in_demo_toml_is_an_error(
    show: Show, capsys: pytest.CaptureFixture[str]
) -> None:
    show.lab("first", ["accepted/nobody"])
    assert main(["demo", "--out", str(show.out)]) == BAD_INPUT
    said = capsys.readouterr().err
    assert "demo.toml: there is no 'accepted/nobody'" in said
    assert "next: " in said


def test_lab_and_all_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--lab", "first", "--all"]) == BAD_INPUT
    assert "exclude each other" in capsys.readouterr().err


_PROGRAM = """
import sys
from pathlib import Path
from grader.cli import app, places, serving
main = places.ROOT / "grader" / "main.py"
serving._program = lambda: [sys.executable, str(main)]
places.ROOT = Path(sys.argv[1])
sys.exit(app.main(["demo", "--serve", "--lab", "first", "--out", sys.argv[2]]))
"""


def _get(address: str, form: bytes | None = None, cookie: str = "") -> tuple[str, str]:
    """A page, and the cookie that it sets; nothing is redirected."""
    place = urlsplit(address)
    connection = HTTPConnection(place.hostname or "", place.port or 80, timeout=30)
    head = {"Cookie": cookie, "Origin": f"http://{place.netloc}"}
    with closing(connection):
        connection.request("GET" if form is None else "POST", place.path, form, head)
        answer = connection.getresponse()
        return answer.read().decode(), (answer.headers["Set-Cookie"] or "").partition(";")[0]


@contextmanager
def _serving(show: Show) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The demo that serves, and what it said until it could be reached."""
    command = [sys.executable, "-c", _PROGRAM, str(show.root), str(show.out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = takewhile(lambda line: line != "Ctrl-C ends it\n", process.stdout)
        try:
            yield process, "".join(lines)
        finally:
            process.kill()


def test_serves_the_class_handed_in_and_graded_once_until_it_is_interrupted(show: Show) -> None:
    show.lab("first")
    with _serving(show) as (process, said):
        student, staff = re.findall(r"http://\S+/sign-in/\w+", said)
        (board,) = re.findall(r"http://\S+/board/first", said)
        home = student.partition("sign-in")[0]
        end = time.monotonic() + 60
        while '"waiting":0,"grading":0' not in (health := _get(f"{home}health")[0]):
            assert time.monotonic() < end, health
            time.sleep(0.1)
        _, cookie = _get(student, b"")
        assert "data race" in _get(f"{home}labs/first", cookie=cookie)[0]
        assert "Amdahl" in _get(board, cookie=cookie)[0]
        _, cookie = _get(staff, b"")
        assert "data race" in _get(f"{home}staff/labs/first", cookie=cookie)[0]
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == GRADED
    # The service's copy of the kit goes on with the demo's log.
    (log,) = show.out.glob("service/kits/*/log")
    lines = log.read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line.startswith("tests")]) == len(SAMPLES)
