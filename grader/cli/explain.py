"""`explain`: where each point of one student comes from, from the store alone."""

from pathlib import Path

from rich.console import Console

from grader.cli.document import print_document
from grader.judging.store import Store
from grader.pages.presentation.derivation import derive
from grader.pages.presentation.provenance import provenance
from grader.pages.report.explanation import print_explanation
from grader.people.appeals.kept import compilers_of, lab_of


def explain_student(
    out: Path, student: str, *, for_student: bool, as_json: bool, console: Console | None = None
) -> None:
    """Prints the derivation of a student's points; GraderError if there is no such result."""
    with Store(out, create=False) as store:
        result = store.load(student, texts=False)
        facts = provenance(
            result,
            compilers_of(store, result.key.kit),
            store.earlier(student),
            kit_is_kept=bool(store.archive.kit_files(result.key.kit)),
            text_is_kept=store.text(student) is not None,
            for_student=for_student,
        )
        derivation = derive(result, lab_of(store, result.key.kit), for_student=for_student)
    if as_json:
        document = {
            "derivation": derivation.model_dump(mode="json"),
            "provenance": facts.model_dump(mode="json"),
        }
        print_document(document)
    else:
        print_explanation(derivation, facts, console or Console())
