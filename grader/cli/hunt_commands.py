"""The command that draws a class's hunts: `hunt`."""

from pathlib import Path

import click

from grader.cli.document import document
from grader.cli.options import (
    EXIT_CODES,
    GRADED,
    UserPath,
    examples,
    json_option,
    kit_option,
    lab_option,
    out_option,
)

_HUNT = examples(
    "hunt --lab LAB --roster roster.csv --out ~/hunts/LAB",
    "hunt --lab LAB --roster roster.csv --faults 3 --mutants 60 --out ~/hunts/LAB",
)


@click.command(epilog=_HUNT + EXIT_CODES)
@lab_option(required=True)
@click.option(
    "--roster",
    required=True,
    type=UserPath(),
    metavar="FILE",
    help="Students in the order in which they sit: one name a line, or a CSV file.",
)
@click.option("--roster-column", metavar="HEAD", help="The column of --roster that has the names.")
@click.option(
    "--faults", type=click.IntRange(1, 4), default=2, show_default=True, help="For each student."
)
@click.option(
    "--mutants",
    type=click.IntRange(0, 1000),
    default=20,
    show_default=True,
    help="Mutants to judge, and to draw from besides the lab's samples.",
)
@kit_option()
@click.option("--tests-kit", type=UserPath(), metavar="DIR", help="The built kit of LAB-tests.")
@out_option("Where to write them; a second run there adds students and changes nothing else.")
@json_option()
def hunt(
    lab: str,
    roster: Path,
    roster_column: str | None,
    faults: int,
    mutants: int,
    kit: Path | None,
    tests_kit: Path | None,
    out: Path,
    *,
    as_json: bool,
) -> int:
    """Draw faults for each student, and write what they get: a program with those faults and a
    diagnosis to fill in. Everybody's are of the same difficulty; neighbours share none."""
    from grader.cli.hunt import draw_hunts
    from grader.cli.kits import find_kit
    from grader.cli.places import workspace
    from grader.model.kind import TESTS, assignment
    from grader.pages.report.roster import read_roster
    from grader.people.hunts.hunts import Wanted

    with document(as_json=as_json) as facts:
        names = read_roster(roster, (), roster_column)
        kits = (find_kit(lab, kit), find_kit(assignment(lab, TESTS), tests_kit))
        wanted = Wanted(*kits, workspace(), names, faults, mutants, out)
        facts.update(draw_hunts(wanted))
    return GRADED


COMMANDS = [hunt]
