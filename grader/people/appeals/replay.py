"""Repeats one grading with the kit, the seed and the text that the store keeps."""

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.judging.collect.submission import Submission
from grader.judging.collect.tree import Entry, FolderTree, Kind
from grader.judging.judge.context import open_context
from grader.judging.kinds.run import grade_with_retries
from grader.judging.store import Store
from grader.model.errors import GraderError
from grader.model.manifest import Kit
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.sandbox.machine import has_gpu, machine_class
from grader.sandbox.processes import Processes

_TIMEOUT_S = 20.0


@dataclass(frozen=True)
class Replay:
    """A stored result and the repeated one, and how this machine differs from that of before."""

    stored: Result
    repeated: Result
    notes: list[str]


@dataclass(frozen=True)
class Case:
    """What the store keeps of one grading, unpacked."""

    kit: Kit
    submission: Submission
    secret: str


def replay(out: Path, student: str, say: Callable[[str], None]) -> Replay:
    """Grades the student's stored text again; the store stays as it is.

    GraderError if the store lacks the text or the kit, or if the grader fails.
    """
    with Store(out, create=False) as store:
        stored = store.load(student, texts=True)
    return repeat(out, stored, say)


def repeat(
    out: Path, stored: Result, say: Callable[[str], None], processes: Processes | None = None
) -> Replay:
    """The same for any result of the store, also one that does not count for its student.

    Whoever stops `processes` stops it, too.
    """
    student = stored.student
    with _unpacked(out, stored) as case:
        gpu = has_gpu(stored.key.machine)
        notes = list(_other_machine(case.kit, stored, gpu=gpu))
        with open_context(
            case.kit,
            stored.key.seed,
            1,
            gpu=gpu,
            secret=case.secret,
            say=say,
            processes=processes,
        ) as context:
            repeated = grade_with_retries(context, case.submission)
    if not repeated.verdict.is_final:
        reason = repeated.diagnostics[0].text if repeated.diagnostics else "it did not say why"
        raise GraderError(
            f"the grading of {student} cannot be repeated here: {reason}",
            "fix that, or repeat it on the machine that graded",
        )
    return Replay(stored, repeated, notes)


@contextmanager
def _unpacked(out: Path, stored: Result) -> Iterator[Case]:
    """The store is closed before anything is graded, so that a grader may use it meanwhile."""
    with tempfile.TemporaryDirectory(prefix="grader-replay-") as name:
        folder = Path(name)
        with Store(out, create=False) as store:
            if not stored.verdict.is_final:
                raise GraderError(
                    f"{stored.student} was not judged: there is no result to compare with",
                    "run the same `grade` command again",
                )
            text = store.archive.content(stored.key.submission)
            if text is None:
                raise _no_text(store, stored)
            kit = store.kit(stored.key.kit, folder / "kit")
            secret = store.secret()
        yield Case(kit, _submission(stored, kit, text, folder / "handed_in"), secret)


def _no_text(store: Store, stored: Result) -> GraderError:
    if stored.verdict in (Verdict.NOTHING_GRADABLE, Verdict.POLICY) and not stored.seconds:
        why = " ".join(entry.text for entry in stored.diagnostics) or "its file was refused"
        return GraderError(
            f"{stored.student} handed in no file that could be graded: {why}",
            "there is nothing to repeat",
        )
    return store.archive.not_kept(f"the text of {stored.student}")


def _submission(stored: Result, kit: Kit, text: bytes, folder: Path) -> Submission:
    folder.mkdir()
    name = kit.manifest.file
    (folder / name).write_bytes(text)
    entry = Entry((name,), Kind.FILE, len(text))
    digest = stored.key.submission
    return Submission(stored.student, stored.source, digest, None, FolderTree(folder), entry)


def _other_machine(kit: Kit, stored: Result, *, gpu: bool) -> Iterator[str]:
    here = machine_class(gpu=gpu)
    if here != stored.key.machine:
        yield f"graded on {stored.key.machine}, repeated on {here}: times may differ"
    for program in sorted(
        {step[0] for build in kit.manifest.builds.values() for step in build.steps}
    ):
        expected = kit.manifest.versions.get(Path(program).name)
        found = _version(program) if expected else None
        if expected and found != expected:
            yield f"{program}: the kit was built with {expected}, here is {found or 'none'}"


def _version(program: str) -> str | None:
    try:
        done = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.partition("\n")[0]
