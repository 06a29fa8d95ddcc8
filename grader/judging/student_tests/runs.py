"""Runs a student's compiled tests on one program, in the jail."""

import shutil
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.judging.student_tests.programs import PLACE, library
from grader.judging.student_tests.report import Report, filter_of, read_report
from grader.model.manifest import Kit
from grader.model.verdict import Verdict
from grader.sandbox.processes import Processes
from grader.sandbox.run_in_jail import Bounds, Outcome, run_in_jail

_TEST = "/test"
_OUT = "/out"
_NAME = "report.json"
_OUTCOMES = {
    "time_limit": Verdict.TIME_LIMIT,
    "memory_limit": Verdict.MEMORY_LIMIT,
    "output_limit": Verdict.OUTPUT_LIMIT,
}


@dataclass(frozen=True)
class Run:
    """How the tests of a part ended with a program."""

    verdict: Verdict
    """ACCEPTED if all passed, WRONG_ANSWER if one failed, else why the process ended earlier."""
    report: Report | None
    seconds: float
    protections_lost: tuple[str, ...] = ()


@dataclass
class Runner:
    """Runs one student's tests; may be used by several threads."""

    processes: Processes
    kit: Kit
    test: Path
    folder: Path
    """For what is written; jails' accounts may enter it."""
    env: Mapping[str, str] = field(default_factory=dict)

    def run(self, number: int, program: str, suite: str, limit_s: float) -> Run:
        """`number` is unique among the runs. Tests see the program under one name, whichever."""
        outcome, report = self._run(number, program, suite, limit_s)
        if (outcome.outcome, outcome.signal) == ("signaled", signal.SIGKILL):
            # By the kernel, where memory is short, or by hand: then a second run may succeed.
            outcome, report = self._run(number, program, suite, limit_s)
        lost = tuple(outcome.protections_lost)
        if outcome.outcome != "exited":
            verdict = _OUTCOMES.get(outcome.outcome, Verdict.RUNTIME_ERROR)
            return Run(verdict, report, outcome.wall_s, lost)
        if report is None:
            return Run(Verdict.RUNTIME_ERROR, None, outcome.wall_s, lost)
        verdict = Verdict.WRONG_ANSWER if report.failures else Verdict.ACCEPTED
        return Run(verdict, report, outcome.wall_s, lost)

    def _run(
        self, number: int, program: str, suite: str, limit_s: float
    ) -> tuple[Outcome, Report | None]:
        folder = self.folder / f"run_{number}"
        out = folder / "out"
        out.mkdir(parents=True)
        folder.chmod(0o711)
        out.chmod(0o777)
        tested = folder / Path(PLACE).name
        shutil.copyfile(library(self.kit, program), tested)
        tested.chmod(0o755)
        limits, model = self.kit.lab.limits, self.kit.lab.programming
        outcome = run_in_jail(
            self.processes,
            self.kit.jail,
            [_TEST, f"--gtest_filter={filter_of(suite)}", f"--gtest_output=json:{_OUT}/{_NAME}"],
            Bounds(limit_s, limits.memory_mb, limits.pids, file_mb=16, output_kb=limits.output_kb),
            result=folder / "outcome.json",
            read_only={self.kit.public / "lib": "/kit/lib", self.test: _TEST, tested: PLACE},
            writable={out: _OUT},
            unjailed=self.kit.unjailed,
            compiles=False,
            reserves=model.runtime_mb > 0,
            ranks=model.ranks,
            env=self.env,
        )
        report = read_report(out / _NAME)
        shutil.rmtree(folder, ignore_errors=True)
        return outcome, report
