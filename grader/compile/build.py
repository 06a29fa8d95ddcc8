"""Compiles one submission in the jail, exactly as its kit says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from grader.compile.linker import name_missing_functions
from grader.compile.policy import (
    check_instrumented_symbols,
    check_symbols,
    check_words,
    has_stubs,
    missing_symbols,
)
from grader.compile.symbols import ObjectError, read_symbols
from grader.model.errors import JudgeError
from grader.model.lab import Limits
from grader.model.manifest import Kit
from grader.model.verdict import Verdict
from grader.run.jail import Bounds, Outcome, run_in_jail
from grader.run.processes import Processes

OBJECT_MB = 256
MAX_LIBRARY_BYTES = OBJECT_MB << 20
MAX_LINES = 120


@dataclass(frozen=True)
class Compiled:
    """A build that was made, or why there is none."""

    library: Path | None
    verdict: Verdict = Verdict.ACCEPTED
    text: str = ""
    """Warnings or errors, with the student's own file name and lines."""
    protections_lost: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    """What the lab asks for and a file with stubs in it does not use: to be refused once a part
    of it turns out to be written."""
    lacking_in: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What a part, by its function's name, asks for and the file does not use."""


class Workspace:
    """The folders of one submission on disk, readable by the jail's own accounts."""

    def __init__(self, folder: Path, kit: Kit, source: bytes) -> None:
        folder.chmod(0o711)
        self.folder = folder
        self._submission = folder / "submission"
        self._submission.mkdir(mode=0o755)
        self._submission.chmod(0o755)
        self.file = self._submission / kit.manifest.file
        self.file.write_bytes(source)
        self.file.chmod(0o644)

    @property
    def submission(self) -> Path:
        return self._submission

    def out(self, build: str) -> Path:
        """A fresh folder that the compiler's account may write to."""
        path = self.folder / f"out_{build}"
        path.mkdir()
        path.chmod(0o777)
        return path


def compile_build(processes: Processes, kit: Kit, work: Workspace, name: str) -> Compiled:
    """Runs a build's steps; its verdict is ACCEPTED, COMPILE_ERROR, MEMORY_LIMIT or POLICY."""
    build = kit.manifest.builds[name]
    limits = kit.lab.limits
    bounds = Bounds(limits.compile_s, limits.compile_mb, file_mb=OBJECT_MB)
    out = work.out(name)
    said: list[str] = []
    lost: tuple[str, ...] = ()
    for number, step in enumerate(build.steps):
        outcome = run_in_jail(
            processes,
            kit.jail,
            step,
            bounds,
            result=work.folder / f"{name}_{number}.json",
            read_only={
                kit.public: "/kit",
                work.submission: "/submission",
                **{Path(folder): folder for folder in build.folders},
            },
            writable={out: "/out"},
        )
        lost = tuple(outcome.protections_lost)
        if outcome.outcome != "exited" or outcome.code != 0:
            verdict, reason = _refusal(outcome, limits)
            text = "\n".join(part for part in (reason, _messages(outcome, kit)) if part)
            return Compiled(None, verdict, text, lost)
        said.append(_messages(outcome, kit))
    found = _policy(kit, work, out, name)
    if found.problems:
        return Compiled(None, Verdict.POLICY, "\n".join(found.problems), lost)
    warnings = "\n".join(filter(None, said))
    library = _library(out / build.library)
    return Compiled(library, Verdict.ACCEPTED, warnings, lost, found.lacking, found.lacking_in)


def _refusal(outcome: Outcome, limits: Limits) -> tuple[Verdict, str]:
    reasons = {
        "time_limit": f"compiling took longer than the limit of {limits.compile_s:g} s",
        "output_limit": "the compiler said more than the limit allows; its first lines:",
        "pids_limit": "compiling started more processes than the limit allows",
        "signaled": f"the compiler was ended by signal {outcome.signal}",
    }
    if outcome.outcome == "memory_limit":
        text = f"compiling needed more memory than the limit of {limits.compile_mb} MB"
        return Verdict.MEMORY_LIMIT, text
    return Verdict.COMPILE_ERROR, reasons.get(outcome.outcome, "")


def _messages(outcome: Outcome, kit: Kit) -> str:
    """The compiler's words, the jail's paths taken out, so that file:line reads as at home."""
    name = kit.manifest.file
    text = outcome.output.replace(f"/submission/{name}", name).replace("/kit/include/", "")
    text = name_missing_functions(text.replace("/kit/simulator/", ""), name)
    lines = text.strip().splitlines()
    if len(lines) > MAX_LINES:
        lines = [*lines[:MAX_LINES], f"… {len(lines) - MAX_LINES} more lines"]
    return "\n".join(line[:1000] for line in lines)


@dataclass(frozen=True)
class _Findings:
    """Why an object is refused, and else what Compiled says that it lacks."""

    problems: list[str]
    lacking: tuple[str, ...] = ()
    lacking_in: Mapping[str, Sequence[str]] = field(default_factory=dict)


def _policy(kit: Kit, work: Workspace, out: Path, name: str) -> _Findings:
    """A hostile object file is the student's doing; one that is missing is the kit's."""
    path = out / _object(kit, name)
    if path.is_symlink() or not path.is_file():
        raise JudgeError(f"the build {name!r} leaves no {path.name} to look into")
    try:
        symbols = read_symbols(path)
    except ObjectError as error:
        text = f"{kit.manifest.file} does not compile to an ordinary object file: {error}"
        return _Findings([text])
    if name != "tests":
        return _Findings(check_instrumented_symbols(symbols, kit, counting=name == "counters"))
    problems = check_words(work.file.read_bytes(), kit) + check_symbols(symbols, kit)
    missing = missing_symbols(symbols, kit)
    lacking_in = {part.function: missing_symbols(symbols, kit, part) for part in kit.lab.parts}
    if has_stubs(symbols):
        return _Findings(problems, tuple(missing), lacking_in)
    return _Findings(problems + missing, (), lacking_in)


def _object(kit: Kit, name: str) -> str:
    """The object that the student's file alone makes: what its build's compiler writes."""
    for step in kit.manifest.builds[name].steps:
        for option, value in pairwise(step):
            if option == "-o" and value.startswith("/out/") and value.endswith(".o"):
                return value.removeprefix("/out/")
    raise JudgeError(f"the kit's build {name!r} compiles to no object file in /out")


def _library(path: Path) -> Path:
    """The jail's account wrote it: a plain file, or it is not handed on."""
    if path.is_symlink() or not path.is_file():
        raise JudgeError(f"the build leaves no {path.name}")
    if path.stat().st_size > MAX_LIBRARY_BYTES:
        raise JudgeError(f"{path.name} is larger than {OBJECT_MB} MB")
    path.chmod(0o755)
    return path
