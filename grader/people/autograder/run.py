"""Grades the submission in Gradescope's container: python3 -m grader.people.autograder.run.

Gradescope's layout, below /autograder: source (the unpacked zip file), submission,
submission_metadata.json, results. A submission that was not judged gets no results.json, so that
Gradescope shows a failed autograder and no score. What is printed is for instructors.
"""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from grader.judging.collect.shapes import below
from grader.judging.collect.submission import Submission, readable, settle
from grader.judging.collect.tree import Entry, FolderTree, Kind
from grader.judging.judge.context import open_context
from grader.judging.kinds.run import grade_with_retries
from grader.model.errors import GraderError
from grader.model.files import write_text
from grader.model.kind import BESIDE, TESTS
from grader.model.manifest import Kit, load_kit
from grader.model.result import Diagnostic, Result
from grader.pages.export.gradescope import document
from grader.pages.presentation.facts import is_graded
from grader.pages.presentation.text import one_line
from grader.pages.presentation.words import points_text, result_words
from grader.people.autograder.settings import KIT, Settings, load_settings
from grader.sandbox.run_in_jail import probe

_METADATA = "submission_metadata.json"
_MAX_METADATA_BYTES = 16 << 20
_TO_JAIL = (
    "make the zip file again with `grader autograder --allow-unjailed`, after reading what that "
    "costs in grader/docs/exports.md, or use a container that may make namespaces"
)
_NO_PRIORITY = (
    "this container may not set priorities (CAP_SYS_NICE): where its cores are busy, parallelism "
    "is measured too low; test the reference several times before students hand in"
)
_RERUN = (
    "This submission was not judged, through no fault of the student, and has no score.\n"
    "  next: run it again: Manage Submissions, the submission, Rerun Autograder; if it fails "
    "again, upload the zip file again or grade it on your own machine"
)


def main(arguments: list[str], layout: Path) -> int:
    """Exit code 0: results.json is written, or with --check the container is ready."""
    try:
        settings = load_settings(layout / "source")
        if arguments == ["--check"]:
            return check(settings, layout)
        return run(settings, layout)
    except GraderError as error:
        print(error)
    except OSError as error:
        print(f"error: {error.filename or 'a file'}: {error.strerror or error}")
    print(_RERUN if arguments != ["--check"] else "this container cannot grade")
    return 1


def check(settings: Settings, layout: Path) -> int:
    """Whether the kit can be used in this container; GraderError if not."""
    kit = ready_kit(settings, layout)
    for program in programs(kit):
        if not Path(program).exists():
            raise GraderError(f"{program} is missing", "see what apt-get says above")
    # By the loader: both ask for arguments otherwise.
    started = kit.jail if kit.manifest.kind == TESTS else kit.checker
    said = subprocess.run([started], capture_output=True, text=True).stderr
    if "not found" in said:
        raise GraderError(
            f"the kit's {started.name} does not start here: {one_line(said)}",
            "choose a base image at least as new as the system on which the kit was built",
        )
    print(f"ready to grade {kit.lab.title}")
    return 0


def programs(kit: Kit) -> list[str]:
    """Programs and libraries of the system that the kit's builds use."""
    named: set[str] = set()
    for build in kit.manifest.builds.values():
        named |= {step[0] for step in build.steps} | {build.symbolizer, *build.folders}
        named |= set(build.env.values())
    return sorted(name for name in named if name.startswith("/usr/"))


def ready_kit(settings: Settings, layout: Path) -> Kit:
    """The kit, which says what protects this container from submissions; prints what is lost."""
    kit = load_kit(layout / "source" / KIT)
    if kit.lab.measures_teams and not sets_priority():
        print(f"note: {_NO_PRIORITY}")
    try:
        lost = probe(kit.jail)
    except GraderError as error:
        if not settings.allow_unjailed:
            raise GraderError(error.problem, _TO_JAIL) from error
        print(f"no jail: {error.problem}")
        return kit.model_copy(update={"unjailed": True})
    for line in lost:
        print(f"protection lost: {line}")
    return kit


def sets_priority() -> bool:
    """Whether this process may prefer a thread to others, as measuring parallelism does."""
    usual = os.getpriority(os.PRIO_PROCESS, 0)
    try:
        os.setpriority(os.PRIO_PROCESS, 0, usual - 1)
        os.setpriority(os.PRIO_PROCESS, 0, usual)
    except PermissionError:
        return False
    return True


def run(settings: Settings, layout: Path) -> int:
    """Grades the submission and writes results.json; 1 if it was not judged."""
    results = layout / "results" / "results.json"
    results.unlink(missing_ok=True)
    keep_from_others(layout)
    kit = ready_kit(settings, layout)
    with open_context(kit, settings.seed, jobs=1, secret=settings.secret) as context:
        submission = find(settings, kit, layout)
        result = grade_with_retries(context, submission)
    if submission.note:
        result.diagnostics.insert(0, Diagnostic(phase="handed_in", text=submission.note))
    for phase, seconds in result.seconds.items():
        print(f"{phase}: {seconds:.1f} s")
    if not is_graded(result):
        print("\n".join(f"reason: {one_line(entry.text)}" for entry in reasons(result)))
        print(_RERUN)
        return 1
    text = json.dumps(document(result, kit.lab), ensure_ascii=False, indent=1)
    write_text(results, text + "\n")
    points = f"{points_text(result.points)} of {points_text(result.max_points)} points"
    print(f"{result_words(result).label}, {points}")
    return 0


def reasons(result: Result) -> list[Diagnostic]:
    """Why it was not judged, for instructors."""
    return [entry for entry in result.diagnostics if entry.phase == "judge"]


def keep_from_others(layout: Path) -> None:
    """Submissions run under ids of their own: these are then out of their reach without a jail."""
    for name in ("source", "submission", "results"):
        (layout / name).chmod(0o700)
    metadata = layout / _METADATA
    if metadata.exists():
        metadata.chmod(0o600)


def find(settings: Settings, kit: Kit, layout: Path) -> Submission:
    """The lab's file among those that were handed in, wherever it lies."""
    tree = FolderTree(layout)
    found = below(tree, Entry(("submission",), Kind.FOLDER), student(layout / _METADATA))
    limit = kit.lab.limits.source_kb << 10
    beside = BESIDE.get(kit.manifest.kind, ())
    return settle(found, tree, kit.manifest.file, settings.lab, limit, beside)


def student(metadata: Path) -> str:
    """Who handed in, by e-mail address; a submission can be graded without knowing it."""
    users: Any = []
    with (
        contextlib.suppress(OSError, ValueError, RecursionError, AttributeError),
        metadata.open("rb") as file,
    ):
        users = json.loads(file.read(_MAX_METADATA_BYTES)).get("users")
    people = [user for user in users if isinstance(user, dict)] if isinstance(users, list) else []
    named = [str(user.get("email") or user.get("name") or "") for user in people]
    return readable(", ".join(filter(None, named))) or "submission"


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main(sys.argv[1:], Path(os.environ.get("AUTOGRADER", "/autograder"))))
