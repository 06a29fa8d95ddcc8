"""The command `similar`."""

from pathlib import Path

import click

from grader.cli.options import EXIT_CODES, GRADED, UserPath, examples, json_option, out_option

_SIMILAR = examples(
    "similar --out ~/grades/lab1", "similar --out ~/grades/lab1 --at-least 60 --to ~/similar.html"
)


@click.command(epilog=_SIMILAR + EXIT_CODES)
@out_option("A folder that `grade` wrote.")
@click.option("--to", type=UserPath(), metavar="FILE", help="The page (OUT/similar.html).")
@click.option(
    "--given",
    type=UserPath(),
    multiple=True,
    metavar="FILE",
    help="More code that all students had, such as a lecture's; may be repeated.",
)
@click.option(
    "--earlier",
    type=UserPath(),
    multiple=True,
    metavar="DIR",
    help="Results of an earlier term, to compare with, too; may be repeated.",
)
@click.option(
    "--at-least",
    type=click.IntRange(10, 100),
    default=80,
    show_default=True,
    metavar="PERCENT",
    help="Of one's tokens that the other one has as well.",
)
@click.option(
    "--most", type=click.IntRange(1, 500), default=50, show_default=True, help="Pairs to show."
)
@json_option()
def similar(
    out: Path,
    to: Path | None,
    given: tuple[Path, ...],
    earlier: tuple[Path, ...],
    at_least: int,
    most: int,
    *,
    as_json: bool,
) -> int:
    """Show which submissions share text, side by side. It accuses nobody and costs no points."""
    from grader.cli.similar import show_similar

    show_similar(out, to, given, earlier, at_least, most, as_json=as_json)
    return GRADED


COMMANDS = [similar]
