"""Compiles one submission in the jail by the steps of its kit."""

import re
import shutil
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from common.lab.text_policy.header_macros import headers_differ, includes_alone
from common.lab.text_policy.policy import changed_headers, read_source
from grader.judging.compile.diagnostics import tell_student
from grader.judging.compile.findings import (
    NOTHING_FOUND,
    Findings,
    inspect_object,
    inspect_text,
    text_is_made,
)
from grader.judging.compile.kit_rules import rules_of
from grader.judging.compile.precompiled import PrecompiledHeaders, split_text
from grader.model.errors import JudgeError
from grader.model.manifest import Kit
from grader.model.verdict import Verdict
from grader.sandbox.processes import Processes
from grader.sandbox.run_in_jail import Bounds, Outcome, run_in_jail

OBJECT_MB = 256
MAX_LIBRARY_BYTES = OBJECT_MB << 20
MAX_LINES = 120
_TOO_LARGE = re.compile("File too large|File size limit exceeded")
_OOM_KILLS = re.compile(r"^oom_kill (\d+)$", re.MULTILINE)
# Folders whose files the student has.
_PUBLIC = re.compile("/submission/|/kit/(?:include|simulator)/")
# Makes a step that compiles a text of LLVM's only read it.
_ONLY_READ = ["-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o", "/out/read.ll"]


@dataclass(frozen=True)
class Compiled:
    """A build's library, or why there is none."""

    library: Path | None
    verdict: Verdict = Verdict.ACCEPTED
    text: str = ""
    """Warnings or errors, with the student's own file name and lines."""
    protections_lost: tuple[str, ...] = ()
    found: Findings = NOTHING_FOUND


class Workspace:
    """The folders of one submission on disk, readable by the jail's own accounts."""

    def __init__(
        self, folder: Path, kit: Kit, source: bytes, headers: PrecompiledHeaders | None = None
    ) -> None:
        folder.chmod(0o711)
        self.folder = folder
        self.headers = headers
        self._submission = folder / "submission"
        self._submission.mkdir(mode=0o755)
        self._submission.chmod(0o755)
        self.file = self._submission / kit.manifest.file
        self.file.write_bytes(source)
        self.file.chmod(0o644)
        self._lay_headers_beside(kit)

    def _lay_headers_beside(self, kit: Kit) -> None:
        """The lab's headers, as in its folder: the file may include them by their names alone.

        Links, so that #pragma once sees one header under both names.
        """
        folder = Path("include", "labs", kit.manifest.folder)
        seen_from_jail = kit.public if kit.unjailed else Path("/kit")
        for header in (kit.public / folder).glob("*"):
            (self._submission / header.name).symlink_to(seen_from_jail / folder / header.name)

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
    out = work.out(name)
    source = work.file.read_bytes()
    said: list[str] = []
    lost: tuple[str, ...] = ()
    text = NOTHING_FOUND
    for step in kit.manifest.builds[name].steps:
        kills = kills_for_memory()
        outcome = _run_with_headers(processes, kit, name, step, work, out) or _run(
            processes, kit, name, step, work.submission, out
        )
        lost = tuple(outcome.protections_lost)
        if outcome.outcome != "exited" or outcome.code != 0:
            _check_machine(outcome, work.folder, kills=kills_for_memory() - kills)
            if "ir" in step:
                read = _run(processes, kit, name, [*step, *_ONLY_READ], work.submission, out)
                _check_rewriting(read)
            return Compiled(None, *_refusal(outcome, kit, source), lost)
        said.append(_messages(outcome, kit, source))
        if text_is_made(kit, name, step):
            text = inspect_text(kit, name, source=source, out=out)
            # What is refused reaches no compiler: its messages would tell of other files.
            if text.problems:
                return Compiled(None, Verdict.POLICY, "\n".join(text.problems), lost)
    found = inspect_object(kit, name, text=text.text, out=out)
    problems = found.problems or _changed_headers(processes, kit, work, name, source, out)
    if problems:
        return Compiled(None, Verdict.POLICY, "\n".join(problems), lost)
    warnings = "\n".join(filter(None, said))
    return Compiled(
        _library(out / kit.manifest.builds[name].library), Verdict.ACCEPTED, warnings, lost, found
    )


def kills_for_memory(vmstat: Path = Path("/proc/vmstat")) -> int:
    """Processes that the kernel has killed for want of memory since this machine started.

    A driver whose compiler was killed exits like one whose compiler found errors, and what it
    prints, a submission can print, too.
    """
    found = _OOM_KILLS.search(vmstat.read_text(encoding="ascii")) if vmstat.exists() else None
    return int(found[1]) if found else 0


def _run_with_headers(
    processes: Processes, kit: Kit, name: str, step: list[str], work: Workspace, out: Path
) -> Outcome | None:
    """Compiles a text whose headers were compiled for other submissions.

    None if they were not, or if the compiler has anything to say: then the whole text is compiled,
    so that messages do not depend on what others handed in.
    """
    plan = kit.manifest.builds[name].headers
    if plan is None or step != plan.step or work.headers is None or kit.unjailed:
        return None
    path = out / plan.text.removeprefix("/out/")
    text = split_text(path.read_bytes()) if path.is_file() and not path.is_symlink() else None
    if text is None:
        return None

    def make(folder: Path) -> bool:
        said = _run(
            *(processes, kit, name, plan.make, work.submission, out), writable={folder: "/headers"}
        )
        return said.outcome == "exited" and said.code == 0

    headers = work.headers.find(name, text.headers, make)
    if headers is None:
        return None
    own = work.folder / f"own_{name}"
    own.mkdir(mode=0o755)
    (own / "text.ii").write_bytes(text.first + plan.begins.encode() + text.own)
    more = {headers: "/headers", own: "/own"}
    outcome = _run(processes, kit, name, plan.use, work.submission, out, read_only=more)
    if outcome.outcome == "exited" and outcome.code == 0 and not outcome.output:
        return outcome
    # Every jail has a user of its own.
    (out / Path(plan.use[plan.use.index("-o") + 1]).name).unlink(missing_ok=True)
    return None


