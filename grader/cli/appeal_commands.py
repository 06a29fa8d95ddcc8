"""Commands for appeals, which need stored results alone: `explain`, `replay`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import EXIT_CODES, GRADED, UNSETTLED, out_option

_EXPLAINED = """
\b
Examples:
  grader explain --out ~/grades/lab1 --student student07
  grader explain --out ~/grades/lab1 --student student07 --for-student
"""


@click.command(epilog=_EXPLAINED + EXIT_CODES)
@out_option("A folder that `grade` wrote.")
@click.option("--student", required=True, metavar="S", help="Whose points.")
@click.option("--for-student", is_flag=True, help="Leave out what the lab's feedback withholds.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def explain(out: Path, student: str, *, for_student: bool, as_json: bool) -> int:
    """Print where each of a student's points comes from: tests, counters, ratios with their
    intervals and thresholds, the sums, and the kit, seed, machine and compilers."""
    from grader.cli.explain import explain_student

    explain_student(out, student, for_student=for_student, as_json=as_json)
    return GRADED


_REPLAYED = """
\b
Examples:
  grader replay --out ~/grades/lab1 --student student07

\b
Exit codes:
  0    the repeated result agrees with the stored one
  1    something differs
  2    wrong usage, or it could not be repeated
  130  interrupted
"""


@click.command(epilog=_REPLAYED)
@out_option("A folder that `grade` wrote.")
@click.option("--student", required=True, metavar="S", help="Whose grading to repeat.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")
def replay(out: Path, student: str, *, as_json: bool) -> int:
    """Repeat one grading with its kit, seed and text, all from the store, and show what differs.

    Verdicts and counters must be the same. Measured times agree if they earn the same points or
    their intervals overlap. The stored result is never changed."""
    from grader.cli.replay import replay_student

    return GRADED if replay_student(out, student, as_json=as_json) else UNSETTLED


COMMANDS = [explain, replay]
