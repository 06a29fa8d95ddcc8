"""The builds of one submission, made when a phase needs them."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.judging.compile.build import Compiled, Workspace, compile_build
from grader.judging.compile.findings import NOTHING_FOUND, Findings, differences
from grader.judging.judge.context import GradingContext
from grader.model.result import Diagnostic
from grader.model.verdict import Verdict


@dataclass(frozen=True)
class Refusal:
    """Ends grading early: every part gets this verdict."""

    verdict: Verdict
    diagnostic: Diagnostic


def policy_broken(problems: list[str]) -> Diagnostic:
    """What a submission is told whose text or library breaks the lab's policy."""
    return Diagnostic(phase="policy", text="\n".join(problems[:40]))


@dataclass
class Builds:
    """The libraries made so far, and what was found in making them."""

    context: GradingContext
    work: Workspace
    checkers: Mapping[str, str]
    """The builds that may be needed, each with the checker that students know it by, if any."""
    libraries: dict[str, Path] = field(default_factory=dict)
    found: Findings = NOTHING_FOUND
    """Findings of the build made first, that of the tests where they run."""
    diagnostics: list[Diagnostic] = field(default_factory=list)
    lost: set[str] = field(default_factory=set)
    """What the jails could not protect against."""

    def make(self, build: str, *, others: bool) -> Refusal | None:
        """Compiles a build, or with `others` all that may be needed, side by side.

        A refusal unless it compiles and keeps to the policy.
        """
        wanted = list(self.checkers) if others else [build]
        compiled = self._compile(wanted)
        for name in sorted(wanted, key=lambda name: name != build):
            if refusal := self._take(name, compiled[name]):
                return refusal
        return None

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

    def _take(self, build: str, compiled: Compiled) -> Refusal | None:
        self.lost.update(compiled.protections_lost)
        if compiled.library is None:
            if self.checkers[build] and compiled.verdict is Verdict.COMPILE_ERROR:
                compiled = replace(compiled, text=self._only_for(build, compiled.text))
            return Refusal(compiled.verdict, _explain(compiled))
        first = not self.libraries
        self.libraries[build] = compiled.library
        if first:
            self.found = compiled.found
            if compiled.text:
                self.diagnostics.append(Diagnostic(phase="compile", text=compiled.text))
        elif problems := differences(self.context.kit, self.found, compiled.found):
            return Refusal(Verdict.POLICY, policy_broken(problems))
        return None

    def _only_for(self, build: str, text: str) -> str:
        """The messages on a file that the tests' compiler accepts."""
        manifest = self.context.kit.manifest
        compiler = Path(manifest.builds[build].steps[0][0]).name
        loop = ": write a loop instead of std::views" if "views::" in text else ""
        return (
            f"{manifest.file} compiles for the tests, but not with {compiler} for the "
            f"{self.checkers[build]}{loop}; bazel test shows these messages, too:\n{text}"
        )


def _explain(compiled: Compiled) -> Diagnostic:
    phase = "policy" if compiled.verdict is Verdict.POLICY else "compile"
    return Diagnostic.model_validate({"phase": phase, "text": compiled.text})
