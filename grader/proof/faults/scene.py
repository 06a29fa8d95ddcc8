"""One class, graded while a fault is injected, and the invariants of every such run."""

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import IO

import grader
from grader.cli.options import BAD_INPUT, GRADED, UNSETTLED
from grader.cli.pages import REPORT
from grader.judging.store import FILE_NAME, Store
from grader.proof.faults.handed_in import HandedIn
from grader.proof.faults.tree import command, descendants, processes_that_name

MAIN = Path(grader.__file__).parent / "main.py"
_END_S = 120.0
"""Seconds that one run may take on a busy machine, beyond ten times its usual time."""
STRAY_S = 10.0
"""Seconds that a process may take to end after its grader."""
_RERUNS = 3


class InvariantError(Exception):
    """Something was lost, graded twice, half-written, unexplained or left behind."""


class Run:
    """A started grader; its output goes to files, so it never blocks on a pipe."""

    def __init__(self, argv: Sequence[str | Path], temporary: Path, stdout: IO[str]) -> None:
        self.errors = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed with the run)
        self.output = stdout
        self.process = subprocess.Popen(
            list(map(str, argv)),
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(sys.path),
                "TMPDIR": str(temporary),
                "GRADER_LOCKS": str(temporary),
                "COLUMNS": "300",
            },
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=self.errors,
            start_new_session=True,
        )

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def said(self) -> str:
        texts = []
        for file in (self.output, self.errors):
            if file.readable():
                file.seek(0)
                texts.append(file.read())
        return "".join(texts)


