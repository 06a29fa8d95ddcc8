"""Commands on a whole course: `term`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import EXIT_CODES, UserPath, out_option


@click.command(epilog=EXIT_CODES)
@click.option(
    "--course", required=True, type=UserPath(), metavar="FILE", help="The course's course.toml."
)
@out_option("Write term.csv and term.json to this folder.", required=False)
@click.option("--publish", is_flag=True, help="Record the scores as published.")
@click.option("--student", metavar="S", help="Explain this student's scores in words instead.")
def term(course: Path, out: Path | None, publish: bool, student: str | None) -> int:
    """Compute the term's table: deadlines, late days, groups, totals and grades."""
    from grader.cli.term import show_term

    if student is not None and (out or publish):
        raise click.UsageError("--student only prints: leave out --out and --publish")
    return show_term(course, out, publish, student)


COMMANDS = [term]
