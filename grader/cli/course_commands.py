"""Commands on a whole course: `term`."""

from pathlib import Path

import click

from grader.cli.document import document
from grader.cli.options import EXIT_CODES, UserPath, examples, json_option, out_option

_TERM = examples(
    "term --course ~/course.toml --out ~/grades/term",
    "term --course ~/course.toml --publish",
    "term --course ~/course.toml --lab LAB --format canvas "
    "--gradebook ~/gradebook.csv --to ~/filled.csv",
)


@click.command(epilog=_TERM + EXIT_CODES)
@click.option(
    "--course", required=True, type=UserPath(), metavar="FILE", help="The course's course.toml."
)
@click.option(
    "--data",
    type=UserPath(),
    metavar="DIR",
    help="The service's folder, if students hand in there (hand_in.data of course.toml).",
)
@out_option("Write term.csv and term.json to this folder.", required=False)
@click.option("--publish", is_flag=True, help="Record the scores as published.")
@click.option("--student", metavar="S", help="Explain this student's scores in words instead.")
@click.option(
    "--gradebook",
    type=UserPath(),
    metavar="FILE",
    help="A table that Canvas or Moodle exported: write it with the scores filled in.",
)
@click.option("--format", "format_name", metavar="FORMAT", help="Whose table it is: as in export.")
@click.option("--lab", metavar="LAB", help="The lab whose scores it gets (the totals).")
@click.option("--column", metavar="TITLE", help="Its column for the scores (the lab's name).")
@click.option("--to", type=UserPath(), metavar="PATH", help="Where to write it (--out).")
@json_option()
def term(
    course: Path,
    data: Path | None,
    out: Path | None,
    student: str | None,
    gradebook: Path | None,
    format_name: str | None,
    lab: str | None,
    column: str | None,
    to: Path | None,
    *,
    publish: bool,
    as_json: bool,
) -> int:
    """Compute the term's table: deadlines, late days, groups, totals and grades."""
    from grader.cli.term import Gradebook, show_term

    if student is not None and (out or publish or gradebook):
        raise click.UsageError("--student only prints: leave out --out, --publish, --gradebook")
    if gradebook is None and (format_name or lab or column or to):
        raise click.UsageError("--format, --lab, --column and --to need --gradebook")
    target, book = to or out, None
    if gradebook is not None:
        if format_name is None or target is None:
            raise click.UsageError("--gradebook needs --format, and --to or --out")
        book = Gradebook(gradebook, format_name, lab, column, target)
    with document(as_json=as_json) as facts:
        return show_term(course, data, out, student, book, facts, is_published=publish)


COMMANDS = [term]
