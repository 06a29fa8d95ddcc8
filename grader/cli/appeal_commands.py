"""Commands for appeals, which need stored results alone: `explain`, `replay`."""

from pathlib import Path

import click

from grader.cli.document import document
from grader.cli.options import (
    BAD_INPUT,
    EXIT_CODES,
    GRADED,
    INTERRUPTED,
    UNSETTLED,
    examples,
    exit_codes,
    jobs_option,
    json_option,
    kit_option,
    lab_option,
    out_option,
)

_EXPLAINED = examples(
    "explain --out ~/grades/lab1 --student student07",
    "explain --out ~/grades/lab1 --student student07 --for-student",
)


@click.command(epilog=_EXPLAINED + EXIT_CODES)
@out_option("A folder that `grade` wrote.")
@click.option("--student", required=True, metavar="S", help="Whose points.")
@click.option("--for-student", is_flag=True, help="Leave out what the lab's feedback withholds.")
@json_option()
def explain(out: Path, student: str, *, for_student: bool, as_json: bool) -> int:
    """Print where each of a student's points comes from: tests, counters, ratios with their
    intervals and thresholds, the sums, and the kit, seed, machine and compilers."""
    from grader.cli.explain import explain_student

    explain_student(out, student, for_student=for_student, as_json=as_json)
    return GRADED


_REPLAYED = examples("replay --out ~/grades/lab1 --student student07") + exit_codes(
    {
        GRADED: "the repeated result agrees with the stored one",
        UNSETTLED: "something differs",
        BAD_INPUT: "wrong usage, or it could not be repeated",
        INTERRUPTED: "interrupted",
    }
)


@click.command(epilog=_REPLAYED)
@out_option("A folder that `grade` wrote.")
@click.option("--student", required=True, metavar="S", help="Whose grading to repeat.")
@json_option()
def replay(out: Path, student: str, *, as_json: bool) -> int:
    """Repeat one grading with its kit, seed and text, all from the store, and show what differs.

    Verdicts and counters must be the same. Measured times agree if they earn the same points or
    their intervals overlap. The stored result is never changed."""
    from grader.cli.replay import replay_student

    return GRADED if replay_student(out, student, as_json=as_json) else UNSETTLED


_REGRADED = examples(
    "regrade --lab LAB --out ~/grades/lab1", "regrade --lab LAB --out ~/grades/lab1 --apply"
)


@click.command(epilog=_REGRADED + EXIT_CODES)
@lab_option(required=True)
@out_option("A folder that `grade` wrote.")
@kit_option()
@jobs_option()
@click.option("--apply", "is_applied", is_flag=True, help="Make the new points count.")
@json_option()
def regrade(
    lab: str, out: Path, kit: Path | None, jobs: int | None, *, is_applied: bool, as_json: bool
) -> int:
    """Show whose points a changed lab changes, and why; with --apply make them count.

    Changed points and thresholds are computed from the stored measurements, if these suffice; where
    a test changed, what students handed in is graded again. Old points are kept beside new ones."""
    from grader.cli.regrade import Regrading, regrade_class

    with document(as_json=as_json) as facts:
        settled = regrade_class(Regrading(lab, out, kit, jobs, is_applied), facts)
    return GRADED if settled else UNSETTLED


COMMANDS = [explain, replay, regrade]
