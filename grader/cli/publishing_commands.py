"""Commands that show stored results: `report` and `export`."""

from pathlib import Path

import click

from grader.cli.document import document
from grader.cli.options import (
    EXIT_CODES,
    GRADED,
    UNSETTLED,
    UserPath,
    examples,
    json_option,
    out_option,
)


class _Format(click.ParamType[str]):
    """One of the formats in grader/pages/export, which are imported when one is asked for."""

    name = "format"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        formats = _formats()
        if value not in formats:
            self.fail(f"{value!r} is not one of {', '.join(formats)}", param, ctx)
        return str(value)


class _FormatOption(click.Option):
    """Its help names the formats; in one word with bars between, they would not fit a line."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        self.help = f"What to write: {', '.join(_formats())}."
        return super().get_help_record(ctx)


def _formats() -> list[str]:
    from grader.pages.export import FORMATS

    return sorted(FORMATS)


_REPORT = examples("report --out ~/grades/lab1", "report --out ~/grades/lab1 --student student07")


@click.command(epilog=_REPORT + EXIT_CODES)
@out_option("A folder that `grade` wrote.")
@click.option("--student", metavar="S", help="Print this student's result in full instead.")
@click.option(
    "--roster",
    type=UserPath(),
    metavar="FILE",
    help="Who should have handed in: a name a line, or CSV. Kept for later pages.",
)
@click.option("--roster-column", metavar="HEAD", help="The column of --roster that has the names.")
@json_option()
def report(
    out: Path, student: str | None, roster: Path | None, roster_column: str | None, *, as_json: bool
) -> int:
    """Write the class's HTML page again and print its summary."""
    from grader.cli.publish import show_report, stored_facts, student_facts

    if roster is None and roster_column is not None:
        raise click.UsageError("--roster-column needs --roster")
    if student is not None and roster is not None:
        raise click.UsageError("--roster is for the class's page: leave --student out")
    with document(as_json=as_json) as facts:
        show_report(out, student, roster, roster_column)
        if as_json:
            facts.update(student_facts(out, student) if student else stored_facts(out, ()))
    return GRADED


_EXPORT = examples(
    "export --out ~/grades/lab1 --format csv",
    "export --out ~/grades/lab1 --format canvas --gradebook ~/gradebook.csv --to ~/filled.csv",
)


@click.command(epilog=_EXPORT + EXIT_CODES)
@out_option("A folder that `grade` wrote.")
@click.option(
    "--format",
    "format_name",
    cls=_FormatOption,
    required=True,
    type=_Format(),
    metavar="FORMAT",
    help="What to write.",
)
@click.option("--to", type=UserPath(), metavar="PATH", help="File or folder to write (--out).")
@click.option(
    "--gradebook",
    type=UserPath(),
    metavar="FILE",
    help="A table that Canvas or Moodle exported: write it with the points filled in.",
)
@click.option("--column", metavar="TITLE", help="Its column for the points (the lab's title).")
@json_option()
def export(
    out: Path,
    format_name: str,
    to: Path | None,
    gradebook: Path | None,
    column: str | None,
    *,
    as_json: bool,
) -> int:
    """Write the results for another tool."""
    from grader.cli.publish import fill_gradebook, say_who_waits, write_export

    if column and not gradebook:
        raise click.UsageError("--column needs --gradebook")
    with document(as_json=as_json) as facts:
        facts["format"] = format_name
        if gradebook:
            path, facts["notes"] = fill_gradebook(out, format_name, gradebook, column, to)
            facts["written"] = [path]
        else:
            facts["written"] = write_export(out, format_name, to)
        facts["not_graded"] = say_who_waits(out)
    return UNSETTLED if facts["not_graded"] else GRADED


COMMANDS = [report, export]
