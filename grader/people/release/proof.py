"""The proof of a students' copy: it is set up, built and tested as students will do."""

import contextlib
import os
import re
import shutil
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import GraderError
from grader.people.handouts.links import problems as link_problems
from grader.people.release.contents import SUBMIT, Chosen
from grader.people.release.leaks import hidden_lines, leaks, other_labs
from grader.people.release.tally import NOT_WRITTEN, Target, read_targets, stub_problem
from grader.people.release.tree import Tree, write_tree

Say = Callable[[str], None]
"""Where the proof reports each step that succeeded."""

STEP_TIMEOUT_S = 2 * 3600.0
_SHOWN_PROBLEMS = 10
_SHOWN_LINES = 30
_STUBS_FAILED = 3  # Bazel's exit code: built, but tests failed
_TESTS = ("test", "--keep_going", "--noshow_progress", "--curses=no", "--color=no")
_OWN_OPTIONS = "user.bazelrc"


def prove(tree: Tree, chosen: Chosen, root: Path, say: Say) -> None:
    """GraderError if the copy is not as students must get it; `root` is the instructor's workspace.

    Works in a scratch folder, which it removes. Takes minutes, most of them for Bazel's build.
    """
    _prove_text(tree, chosen, root, say)
    bazel = shutil.which("bazel") or shutil.which("bazelisk")
    if bazel is None:
        raise GraderError(
            "cannot prove the students' copy: no bazel", "run ./setup, or give --no-proof"
        )
    with _scratch(bazel) as scratch:
        write_tree(tree, scratch.copy)
        _require("links that lead nowhere", link_problems(scratch.copy))
        say("every link leads to a file")
        _use_own_options(root, scratch.copy)
        _prove_build(scratch, say)
        _prove_stubs(scratch, chosen, say)
        _prove_references(scratch, chosen, root, say)


def _prove_text(tree: Tree, chosen: Chosen, root: Path, say: Say) -> None:
    hidden = hidden_lines(root / "solutions")
    found = leaks(tree, chosen.stubs, hidden) + other_labs(tree, chosen.others)
    _require("what students must not see", found)
    say(f"{len(tree)} files have none of {len(hidden)} hidden lines, and name neither solutions, "
        "grader nor other labs")  # fmt: skip


@dataclass(frozen=True)
class _Scratch:
    """A copy of the release, and its own outputs of Bazel."""

    folder: Path
    bazel: str

    @property
    def copy(self) -> Path:
        return self.folder / "copy"

    @property
    def events(self) -> Path:
        return self.folder / "events"

    def run(self, *command: str, expected: int = 0) -> None:
        """Runs a command in the copy; GraderError with its last lines if it ends otherwise."""
        shown = command[0] if command[0].startswith("./") else f"bazel {' '.join(command)}"
        full = list(command) if command[0].startswith("./") else [*self._startup(), *command]
        try:
            done = subprocess.run(
                full,
                cwd=self.copy,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=STEP_TIMEOUT_S,
                text=True,
                errors="replace",
            )
        except subprocess.TimeoutExpired as error:
            raise GraderError(
                f"{shown} in the students' copy did not end within {STEP_TIMEOUT_S:g} s",
                "see whether the machine is overloaded, then run the command again",
            ) from error
        if done.returncode != expected:
            last = "\n".join(done.stdout.splitlines()[-_SHOWN_LINES:])
            raise GraderError(
                f"{shown} in the students' copy: exit code {done.returncode}, expected {expected}\n"
                f"{last}",
                "correct what it reports; --no-proof writes the copy to look at",
            )

    def shut_down(self) -> None:
        subprocess.run(
            [*self._startup(), "shutdown"], cwd=self.copy, capture_output=True, timeout=60
        )

    def _startup(self) -> list[str]:
        # Should the grader be killed, the server does not stay for hours.
        return [self.bazel, f"--output_base={self.folder / 'base'}", "--max_idle_secs=60"]


