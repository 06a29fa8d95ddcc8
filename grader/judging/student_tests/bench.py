"""Builds a lab's programs outside of the jail, as Bazel's actions do, and runs tests on them.

For samples and mutants, whose text is the lab's author's: never for what was handed in.
"""

import hashlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grader.judging.kit.assemble import KitError, run_steps
from grader.judging.student_tests.programs import FOLDER, PLACE
from grader.judging.student_tests.report import Report, filter_of, read_report
from grader.model.lab import Part
from grader.model.verdict import Verdict

_DIGITS = 16
_LOG_CHARACTERS = 1000


@dataclass(frozen=True)
class Ended:
    """How tests ended with a program."""

    verdict: Verdict
    """ACCEPTED, WRONG_ANSWER, RUNTIME_ERROR or TIME_LIMIT."""
    report: Report | None
    said: str
    """The end of what it printed."""
    seconds: float


@dataclass(frozen=True)
class Bench:
    """Where programs are built and tested."""

    kit: Path
    """With what tests are made with; programs are added to it."""
    of_lab: Path
    """The public folder of the lab's kit, with what programs are made with."""
    lab: str
    """Its folder."""
    file: str
    """A program's."""
    steps: list[list[str]]
    library: str
    env: Mapping[str, str]
    folder: Path
    """For what is written."""

    def build(self, text: bytes) -> str | None:
        """The name of a program's library in the kit; None if it does not compile."""
        name = hashlib.sha256(text).hexdigest()[:_DIGITS]
        work = self.folder / name
        out = work / "out"
        out.mkdir(parents=True)
        (work / self.file).write_bytes(text)
        headers = self.of_lab.resolve() / "include" / "labs" / self.lab
        for header in headers.iterdir():
            (work / header.name).symlink_to(header)
        try:
            run_steps(name, self.steps, {"/kit": self.of_lab, "/submission": work, "/out": out})
        except KitError:
            return None
        library = self.keep(out / self.library, text)
        shutil.rmtree(work)
        return library

    def keep(self, library: Path, text: bytes) -> str:
        """Puts a library into the kit, without symbols; returns its name there, by its text."""
        target = self.kit / FOLDER / f"{hashlib.sha256(text).hexdigest()[:_DIGITS]}.so"
        subprocess.run(["strip", "-o", target, library], check=True)
        target.chmod(0o755)
        return target.name

    def build_test(self, steps: list[list[str]], text: Path, file: str) -> Path:
        """The program that the kit's own steps make of a test; KitError if they do not."""
        out = Path(tempfile.mkdtemp(dir=self.folder))
        shutil.copyfile(text, out / file)
        run_steps("tests", steps, self._places(out))
        return out / "test"

    def link_test(self, link: list[str], archive: Path) -> Path:
        """The program that the last of these steps makes of compiled tests."""
        out = Path(tempfile.mkdtemp(dir=self.folder))
        whole = ["-Wl,--whole-archive", str(archive.resolve()), "-Wl,--no-whole-archive"]
        step = [word for each in link for word in (whole if each == "/out/test.o" else [each])]
        run_steps("tests", [step], self._places(out))
        return out / "test"

    def run(
        self,
        test: Path,
        library: str,
        parts: Sequence[Part],
        patience_s: float,
        *,
        to_the_end: bool = False,
    ) -> Ended:
        """Runs the tests of these parts, unless `to_the_end` up to the first that fails. Ends the
        program after `patience_s`."""
        with tempfile.TemporaryDirectory(dir=self.folder) as name:
            folder = Path(name)
            (folder / Path(PLACE).name).symlink_to(self.kit.resolve() / FOLDER / library)
            report, log = folder / "report.json", folder / "log"
            libraries = f"{folder}:{self.kit.resolve() / 'public' / 'lib'}"
            chosen = f"--gtest_filter={filter_of(*(part.suite for part in parts))}"
            stops = [] if to_the_end else ["--gtest_fail_fast"]
            begin = time.monotonic()
            ended = _ends_within(
                patience_s,
                [str(test), chosen, f"--gtest_output=json:{report}", *stops],
                {**self.env, "LD_LIBRARY_PATH": libraries},
                log,
            )
            seconds = time.monotonic() - begin
            found = read_report(report)
            said = log.read_text(encoding="utf-8", errors="replace")[-_LOG_CHARACTERS:]
        if not ended:
            return Ended(Verdict.TIME_LIMIT, None, said, seconds)
        if found is None or not found.ran:
            return Ended(Verdict.RUNTIME_ERROR, None, said, seconds)
        verdict = Verdict.WRONG_ANSWER if found.failures else Verdict.ACCEPTED
        return Ended(verdict, found, said, seconds)

    def _places(self, out: Path) -> dict[str, Path]:
        return {"/kit": self.kit / "public", "/submission": out, "/out": out}


def _ends_within(seconds: float, argv: Sequence[str], env: Mapping[str, str], log: Path) -> bool:
    """Whether a program ends by itself; its whole session is killed."""
    with log.open("wb") as stream:
        child = subprocess.Popen(
            argv, env=env, cwd=log.parent, stdout=stream, stderr=stream, start_new_session=True
        )
        try:
            child.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    return True