class Scene:
    """A fresh --out for a class, and random moments for a fault.

    `struck` says whether the fault met a running grader; `codes` are the exit codes of all runs.
    """

    def __init__(self, handed_in: HandedIn, folder: Path, seed: str, seconds: float) -> None:
        """`seconds` is how long the class takes undisturbed."""
        self.handed_in = handed_in
        self.random = random.Random(seed)  # noqa: S311 (a seed that can be given again)
        self.seconds = seconds
        self._folder = folder
        self.out = folder / "out"
        self.temporary = folder / "tmp"
        self.temporary.mkdir(mode=0o755)
        self.struck = False
        self.codes: list[int] = []
        self._kept: dict[str, str] = {}
        self._settled = False

    @property
    def database(self) -> Path:
        return self.out / FILE_NAME

    @property
    def page(self) -> Path:
        return self.out / REPORT / "index.html"

    def start(
        self, *, program: Sequence[str | Path] = (MAIN,), stdout: IO[str] | None = None
    ) -> Run:
        kit = self.handed_in.kit
        argv = [sys.executable, *program, "grade", "--lab", kit.manifest.lab, "--kit", kit.root]
        argv += ["--jobs", "2", "--submissions", self.handed_in.submissions, "--out", self.out]
        return Run(argv, self.temporary, stdout or tempfile.TemporaryFile("w+"))

    def wait_for_a_moment(self, run: Run, share: float = 1) -> None:
        """Sleeps for a random time, at most `share` of what the class takes."""
        end = time.monotonic() + self.random.uniform(0, share * self.seconds)
        while run.is_alive and time.monotonic() < end:
            time.sleep(0.005)

    def finish(self, run: Run, *allowed: int) -> str:
        """Waits for the run's end and checks its exit code; returns its output."""
        try:
            end_s = _END_S + 10 * self.seconds
            code = run.process.wait(end_s)
        except subprocess.TimeoutExpired as error:
            run.process.kill()
            raise InvariantError(f"the grader did not end within {end_s:.0f} s") from error
        self.codes.append(code)
        said = run.said()
        if code not in (allowed or (GRADED, UNSETTLED, BAD_INPUT)):
            raise InvariantError(f"the grader ended with code {code}: {said}")
        if "Traceback" in said:
            raise InvariantError(f"the grader ended with a traceback: {said}")
        if code == BAD_INPUT and not ("error: " in said and "next: " in said):
            raise InvariantError(f"the grader ended with no error and next step: {said}")
        self.check_page()
        self.remember()
        return said

    def check_page(self) -> None:
        """A class page is complete or does not exist."""
        if self.page.exists() and not self.page.read_text("utf-8").rstrip().endswith("</html>"):
            raise InvariantError(f"{self.page} is half-written")

    def remember(self) -> None:
        """Keeps the final results; settle() checks that they did not change."""
        with suppress(sqlite3.Error):  # a database damaged on purpose
            self._kept = self.results() | self._kept

    def forget(self) -> None:
        """Call it where the fault deleted the results."""
        self._kept.clear()

    def results(self) -> dict[str, str]:
        """Submission digest -> its stored final result."""
        if not self.database.exists():
            return {}
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as database:
            rows = database.execute("SELECT submission, body FROM results WHERE final")
            return dict(rows.fetchall())

    def settle(self) -> None:
        """Grades what is left, and checks results, page and leftovers."""
        if self._settled:
            return
        for _ in range(_RERUNS):
            said = self.finish(self.start(), GRADED, UNSETTLED)
            if self.codes[-1] == GRADED:
                break
        else:
            raise InvariantError(f"{_RERUNS} more runs did not grade all submissions: {said}")
        self._check_results()
        self._check_page_shows_all()
        self._check_nothing_is_left()
        self._settled = True

    def _verdicts(self) -> dict[str, str]:
        with Store(self.out, create=False) as store:
            return {result.student: result.verdict.value for result in store.results()}

    def _check_results(self) -> None:
        with closing(sqlite3.connect(self.database)) as database:
            (verdict,) = database.execute("PRAGMA integrity_check").fetchone()
            if verdict != "ok":
                raise InvariantError(f"integrity_check: {verdict}")
        found = self._verdicts()
        expected = {name: verdict.value for name, verdict in self.handed_in.expected.items()}
        if found != expected:
            raise InvariantError(f"got {found}, expected {expected}")
        now = self.results()
        again = [digest for digest, body in self._kept.items() if now.get(digest) != body]
        if again:
            raise InvariantError(f"{len(again)} stored results were lost or graded again")

    def _check_page_shows_all(self) -> None:
        self.check_page()
        text = self.page.read_text(encoding="utf-8")
        missing = [name for name in self.handed_in.expected if name not in text]
        if missing:
            raise InvariantError(f"{self.page} does not show {', '.join(missing)}")

    def wait_for_strays(self) -> None:
        """Until the processes that a killed grader left have ended, too."""
        end = time.monotonic() + STRAY_S
        while strays := processes_that_name(f"{self._folder}/"):
            if time.monotonic() > end:
                raise InvariantError(f"processes {strays} are left behind")
            time.sleep(0.05)

    def _check_nothing_is_left(self) -> None:
        self.wait_for_strays()
        folders = list(self.temporary.glob("grader-work-*"))
        if folders:
            raise InvariantError(f"{folders[0]} is left behind")

    def processes(self, run: Run, role: str) -> list[int]:
        """The run's living processes of a role, as pids."""
        kit = str(self.handed_in.kit.root)
        tree = list(descendants(run.process.pid))
        top = "checker" if role in ("checker", "worker") else "jail"
        found = [pid for pid in tree if f"{kit}/{top} " in f"{command(pid)} "]
        if role in ("checker", "jail"):
            return found
        below = [child for pid in found for child in descendants(pid)]
        return [pid for pid in below if not command(pid).startswith(("bwrap", "setpriv"))]


def undisturbed_seconds(handed_in: HandedIn, folder: Path) -> float:
    """How long the class takes; InvariantError if it does not get the right verdicts."""
    folder.mkdir(mode=0o755)
    scene = Scene(handed_in, folder, "", 0)
    before = time.monotonic()
    scene.finish(scene.start(), GRADED)
    seconds = time.monotonic() - before
    scene.settle()
    return seconds
