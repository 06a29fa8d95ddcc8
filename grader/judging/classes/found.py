"""What a run of `grade` found, recorded before anything is graded.

Whoever is found counts as not graded until a result is there, also if the run is killed. A
student's file that was graded by hand, from another folder, is not replaced by the class's.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

from grader.judging.collect import Collection, Submission
from grader.judging.collect.submission import readable
from grader.judging.store import Store
from grader.judging.store.notes import CHOSEN, CLASS, CORRECTED, NAMES
from grader.model.manifest import Kit
from grader.model.result import Diagnostic, Key, Result
from grader.model.verdict import Verdict

_WAITING = "found, but not graded by that run: run the same `grade` command again"


def record(
    store: Store, kit: Kit, found: Collection, named: Sequence[str], seed: int, machine: str | None
) -> tuple[set[str], list[str]]:
    """Stores who was found, as not graded where the file is new.

    Returns the students whose present result stays, because it was graded by hand, and what to
    say of such results. `named` are the students who were asked for.
    """
    store.notes.write(NAMES, store.notes.read(NAMES) | found.names)
    kept, notes = _corrections(store, found, frozenset(named))
    graded = [each for each in found.submissions if each.student not in kept]
    chosen = dict(store.notes.read(CHOSEN))
    for each in graded:
        chosen.pop(each.student, None)
        if each.note:
            chosen[each.student] = each.note
            notes.append(f"{each.student}: {each.note}")
    store.notes.write(CHOSEN, chosen)
    before = store.handed_in()
    waiting = [
        (_not_graded(kit, each, seed, machine or ""), [(each.student, each.source)])
        for each in graded
        if before.get(each.student, ("", ""))[1] != each.digest
    ]
    if waiting:
        store.put_all(waiting)
    return kept, notes


def _corrections(
    store: Store, collection: Collection, named: frozenset[str]
) -> tuple[set[str], list[str]]:
    """Students whose present result stays, and what to say of them."""
    root = readable(str(collection.root))
    home = store.notes.read(CLASS)
    corrected = dict(store.notes.read(CORRECTED))
    before, replaced = store.handed_in(), store.archive.replaced_texts()
    kept: set[str] = set()
    notes: list[str] = []
    for submission in collection.submissions:
        student = submission.student
        source, digest = before.get(student, ("", ""))
        if student in named:
            corrected.pop(student, None)
            if home and home["folder"] != root:
                corrected[student] = submission.source
        elif source and digest != submission.digest and not source.startswith(f"{root}/"):
            if student in corrected or submission.digest in replaced.get(student, ()):
                kept.add(student)
                notes.append(
                    f"{student}: kept the result of {source}; {submission.source} is another file, "
                    f"and --student {student} grades it instead"
                )
            else:
                notes.append(f"{student}: {submission.source} takes the place of {source}")
    store.notes.write(CORRECTED, corrected)
    if not named and len(collection.submissions) >= int(home.get("students", 0)):
        store.notes.write(CLASS, {"folder": root, "students": str(len(collection.submissions))})
    return kept, notes


def _not_graded(kit: Kit, submission: Submission, seed: int, machine: str) -> Result:
    return Result(
        lab=kit.manifest.lab,
        student=submission.student,
        source=submission.source,
        key=Key(kit=kit.manifest.digest, submission=submission.digest, seed=seed, machine=machine),
        verdict=Verdict.NOT_GRADED,
        points=0,
        max_points=kit.lab.max_points,
        diagnostics=[Diagnostic(phase="judge", text=_WAITING)],
        graded_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
