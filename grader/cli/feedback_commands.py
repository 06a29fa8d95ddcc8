"""Commands that write pages for students: `feedback` and `leaderboard`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import EXIT_CODES, GRADED, UserPath, out_option


@click.command(epilog=EXIT_CODES)
@out_option("A folder that `grade` wrote.")
@click.option(
    "--student", "students", multiple=True, metavar="S", help="Only this one; repeatable."
)
@click.option("--to", type=UserPath(), metavar="DIR", help="Folder to write (OUT/feedback).")
def feedback(out: Path, students: tuple[str, ...], to: Path | None) -> int:
    """Write a page for each student to hand back.

    Each is one HTML file that shows what the lab's feedback level allows: points and where they
    come from, what failed with the student's own lines, times, counters, and what to do next.
    """
    from grader.cli.pages import write_feedback_pages

    write_feedback_pages(out, students, to)
    return GRADED


COMMANDS = [feedback]
