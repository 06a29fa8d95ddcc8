"""The command that makes the students' copy: `release`."""

from pathlib import Path

import click

from grader.cli.document import document
from grader.cli.options import EXIT_CODES, GRADED, UserPath, examples, json_option, out_option

_RELEASE = examples(
    "release --out ../course",
    "release --out ../course --lab LAB",
    "release --out ../course --course course.toml",
)


@click.command(epilog=_RELEASE + EXIT_CODES)
@out_option("The students' copy: a new folder, or one that `release` wrote.")
@click.option(
    "--lab",
    "labs",
    multiple=True,
    metavar="LAB",
    help="A lab to release; may be repeated (the course's, else all).",
)
@click.option(
    "--course",
    type=UserPath(),
    metavar="FILE",
    help="course.toml: its labs are released, its [hand_in] address puts ./submit into the copy.",
)
@click.option(
    "--proof/--no-proof",
    default=True,
    help="Whether to build and test the copy before it is written.",
)
@json_option()
def release(
    out: Path, labs: tuple[str, ...], course: Path | None, *, proof: bool, as_json: bool
) -> int:
    """Write what students get: labs, what they need to build and test, and a README; no solutions,
    no hidden tests, no grader.

    The copy is first proven in a scratch folder. If DIR is a copy already, also one in which a
    student has worked, its labs and LAB are updated: files that somebody edited are kept and named.
    """
    from grader.cli.release import release_labs

    with document(as_json=as_json) as facts:
        facts.update(release_labs(out, labs, proof=proof, course=course))
    return GRADED


COMMANDS = [release]
