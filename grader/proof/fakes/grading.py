"""Grading with a fake kit, without a command."""

import hashlib
from pathlib import Path

from grader.judging.collect import Submission
from grader.judging.collect.tree import Entry, FolderTree, Kind
from grader.judging.judge.context import GradingContext
from grader.model.manifest import load_kit
from grader.proof.fakes.fake_kit import log, make_kit
from grader.sandbox.machine import MachineLock
from grader.sandbox.processes import Processes


def fake_context(
    folder: Path, *, counters: bool = False, parallelism: bool = False, gpu: bool = False
) -> GradingContext:
    """With a kit of these options; see make_kit()."""
    kit = load_kit(make_kit(folder, counters=counters, parallelism=parallelism, gpu=gpu))
    work = folder / "work"
    work.mkdir()
    processes = Processes()
    return GradingContext(kit, 1, "m", processes, MachineLock(processes, folder), work, gpu=gpu)


def modes(context: GradingContext) -> list[str]:
    """Of the runs of the checker so far."""
    return [line.split()[0] for line in log(context.kit.root)]


def submission(context: GradingContext, text: str, student: str = "student01") -> Submission:
    """A submission of this text, in a folder beside the context's."""
    folder = context.folder.parent / student
    folder.mkdir(exist_ok=True)
    (folder / "sum.cc").write_text(text, encoding="utf-8")
    data = text.encode()
    entry = Entry(("sum.cc",), Kind.FILE, len(data))
    digest = hashlib.sha256(data).hexdigest()
    return Submission(student, str(folder), digest, None, FolderTree(folder), entry)
