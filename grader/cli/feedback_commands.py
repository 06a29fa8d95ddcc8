"""Commands that write pages for students: `feedback` and `leaderboard`."""

from pathlib import Path

import click

from grader.cli.document import document
from grader.cli.options import EXIT_CODES, GRADED, UserPath, examples, json_option, out_option

_FEEDBACK = examples(
    "feedback --out ~/grades/lab1", "feedback --out ~/grades/lab1 --student student07 --to ~/pages"
)
_LEADERBOARD = examples("leaderboard --out ~/grades/lab1 --top 10 --to ~/public/lab1")


@click.command(epilog=_FEEDBACK + EXIT_CODES)
@out_option("A folder that `grade` wrote.")
@click.option(
    "--student", "students", multiple=True, metavar="S", help="Only this one; repeatable."
)
@click.option("--to", type=UserPath(), metavar="DIR", help="Folder to write (OUT/feedback).")
@json_option()
def feedback(out: Path, students: tuple[str, ...], to: Path | None, *, as_json: bool) -> int:
    """Write a page for each student to hand back.

    Each is one HTML file that shows what the lab's feedback level allows: points and where they
    come from, what failed with the student's own lines, times, counters, and what to do next.
    """
    from grader.cli.pages import write_feedback_pages

    with document(as_json=as_json) as facts:
        facts["pages"] = write_feedback_pages(out, students, to)
    return GRADED


@click.command(epilog=_LEADERBOARD + EXIT_CODES)
@out_option("A folder that `grade` wrote.")
@click.option(
    "--nicknames",
    type=UserPath(),
    metavar="FILE",
    help="CSV: student, nickname. Who is not in it gets a random one, the same in every run.",
)
@click.option("--top", type=click.IntRange(1), metavar="N", help="Show only so many.")
@click.option("--to", type=UserPath(), metavar="DIR", help="Folder to write (OUT/leaderboard).")
@json_option()
def leaderboard(
    out: Path, nicknames: Path | None, top: int | None, to: Path | None, *, as_json: bool
) -> int:
    """Write a page of points under nicknames, to be published by itself.

    Who has which nickname is kept in OUT/nicknames.json, and nowhere else.
    """
    from grader.cli.pages import write_leaderboard_page

    with document(as_json=as_json) as facts:
        facts["page"] = write_leaderboard_page(out, to, nicknames, top)
    return GRADED


COMMANDS = [feedback, leaderboard]
