"""Commands on a whole course: `term`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.document import document
from grader.cli.options import EXIT_CODES, UserPath, examples, json_option, out_option

_TERM = examples(
    "term --course ~/course.toml --out ~/grades/term", "term --course ~/course.toml --publish"
)


@click.command(epilog=_TERM + EXIT_CODES)
@click.option(
    "--course", required=True, type=UserPath(), metavar="FILE", help="The course's course.toml."
)
@out_option("Write term.csv and term.json to this folder.", required=False)
@click.option("--publish", is_flag=True, help="Record the scores as published.")
@click.option("--student", metavar="S", help="Explain this student's scores in words instead.")
@json_option()
def term(
    course: Path, out: Path | None, student: str | None, *, publish: bool, as_json: bool
) -> int:
    """Compute the term's table: deadlines, late days, groups, totals and grades."""
    from grader.cli.term import show_term

    if student is not None and (out or publish):
        raise click.UsageError("--student only prints: leave out --out and --publish")
    with document(as_json=as_json) as facts:
        return show_term(course, out, student, facts, is_published=publish)


COMMANDS = [term]
