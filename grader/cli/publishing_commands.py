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
def report(out: Path, student: str | None) -> int:
    """Write the class's HTML page again and print its summary."""
    from grader.cli.publish import show_report

    show_report(out, student)
    return GRADED


@click.command(epilog=EXIT_CODES)
@out_option("A folder that `grade` wrote.")
@click.option("--format", "format_name", required=True, type=_Format(), help="What to write.")
@click.option("--to", type=UserPath(), metavar="PATH", help="File or folder to write (--out).")
@click.option(
    "--gradebook",
    type=UserPath(),
    metavar="FILE",
    help="A table that Canvas or Moodle exported: write it with the points filled in.",
)
@click.option("--column", metavar="TITLE", help="Its column for the points (the lab's title).")
def export(
    out: Path, format_name: str, to: Path | None, gradebook: Path | None, column: str | None
) -> int:
    """Write the results for another tool."""
    from grader.cli.publish import fill_gradebook, write_export

    if gradebook:
        fill_gradebook(out, format_name, gradebook, column, to)
    elif column:
        raise click.UsageError("--column needs --gradebook")
    else:
        write_export(out, format_name, to)
    return GRADED


COMMANDS = [report, export]
