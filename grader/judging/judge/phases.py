"""Grades one submission's text: the phases of its lab's programming model, in order."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from grader.judging.compile.build import Workspace
from grader.judging.judge.builds import Builds, Refusal
from grader.judging.judge.context import GradingContext
from grader.judging.judge.evidence import own_failure
from grader.judging.judge.kernel_costs import readable_costs
from grader.judging.judge.located import located
from grader.judging.judge.parts import PartState, conclude, first_refusal, overall, reports
from grader.judging.judge.retold import Readable, readable, retold_counter, with_findings
from grader.judging.judge.stacks import with_lines
from grader.judging.judge.steps import Step, steps_of
from grader.model.result import Diagnostic, PartResult
from grader.model.verdict import Verdict
from grader.sandbox.checker_report import Report
from grader.sandbox.part_by_part import run_part_by_part
from grader.sandbox.run_checker import CheckerRun, run_checker

PARTS_AT_A_TIME = 2


@dataclass
class Phases:
    """The state of one submission while it is graded."""

    context: GradingContext
    work: Workspace
    key: str
    """Of its inputs."""
    tell: Callable[[str], None]
    """Told what is done, in words."""
    builds: Builds = field(init=False)
    seconds: dict[str, float] = field(default_factory=dict)
    parts_pool: ThreadPoolExecutor | None = None
    """Where cores are spare: parts that are not timed run several at a time."""

    def __post_init__(self) -> None:
        kit = self.context.kit
        steps = [
            step
            for step in steps_of(kit.lab.programming)
            if self._build_of(step) in kit.manifest.builds
            and (step.bounds if self.context.bound else step.judges)
        ]
        self._unclocked = [step for step in steps if not step.needs_clock]
        self._clocked = [step for step in steps if step.needs_clock]
        used = [step for step in steps if any(map(step.concerns, kit.lab.parts))]
        checkers = {self._build_of(step): step.checker for step in used}
        self.builds = Builds(self.context, self.work, checkers)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        return self.builds.diagnostics

    @property
    def lost(self) -> set[str]:
        """What the jails could not protect against."""
        return self.builds.lost

    def run(self) -> tuple[Verdict, list[PartResult]]:
        """The verdict and every part's result; no results where no part was tested."""
        bound = self.context.bound
        states = [
            PartState(part.untimed() if bound else part) for part in self.context.kit.lab.parts
        ]
        with ThreadPoolExecutor(PARTS_AT_A_TIME) as pool:
            if self._may_work_side_by_side:
                self.parts_pool = pool
            if self.context.verdict_only:
                refusal = self._run_for_the_verdict(states)
            else:
                refusal = self._run(self._unclocked, states) or self._run(self._clocked, states)
        if refusal:
            self.diagnostics.append(refusal.diagnostic)
            return refusal.verdict, []
        judged = [state for state in states if state.tests or bound]
        self.diagnostics.extend(reports(judged))
        parts = [conclude(state) for state in judged]
        return overall(parts), [self._own_words(part) for part in parts]

    def _run_for_the_verdict(self, states: Sequence[PartState]) -> Refusal | None:
        """Each phase for all parts before the next one, which takes longer; timing comes last.

        A phase takes one part after the other and ends with one that it refuses. Then later phases
        look only for that part's cause: no other is checked, counted or timed, even if an earlier
        one would be refused. A part that misses points for counters hides none of others.
        """
        for step in self._unclocked:
            refused = [state for state in states if state.verdict is not Verdict.ACCEPTED]
            for state in refused[:1] or states:
                if refusal := self._run([step], [state]):
                    return refusal
                if state.verdict is not Verdict.ACCEPTED:
                    break
        verdict = first_refusal(state.verdict_without_a_clock for state in states)
        for state in states:
            timed = self.context.clock and state.may_be_timed(verdict_only=True)
            if timed and verdict is Verdict.ACCEPTED:
                if refusal := self._run(self._clocked, [state]):
                    return refusal
                verdict = conclude(state).verdict
            else:
                state.needs_a_clock = False
        return None

    def _run(self, steps: Sequence[Step], states: Sequence[PartState]) -> Refusal | None:
        left = list(steps)
        while left:
            step = left.pop(0)
            wanted = [state for state in states if step.wants(state)]
            if not wanted:
                continue
            if refusal := self._compile(step):
                return refusal
            beside = left[0] if left and left[0].beside == step.phase.name else None
            later = [state for state in states if beside and beside.wants(state)]
            if beside and later and self._may_work_side_by_side:
                left.pop(0)
                if refusal := self._compile(beside):
                    return refusal
                self._run_side_by_side(step, wanted, beside, later)
            elif refusal := step.run(self, wanted):
                return refusal
        return None

    def _run_side_by_side(
        self, step: Step, states: list[PartState], beside: Step, later: list[PartState]
    ) -> None:
        """What the first step refuses is measured by the second in vain."""
        with self.context.lock.shared(), ThreadPoolExecutor(1) as pool:
            measured = pool.submit(self.measure, beside, later)
            step.look(self, states)
            for state in filter(beside.wants, later):
                beside.take(state, measured.result())

    @property
    def _may_work_side_by_side(self) -> bool:
        return self.context.spare_cores and not self.context.verdict_only

    def _build_of(self, step: Step) -> str:
        return step.phase.build_for(gpu=self.context.gpu)

    def _compile(self, step: Step) -> Refusal | None:
        build = self._build_of(step)
        if build in self.builds.libraries:
            return None
        with self.context.lock.shared(), self._counted_as("compile", "compiling"):
            return self.builds.make(build, others=self._may_work_side_by_side)

    def measure(self, step: Step, states: Sequence[PartState], *, race_checker: str = "") -> Report:
        """Runs the checker with these parts, and more options for the race checker."""
        context, phase = self.context, step.phase
        library = self.builds.libraries[self._build_of(step)]
        run = CheckerRun(
            context.kit,
            phase,
            [state.part for state in states],
            library,
            self.key,
            self.work.folder / f"{phase.name}.json",
            # If the tests failed already, waiting for a call that never returns adds nothing.
            patient=any(state.verdict is Verdict.ACCEPTED for state in states),
            verdict_only=context.verdict_only,
            gpu=context.gpu,
            counted=self.builds.libraries.get(phase.sharing_build),
            race_checker=race_checker,
        )
        with self._counted_as(phase.name, phase.doing):
            report = (
                run_part_by_part(context.processes, run, self.parts_pool)
                if self.parts_pool and not step.needs_clock
                else run_checker(context.processes, run)
            )
            self.lost.update(report.protections_lost)
            told = [with_findings(case, self._readable) for case in report.cases]
            report = with_lines(context, replace(report, cases=told), library, self.work.folder)
            symbolizer = context.kit.manifest.builds[self._build_of(step)].symbolizer
            if not step.tell or not symbolizer:
                return report
            at = located(context, symbolizer, library, self.work.folder)
            return replace(report, cases=[step.tell(case, at) for case in report.cases])

    @contextmanager
    def _counted_as(self, name: str, doing: str) -> Iterator[None]:
        self.tell(doing)
        before = time.monotonic()
        try:
            yield
        finally:
            spent = time.monotonic() - before
            self.seconds[name] = round(self.seconds.get(name, 0) + spent, 3)

    def _own_words(self, part: PartResult) -> PartResult:
        """The result without the checker's own words, and without the process's."""
        update: dict[str, object] = {}
        if part.failure:
            message = own_failure(part.failure.message)
            update["failure"] = part.failure.model_copy(update={"message": message})
        if part.counters:
            student = self._readable()
            update["counters"] = [retold_counter(result, student) for result in part.counters]
            if part.kernels:
                update["kernels"] = readable_costs(part.kernels, student)
        return part.model_copy(update=update)

    def _readable(self) -> Readable:
        kit, file = self.context.kit, self.context.kit.manifest.file
        source = (self.work.folder / "submission" / file).read_text("utf-8", "replace")
        return readable(source, file, kit.public)