def _run(
    processes: Processes,
    kit: Kit,
    name: str,
    step: list[str],
    submission: Path,
    out: Path,
    *,
    read_only: Mapping[Path, str] = MappingProxyType({}),
    writable: Mapping[Path, str] = MappingProxyType({}),
) -> Outcome:
    build = kit.manifest.builds[name]
    limits = kit.lab.limits
    return run_in_jail(
        processes,
        kit.jail,
        step,
        Bounds(limits.compile_s, limits.compile_mb, file_mb=OBJECT_MB),
        result=out.with_suffix(".json"),
        read_only={
            kit.public: "/kit",
            submission: "/submission",
            **{Path(folder): folder for folder in build.folders},
            **read_only,
        },
        writable={out: "/out", **writable},
        unjailed=kit.unjailed,
    )


def _changed_headers(
    processes: Processes, kit: Kit, work: Workspace, name: str, source: bytes, out: Path
) -> tuple[str, ...]:
    """Problems if the file's macros change the headers that it includes."""
    step = kit.manifest.builds[name].steps[0]
    alone = includes_alone(read_source(source))
    if alone is None or "-E" not in step:
        return ()
    other = Workspace(work.out(f"{name}_alone"), kit, alone.encode("utf-8", "surrogateescape"))
    other_out = other.out(name)
    outcome = _run(processes, kit, name, step, other.submission, other_out)
    is_whole = outcome.outcome == "exited" and outcome.code == 0
    text = step[step.index("-o") + 1].removeprefix("/out/")
    if is_whole and not headers_differ(
        out / text, other_out / text, f"/submission/{kit.manifest.file}"
    ):
        return ()
    return tuple(changed_headers(rules_of(kit)))


def _check_machine(outcome: Outcome, folder: Path, *, kills: int) -> None:
    """JudgeError if a compiler may have failed because of this machine rather than the file.

    A submission sends no signals while it is compiled, and limits have outcomes of their own. One
    of the machine's `kills` for memory meanwhile may be this compiler where no cgroup tells.
    """
    if outcome.outcome not in ("exited", "signaled"):
        return
    nobody_tells = any(lost.startswith("no memory cgroup") for lost in outcome.protections_lost)
    if outcome.signal == signal.SIGKILL or (nobody_tells and kills):
        raise JudgeError(
            "a compiler was killed within its limits: the kernel kills processes when memory runs "
            "short; grade fewer at a time with --jobs"
        )
    free = shutil.disk_usage(folder).free
    if free < MAX_LIBRARY_BYTES:
        raise JudgeError(
            f"compiling failed, perhaps for lack of space: {folder} has {free >> 20} MB free, "
            f"and a file may need {OBJECT_MB} MB; free some there, or set TMPDIR"
        )


def _check_rewriting(read: Outcome) -> None:
    """A text that the grader made of a submission, for the race checker, is not the student's.

    Whether it is one of LLVM's is told by reading it once more: what a compiler prints, a
    submission can print, too.
    """
    if read.outcome == "exited" and read.code != 0:
        raise JudgeError(
            "what grader/judging/kit/instrument made of the submission does not compile: "
            f"{read.output[:200]}; report it with the submission"
        )


def _refusal(outcome: Outcome, kit: Kit, source: bytes) -> tuple[Verdict, str]:
    """The verdict on a step that failed, and the reason with the compiler's messages."""
    limits = kit.lab.limits
    reasons = {
        "time_limit": f"compiling took longer than the limit of {limits.compile_s:g} s",
        "output_limit": "the compiler's output exceeds the limit; its first lines:",
        "pids_limit": "compiling started more processes than the limit allows",
        "signaled": f"the compiler was ended by signal {outcome.signal}",
    }
    if _TOO_LARGE.search(outcome.output):
        # The compiler's own message would ask the student to report a compiler bug.
        text = f"{kit.manifest.file} compiles to more than the limit of {OBJECT_MB} MB"
        return Verdict.COMPILE_ERROR, text
    verdict, reason = Verdict.COMPILE_ERROR, reasons.get(outcome.outcome, "")
    if outcome.outcome == "memory_limit":
        verdict = Verdict.MEMORY_LIMIT
        reason = f"compiling needed more memory than the limit of {limits.compile_mb} MB"
    said = _messages(outcome, kit, source)
    if not reason and not said:
        reason = f"the compiler failed without a message about {kit.manifest.file}"
    return verdict, "\n".join(part for part in (reason, said) if part)


def _messages(outcome: Outcome, kit: Kit, source: bytes) -> str:
    """The compiler's messages about the student's file, without the jail's paths."""
    text = _PUBLIC.sub("", outcome.output)
    lines = tell_student(text, kit.manifest.file, read_source(source)).splitlines()
    if len(lines) > MAX_LINES:
        lines = [*lines[:MAX_LINES], f"… {len(lines) - MAX_LINES} more lines"]
    return "\n".join(line[:1000] for line in lines)


def _library(path: Path) -> Path:
    """The library; JudgeError unless it is a plain file, as the jail's account could replace it."""
    if path.is_symlink() or not path.is_file():
        raise JudgeError(f"the build leaves no {path.name}")
    if path.stat().st_size > MAX_LIBRARY_BYTES:
        raise JudgeError(f"{path.name} is larger than {OBJECT_MB} MB")
    path.chmod(0o755)
    return path
