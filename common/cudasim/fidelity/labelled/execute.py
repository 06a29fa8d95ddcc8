"""Compiles a program with cudasim-cc -check and runs it under limits."""

from __future__ import annotations

import os
import re
import resource
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from common.cudasim.fidelity.labelled.model import (
    CLEAN,
    COMPILE_ERROR,
    TIME_LIMIT,
    Outcome,
    Program,
    Row,
    SuitesError,
)

COMPILE_LIMIT_S = 300
# A program that waits, or shares its core, may take longer than its limit of CPU time.
PATIENCE = 10


@dataclass(frozen=True)
class Runner:
    """Runs programs in scratch folders. Raises SuitesError if there is no such compiler."""

    compiler: Path
    limit_s: int  # of CPU time

    def __post_init__(self) -> None:
        if not os.access(self.compiler, os.X_OK) or self.compiler.is_dir():
            raise SuitesError(
                f"no compiler: {self.compiler}",
                "bazel build //common/cudasim/driver:cudasim-cc, or name it with --compiler",
            )

    def run(self, program: Program) -> Row:
        if program.not_run:
            return Row(program, None, program.not_run)
        with tempfile.TemporaryDirectory(prefix="labelled-") as name:
            # Deep, as some programs read ../../../data.
            folder = Path(name) / "a" / "b" / "c"
            folder.mkdir(parents=True)
            for path, text in program.files.items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text)
            errors = self._compile(program, folder)
            if errors is not None:
                why_not = without_body(program, errors)
                if why_not:
                    return Row(program, None, why_not)
                return Row(program, Outcome(COMPILE_ERROR, first_error(errors)))
            return Row(program, self._execute(program, folder))

    def _compile(self, program: Program, folder: Path) -> str | None:
        """The compiler's messages if it fails."""
        sources = [str(path if path.is_absolute() else folder / path) for path in program.sources]
        command = [str(self.compiler), "-check", "-w", *program.flags, *sources]
        command += ["-o", str(folder / "program")]
        # The driver goes to the folder from which `bazel run` was called.
        environment = {k: v for k, v in os.environ.items() if k != "BUILD_WORKING_DIRECTORY"}
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=COMPILE_LIMIT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"error: the compiler took more than {COMPILE_LIMIT_S} s"
        return done.stdout + done.stderr if done.returncode else None

    def _execute(self, program: Program, folder: Path) -> Outcome:
        with (
            (folder / ".input").open("w+") as given,
            (folder / ".messages").open("w+", errors="replace") as messages,
        ):
            given.write(program.input)
            given.seek(0)
            process = subprocess.Popen(
                [folder / "program", *program.arguments],
                cwd=folder,
                stdin=given,
                stdout=subprocess.DEVNULL,
                stderr=messages,
                # Another finding may come before the one that the label is about.
                env=os.environ | {"CUDASIM_CONTINUE": "1"},
            )
            limits = (self.limit_s, self.limit_s + 1)
            resource.prlimit(process.pid, resource.RLIMIT_CPU, limits)
            try:
                code = process.wait(self.limit_s * PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                return Outcome(TIME_LIMIT, f"limit {self.limit_s * PATIENCE} s of elapsed time")
            messages.seek(0)
            return outcome_of(code, messages.read(), self.limit_s)


def outcome_of(code: int, messages: str, limit_s: int) -> Outcome:
    """The outcome of a program that ended with the code and wrote the messages."""
    found = re.findall(r"^cudasim: (?!warning)(\w+): (?!and \d)(.*)", messages, re.MULTILINE)
    if found:
        return Outcome(", ".join(dict.fromkeys(kind for kind, _ in found)), found[0][1])
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return Outcome(TIME_LIMIT, f"limit {limit_s} s of CPU time")
    if code < 0:
        return Outcome(f"signal {-code}", signal.Signals(-code).name)
    return Outcome(CLEAN) if code == 0 else Outcome(f"exit {code}", last_line(messages))


def first_error(messages: str) -> str:
    """The first line that says `error`, without the folder of its file."""
    for line in messages.splitlines():
        said = re.search(r"(?:([^\s:]+):(\d+):(?:\d+:)? )?(?:fatal )?error: (.*)", line)
        if said:
            place = f"{Path(said[1]).name}:{said[2]}: " if said[1] else ""
            return place + said[3]
    return last_line(messages)


def without_body(program: Program, errors: str) -> str:
    """Why the program cannot run: it calls a function that its own source only declares."""
    for name in re.findall(r"undefined reference to `(\w+)", errors):
        for text in _texts(program):
            if re.search(rf"__device__[^;{{}}()]*\b{name}\s*\([^;{{}}]*\)\s*;", text):
                return f"calls {name}(), of which the suite has no definition"
    return ""


def _texts(program: Program) -> list[str]:
    """The sources, and the files that generated sources include."""
    named = re.findall(r'^#include "(/.*)"$', "\n".join(program.files.values()), re.MULTILINE)
    paths = [path for path in program.sources if path.is_absolute()] + [Path(n) for n in named]
    return [path.read_text(errors="replace") for path in paths]


def last_line(text: str) -> str:
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip() if lines else ""
