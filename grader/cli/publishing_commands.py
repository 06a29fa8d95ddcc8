"""Commands that show stored results: `report` and `export`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import EXIT_CODES, GRADED, UserPath, out_option


class _Format(click.ParamType[str]):
    """One of the formats in grader/export, which are imported when one is asked for."""

    name = "format"

    def get_metavar(self, *_: object, **__: object) -> str:
        return f"[{'|'.join(self._formats())}]"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        formats = self._formats()
        if value not in formats:
            self.fail(f"{value!r} is not one of {', '.join(formats)}", param, ctx)
        return str(value)

    @staticmethod
    def _formats() -> list[str]:
        from grader.export import FORMATS

        return sorted(FORMATS)


@click.command(epilog=EXIT_CODES)
@out_option("A folder that `grade` wrote.")
@click.option("--student", metavar="S", help="Print this student's result in full instead.")
@click.option(
    "--roster",
    type=UserPath(),
    metavar="FILE",
    help="Who should have handed in: a name a line, or CSV. Kept for later pages.",
)
@click.option("--roster-column", metavar="HEAD", help="The column of --roster that has the names.")
def report(out: Path, student: str | None, roster: Path | None, roster_column: str | None) -> int:
    """Write the class's HTML page again and print its summary."""
    from grader.cli.publish import show_report

    if roster is None and roster_column is not None:
        raise click.UsageError("--roster-column needs --roster")
    if student is not None and roster is not None:
        raise click.UsageError("--roster is for the class's page: leave --student out")
    show_report(out, student, roster, roster_column)
    return GRADED


@click.command(epilog=EXIT_CODES)
@out_option("A folder that `grade` wrote.")
@click.option("--format", "format_name", required=True, type=_Format(), help="What to write.")
@click.option("--to", type=UserPath(), metavar="PATH", help="File or folder to write (--out).")
def export(out: Path, format_name: str, to: Path | None) -> int:
    """Write the results for another tool."""
    from grader.cli.publish import write_export

    write_export(out, format_name, to)
    return GRADED


COMMANDS = [report, export]
