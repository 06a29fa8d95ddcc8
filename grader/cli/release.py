"""`release`: proves the students' copy and publishes it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from grader.cli.kits import require_known
from grader.cli.places import lab_names, workspace
from grader.model.errors import GraderError
from grader.model.kind import lab_of
from grader.people.course.course import Course, load_course
from grader.people.release.contents import choose, strangers, student_tree
from grader.people.release.proof import prove
from grader.people.release.publish import check_place, publish
from grader.people.release.update import Change, Step
from grader.service.client.submit import StopError, checked_address

_NAMED = 20
"""Files that are added or updated in passing are not all named; those that are kept always are."""


def release_labs(
    out: Path,
    labs: Sequence[str],
    *,
    proof: bool,
    course: Path | None = None,
    console: Console | None = None,
) -> dict[str, Any]:
    """Writes or updates the students' copy `out` with these labs, and those that it has.

    `course` says where students hand in, without which it is where they did, and which labs there
    are, if none is named. Returns what --json prints.
    """
    console = console or Console()
    root = workspace()
    known = lab_names()
    taught = load_course(course) if course else None
    if taught and not labs:
        labs = list(dict.fromkeys(lab_of(lab.name) for lab in taught.labs))
    require_known(labs, known)
    there = check_place(out, root)
    had = [lab for lab in there.labs if lab in known] if there else []
    chosen = choose(root, [*labs, *had] or known, known)
    address = _address(course, taught) if course and taught else there.address if there else ""
    tree = student_tree(root, chosen, address)
    left_out = list(strangers(root, chosen))
    for name in left_out:
        _say(console, f"left out: {name}: git does not track it", "yellow")
    if proof:
        prove(tree, chosen, root, lambda what: _say(console, f"proven: {what}"))
    else:
        _say(console, "not proven: --no-proof leaves out the build, the tests and the search for "
             "hidden texts", "yellow")  # fmt: skip
    changes = publish(tree, list(chosen.labs), chosen.stubs, out, address)
    _tell(console, changes, is_new=there is None)
    names = f"{len(chosen.labs)} labs" if len(chosen.labs) > 3 else ", ".join(chosen.labs)
    _say(console, f"released {names}, {len(tree)} files: {out.resolve()}")
    if address:
        _say(console, f"students hand in with ./submit, to {address}")
    return {
        "out": out.resolve(),
        "labs": list(chosen.labs),
        "address": address,
        "files": len(tree),
        "is_proven": proof,
        "left_out": left_out,
        "changes": changes,
    }


def _address(course: Path, taught: Course) -> str:
    """The service's address in course.toml, if ./submit accepts it; empty if there is none."""
    address = taught.hand_in.address
    try:
        return checked_address(address) if address else ""
    except StopError as error:
        raise GraderError(f"{course}: {error.problem}", "correct [hand_in] address") from error


def _tell(console: Console, changes: Sequence[Change], *, is_new: bool) -> None:
    if is_new:
        return
    for step in Step:
        found = [change for change in changes if change.step is step]
        shown = found if step is Step.KEPT else found[:_NAMED]
        for change in shown:
            _say(console, f"{step}: {change.name}" + (f": {change.why}" if change.why else ""))
        if len(found) > len(shown):
            _say(console, f"{step}: {len(found) - len(shown)} more files")
    if not changes:
        _say(console, "nothing has changed")


def _say(console: Console, text: str, style: str = "") -> None:
    console.print(Text(text, style=style), soft_wrap=True)