@contextlib.contextmanager
def _scratch(bazel: str) -> Iterator[_Scratch]:
    with tempfile.TemporaryDirectory(prefix="release-", ignore_cleanup_errors=True) as name:
        scratch = _Scratch(Path(name), bazel)
        scratch.copy.mkdir()
        try:
            yield scratch
        finally:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                scratch.shut_down()
            _make_removable(scratch.folder)


def _make_removable(folder: Path) -> None:
    """Bazel takes the right to write from the folders of its outputs."""
    for place, _, _ in os.walk(folder):
        Path(place).chmod(stat.S_IRWXU)


def _use_own_options(root: Path, copy: Path) -> None:
    """The user's options of Bazel, such as a proxy or a cache, but none of the staff's configs."""
    with contextlib.suppress(FileNotFoundError):
        lines = (root / _OWN_OPTIONS).read_text(encoding="utf-8").splitlines(keepends=True)
        (copy / _OWN_OPTIONS).write_text("".join(line for line in lines if "config" not in line))


def _prove_build(scratch: _Scratch, say: Say) -> None:
    start = time.monotonic()
    scratch.run("./setup")
    if (scratch.copy / ".venv").exists():
        raise GraderError(
            "./setup makes .venv in the students' copy, which needs none",
            "see what it takes for the grader",
        )
    scratch.run("query", "--noshow_progress", "deps(//...)")
    say("./setup and bazel query //... succeed")
    if (scratch.copy / SUBMIT).exists():
        scratch.run(f"./{SUBMIT}", "--help")
        say(f"./{SUBMIT} starts")
    scratch.run("build", "--noshow_progress", "//...")
    say(f"bazel build //... succeeds ({time.monotonic() - start:.0f} s)")


def _prove_stubs(scratch: _Scratch, chosen: Chosen, say: Say) -> None:
    events = f"--build_event_json_file={scratch.events}"
    scratch.run(*_TESTS, events, "//labs/...", expected=_STUBS_FAILED)
    targets = read_targets(scratch.events)
    problems = [problem for target in targets if (problem := stub_problem(target))]
    found = [problem.partition(", its log has")[0] for problem in problems]
    for lab, it in chosen.labs.items():
        said = _not_written(targets, lab)
        missing = [part.function for part in it.parts if part.function not in said]
        found += [f"{chosen.stub(lab)}: {name} is written, or not called" for name in missing]
    _require("stubs that do not fail as they should", found)
    say(f"the stubs of {len(targets)} labs fail with one line each")


def _not_written(targets: list[Target], lab: str) -> list[str]:
    """The words of the lines in which the lab's tests say what is not written."""
    logs = [it.files.get("test.log") for it in targets if it.label.startswith(f"//labs/{lab}:")]
    lines = [line for log in logs if log for line in log.read_text(errors="replace").splitlines()]
    return [word for line in lines if NOT_WRITTEN.match(line) for word in re.findall(r"\w+", line)]


def _prove_references(scratch: _Scratch, chosen: Chosen, root: Path, say: Say) -> None:
    start = time.monotonic()
    for lab, it in chosen.labs.items():
        reference = root / "solutions" / lab / it.file
        try:
            shutil.copyfile(reference, scratch.copy / chosen.stub(lab))
        except OSError as error:
            raise GraderError(
                f"cannot read {reference}: {error.strerror}", "write the lab's reference"
            ) from error
    scratch.run(*_TESTS, "//labs/...")
    say(f"the references pass its tests ({time.monotonic() - start:.0f} s)")


def _require(what: str, found: list[str]) -> None:
    if found:
        shown = "\n".join(f"  {line}" for line in found[:_SHOWN_PROBLEMS])
        more = f"\n  and {len(found) - _SHOWN_PROBLEMS} more" if found[_SHOWN_PROBLEMS:] else ""
        raise GraderError(
            f"the students' copy has {what}: {len(found)}\n{shown}{more}",
            "correct these files; nothing was released",
        )
