"""The builds of one submission, made when a phase needs them."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.judging.compile.build import Compiled, Workspace, compile_build
from grader.judging.compile.findings import NOTHING_FOUND, Findings, differences
from grader.judging.judge.context import GradingContext
from grader.model.lab import Part
from grader.model.result import Diagnostic
from grader.model.verdict import Verdict


class EarlyVerdictError(Exception):
    """Ends grading early: every part gets this verdict."""

    def __init__(self, verdict: Verdict, diagnostic: Diagnostic) -> None:
        super().__init__(verdict)
        self.verdict = verdict
        self.diagnostic = diagnostic


def is_counted(context: GradingContext, part: Part) -> bool:
    """Whether the simulator counts what the part does."""
    return context.kit.lab.programming.counters and bool(part.counted_suites)


def policy_broken(problems: list[str]) -> Diagnostic:
    """What a submission is told whose text or library breaks the lab's policy."""
    return Diagnostic(phase="policy", text="\n".join(problems[:40]))


@dataclass
class Builds:
    """The libraries made so far, and what was found in making them."""

    context: GradingContext
    work: Workspace
    libraries: dict[str, Path] = field(default_factory=dict)
    found: Findings = NOTHING_FOUND
    """Findings of the tests' build."""
    diagnostics: list[Diagnostic] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    """What the jails could not protect against."""

    def make(self, build: str, *, others: bool) -> None:
        """Compiles a build, or with `others` all that may be needed, side by side.

        EarlyVerdictError unless it compiles and keeps to the policy.
        """
        manifest = self.context.kit.manifest
        wanted = [name for name in manifest.builds if self._has_use(name)] if others else [build]
        compiled = self._compile(wanted)
        for name in sorted(wanted, key=lambda name: name != build):
            self._take(name, compiled[name])

    def _has_use(self, build: str) -> bool:
        if build == "gpu":
            return self.context.gpu
        parts = self.context.kit.lab.parts
        return build != "counters" or any(is_counted(self.context, part) for part in parts)

    def _compile(self, builds: Sequence[str]) -> dict[str, Compiled]:
        context, work = self.context, self.work
        if len(builds) == 1:
            return {builds[0]: compile_build(context.processes, context.kit, work, builds[0])}
        with ThreadPoolExecutor(len(builds)) as pool:
            made = [
                pool.submit(compile_build, context.processes, context.kit, work, name)
                for name in builds
            ]
            return {name: future.result() for name, future in zip(builds, made, strict=True)}

    def _take(self, build: str, compiled: Compiled) -> None:
        self.lost.update(compiled.protections_lost)
        if compiled.library is None:
            if build in ("memory", "races") and compiled.verdict is Verdict.COMPILE_ERROR:
                compiled = replace(compiled, text=self._only_for(build, compiled.text))
            raise EarlyVerdictError(compiled.verdict, _explain(compiled))
        self.libraries[build] = compiled.library
        if build == "tests":
            self.found = compiled.found
            if compiled.text:
                self.diagnostics.append(Diagnostic(phase="compile", text=compiled.text))
        elif problems := differences(self.context.kit, self.found, compiled.found):
            raise EarlyVerdictError(Verdict.POLICY, policy_broken(problems))

    def _only_for(self, build: str, text: str) -> str:
        """The messages on a file that the tests' compiler accepts."""
        manifest = self.context.kit.manifest
        compiler = Path(manifest.builds[build].steps[0][0]).name
        return (
            f"{manifest.file} compiles for the tests, but not with {compiler} for the "
            f"{build.removesuffix('s')} checker; bazel test shows these messages, too:\n{text}"
        )


def _explain(compiled: Compiled) -> Diagnostic:
    phase = "policy" if compiled.verdict is Verdict.POLICY else "compile"
    return Diagnostic.model_validate({"phase": phase, "text": compiled.text})
