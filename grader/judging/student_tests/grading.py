"""The kind "tests": a file of tests, graded by what it says of right and of faulty programs.

Each part's tests must pass with every right program; its points are the share of its faulty
programs with which they do not.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count

from grader.judging.compile.build import Workspace
from grader.judging.judge.builds import Builds
from grader.judging.judge.context import GradingContext
from grader.judging.judge.parts import overall
from grader.judging.student_tests.choice import share
from grader.judging.student_tests.programs import load_programs
from grader.judging.student_tests.runs import Run, Runner
from grader.judging.student_tests.words import nothing_tested, refused, undetected
from grader.model.errors import JudgeError
from grader.model.lab import Part
from grader.model.result import Diagnostic, PartResult
from grader.model.verdict import Verdict

_BUILD = "tests"
_RIGHT_S = 10.0
"""For all tests of a part with a right program."""
_LEAST_FAULTY_S = 3.0
_TIMES = 4
"""A faulty program that takes so many times as long as the slowest right one does not return."""
_AGAIN = 2
"""Right programs that come again among the faulty ones, so that a test that tells them apart by the
clock or by chance refuses one."""
_AT_A_TIME = 2


@dataclass
class StudentTests:
    """The state of one student's tests while they are graded."""

    context: GradingContext
    work: Workspace
    key: str
    tell: Callable[[str], None]
    seconds: dict[str, float] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._numbers = count()
        self._programs = load_programs(self.context.kit)

    def run(self) -> tuple[Verdict, list[PartResult]]:
        kit = self.context.kit
        builds = Builds(self.context, self.work, {_BUILD: ""})
        with self.context.lock.shared():
            with self._counted_as("compile", "compiling"):
                refusal = builds.make(_BUILD, others=False)
            self.lost |= builds.lost
            self.diagnostics += builds.diagnostics
            if refusal:
                self.diagnostics.append(refusal.diagnostic)
                return refusal.verdict, []
            env = {**kit.manifest.builds[_BUILD].env, "LAB_SEED": str(int(self.key[:12], 16))}
            runner = Runner(
                self.context.processes, kit, builds.libraries[_BUILD], self.work.folder, env
            )
            with self._counted_as("tests", "testing programs"):
                parts = [self._part(runner, part) for part in kit.lab.parts]
        return overall(parts), parts

    def _part(self, runner: Runner, part: Part) -> PartResult:
        faults = [fault for fault in self._programs.faults if fault.part == part.function]
        total = len(self._programs.right) + len(faults)
        result = PartResult(
            function=part.function,
            title=part.title,
            of_kind="tests",
            verdict=Verdict.ACCEPTED,
            points=0,
            max_points=part.max_points,
            tests_total=total,
        )
        right = self._right(runner, part)
        passed = sum(run.verdict is Verdict.ACCEPTED for run in right)
        ran = max((run.report.ran for run in right if run.report), default=0)
        stopped = next((run for run in right if run.verdict is not Verdict.ACCEPTED), None)
        if stopped and (ran or stopped.report is None):
            return _refused(result, part, stopped, passed)
        if not ran:
            update = {"verdict": Verdict.WRONG_ANSWER, "failure": nothing_tested(part)}
            return result.model_copy(update=update)
        limit = max(_LEAST_FAULTY_S, _TIMES * max(run.seconds for run in right))
        again = self._programs.right[:_AGAIN]
        mixed = [*again, *(fault.library for fault in faults)]
        runs = self._runs(runner, part, mixed, limit)
        right, runs = runs[: len(again)], runs[len(again) :]
        stopped = next((run for run in right if run.verdict is not Verdict.ACCEPTED), None)
        if stopped and stopped.verdict is Verdict.TIME_LIMIT:
            raise JudgeError(
                f"{part.suite} passes with a right program, and later does not end within "
                f"{limit:.3g} s: this machine is too busy, or the tests depend on the clock; read "
                "them, and grade again when less runs"
            )
        if stopped:
            return _refused(result, part, stopped, passed - 1)
        missed = [
            fault
            for fault, run in zip(faults, runs, strict=True)
            if run.verdict is Verdict.ACCEPTED
        ]
        if missed:
            self.diagnostics.append(undetected(part, missed[0], len(missed), len(faults)))
        detected = [fault for fault in faults if fault not in missed]
        points = round(part.max_points * share(detected, faults), 2)
        update = {"points": points, "tests_passed": passed + len(detected)}
        return result.model_copy(update=update)

    def _right(self, runner: Runner, part: Part) -> list[Run]:
        """With the right programs. What takes too long counts if it does so twice."""
        programs = self._programs.right
        runs = self._runs(runner, part, programs, _RIGHT_S)
        for place, run in enumerate(runs):
            if run.verdict is Verdict.TIME_LIMIT:
                (runs[place],) = self._runs(runner, part, [programs[place]], _RIGHT_S)
                if runs[place].verdict is Verdict.TIME_LIMIT:
                    break
        return runs

    def _runs(
        self, runner: Runner, part: Part, programs: Sequence[str], limit_s: float
    ) -> list[Run]:
        """In an order that says nothing; the results are in that of the programs."""

        def draw(entry: tuple[int, str]) -> bytes:
            return hashlib.sha256(f"{self.key} {entry[1]}".encode()).digest()

        order = sorted(enumerate(programs), key=draw)

        def run(entry: tuple[int, str]) -> tuple[int, Run]:
            place, program = entry
            return place, runner.run(next(self._numbers), program, part.suite, limit_s)

        if self.context.spare_cores:
            with ThreadPoolExecutor(_AT_A_TIME) as pool:
                runs = dict(pool.map(run, order))
        else:
            runs = dict(map(run, order))
        for each in runs.values():
            self.lost.update(each.protections_lost)
        return [runs[place] for place in range(len(programs))]

    @contextmanager
    def _counted_as(self, name: str, doing: str) -> Iterator[None]:
        self.tell(doing)
        begin = time.monotonic()
        try:
            yield
        finally:
            self.seconds[name] = round(time.monotonic() - begin, 3)


def _refused(result: PartResult, part: Part, run: Run, passed: int) -> PartResult:
    """The tests do not pass with a right program: no points."""
    failure = refused(part, run, _RIGHT_S)
    update = {"verdict": run.verdict, "failure": failure, "tests_passed": passed}
    return result.model_copy(update=update)
