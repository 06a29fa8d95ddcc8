"""Runs the cases with which a student shows the faults, in the jail."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from grader.judging.collect.submission import Submission
from grader.judging.collect.tree import Entry, Kind, OneText
from grader.judging.compile.build import Workspace
from grader.judging.judge.builds import Builds
from grader.judging.judge.context import GradingContext
from grader.judging.student_tests.runs import Run, Runner
from grader.model.result import Diagnostic, PartResult
from grader.model.verdict import Verdict

_BUILD = "tests"
_LIMIT_S = 10.0
"""For the cases of one fault with one program: they need the smallest input."""


@dataclass
class Shows:
    """A test file while it is compiled and run: each suite with each program."""

    context: GradingContext
    work: Workspace
    key: str
    tell: Callable[[str], None]
    suites: Sequence[str] = ()
    programs: Sequence[str] = ()
    """The names of libraries in the kit, a right program's first."""
    verdicts: dict[tuple[str, str], Verdict] = field(default_factory=dict)
    """By suite and program: ACCEPTED where cases ran and all of them passed."""
    seconds: dict[str, float] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)

    def run(self) -> tuple[Verdict, list[PartResult]]:
        kit = self.context.kit
        builds = Builds(self.context, self.work, {_BUILD: ""})
        with self.context.lock.shared():
            self.tell("compiling the cases that show the faults")
            refusal = builds.make(_BUILD, others=False)
            self.lost |= builds.lost
            if refusal:
                self.diagnostics.append(refusal.diagnostic)
                return refusal.verdict, []
            self.tell("running the cases that show the faults")
            env = {**kit.manifest.builds[_BUILD].env, "LAB_SEED": str(int(self.key[:12], 16))}
            library, folder = builds.libraries[_BUILD], self.work.folder
            self._run_all(Runner(self.context.processes, kit, library, folder, env))
        return Verdict.ACCEPTED, []

    def _run_all(self, runner: Runner) -> None:
        right, numbers = self.programs[0], count()

        def run(program: str, suite: str) -> Verdict:
            ended = runner.run(next(numbers), program, suite, _LIMIT_S)
            self.lost.update(ended.protections_lost)
            return _verdict(ended)

        for suite in self.suites:
            # The right program comes again at the end: cases that fail by chance show nothing.
            for program in (*dict.fromkeys(self.programs), right):
                verdict = run(program, suite)
                if program == right and verdict is Verdict.TIME_LIMIT:
                    verdict = run(program, suite)  # the machine may have been busy
                self.verdicts[suite, program] = verdict
                if program == right and verdict is not Verdict.ACCEPTED:
                    break


def _verdict(run: Run) -> Verdict:
    """A suite without cases says nothing: NOT_GRADED."""
    ran_none = run.report is not None and not run.report.ran and not run.report.failures
    return Verdict.NOT_GRADED if ran_none else run.verdict


def one_text(student: str, source: str, file: str, data: bytes) -> Submission:
    """One of several files that were handed in, as a submission of its own."""
    digest = hashlib.sha256(data).hexdigest()
    entry = Entry((file,), Kind.FILE, len(data))
    return Submission(student, source, digest, None, OneText(Path(), data), entry)
