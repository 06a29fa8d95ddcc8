"""Commands for a lab's author: `check` and `points`."""

import json
from pathlib import Path

import click

from grader.cli.document import document
from grader.cli.options import (
    EXIT_CODES,
    GRADED,
    UNSETTLED,
    examples,
    json_option,
    kit_option,
    lab_option,
    out_option,
    seed_option,
)


@click.command(epilog=examples("check --lab LAB --no-mutants", "check") + EXIT_CODES)
@lab_option(required=False)
@kit_option()
@click.option("--mutants/--no-mutants", default=True, help="Whether to change the reference.")
@seed_option()
@json_option()
def check(
    lab: str | None, kit: Path | None, seed: int | None, *, mutants: bool, as_json: bool
) -> int:
    """Check that a lab, or every lab, is whole: handout, stub, points, that each of its sample
    submissions gets exactly its verdict, and that the tests notice small changes of the
    reference."""
    from grader.cli.check import check_labs

    with document(as_json=as_json) as facts:
        checked = check_labs(lab, kit, seed, mutate=mutants)
        facts["labs"] = checked
    return UNSETTLED if any(each.problems for each in checked) else GRADED


_POINTS = examples("points --lab LAB", 'points --lab LAB --only "lazy/*"')


@click.command(epilog=_POINTS + EXIT_CODES)
@lab_option(required=True)
@kit_option()
@click.option("--only", default="*", metavar="PATTERN", help='Some samples: "lazy/*".')
@seed_option()
@out_option("Also write the results, one JSON document a line, to this file.", required=False)
@json_option()
def points(
    lab: str, kit: Path | None, only: str, seed: int | None, out: Path | None, *, as_json: bool
) -> int:
    """Print the points that each accepted, slow and lazy sample of a lab earns, as a table in
    Markdown: the figures by which thresholds are set."""
    from grader.cli.points import print_points

    with document(as_json=as_json) as facts:
        results = print_points(lab, kit, seed, only, out)
        facts.update(lab=lab, samples=[json.loads(each.model_dump_json()) for each in results])
    return GRADED


COMMANDS = [check, points]
