"""Where each point of a submission comes from, with what staff alone may see."""

from grader.judging.store import FILE_NAME, Store
from grader.model.result import Result
from grader.pages.presentation.derivation import Derivation, derive
from grader.pages.presentation.provenance import Provenance, provenance
from grader.people.appeals.kept import compilers_of, lab_of
from grader.service.service import Service


def explanation(service: Service, result: Result) -> tuple[Derivation, Provenance] | None:
    """None where neither the lab's store nor the service knows the lab any more."""
    folder = service.data / "results" / result.lab
    kit = result.key.kit
    if not (folder / FILE_NAME).exists():
        lab = service.labs.get(result.lab)
        if lab is None:
            return None
        nothing_kept = provenance(
            result, {}, [], kit_is_kept=False, text_is_kept=True, for_student=False
        )
        return derive(result, lab), nothing_kept
    with Store(folder, create=False) as store:
        of_team = store.earlier(result.student)
        facts = provenance(
            result,
            compilers_of(store, kit),
            [(at, before) for at, before in of_team if _is_earlier(before, result)],
            kit_is_kept=bool(store.archive.kit_files(kit)),
            text_is_kept=True,
            for_student=False,
        )
        return derive(result, lab_of(store, kit)), facts


def _is_earlier(before: Result, result: Result) -> bool:
    """The store has what a team's line showed, of all its submissions."""
    is_same = before.key.submission == result.key.submission
    return is_same and before.graded_at < result.graded_at
