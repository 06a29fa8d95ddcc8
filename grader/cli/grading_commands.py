"""Commands that grade a class: `grade` and `demo`."""

from __future__ import annotations

from pathlib import Path

import click

from grader.cli.options import (
    EXIT_CODES,
    GRADED,
    UNSETTLED,
    UserPath,
    jobs_option,
    kit_option,
    lab_option,
    out_option,
    seed_option,
)
from grader.cli.places import from_user


@click.command(epilog=EXIT_CODES)
@lab_option(required=True)
@click.option(
    "--submissions",
    required=True,
    type=UserPath(),
    metavar="DIR",
    help="A folder per student, a Gradescope, Moodle or Canvas download (folder or zip), or a "
    "folder of git clones.",
)
@out_option("Where results are kept; a second run there grades only what is new.")
@jobs_option()
@click.option("--student", multiple=True, metavar="S", help="Only this student; may be repeated.")
@seed_option()
@click.option("--force", is_flag=True, help="Grade again what is graded already.")
@click.option("--gpu", is_flag=True, help="Time a CUDA lab on the GPU.")
@kit_option()
def grade(
    lab: str,
    submissions: Path,
    out: Path,
    jobs: int | None,
    student: tuple[str, ...],
    seed: int | None,
    force: bool,
    kit: Path | None,
    *,
    gpu: bool,
) -> int:
    """Grade a class. Each result is stored as it comes: after Ctrl-C or a power cut, run the
    same command again and nothing is repeated."""
    from grader.cli.grade import Request, grade_class

    request = Request(lab, submissions, out, jobs, student, seed, force, kit, gpu)
    return UNSETTLED if grade_class(request).judge_errors else GRADED


@click.command(epilog=EXIT_CODES)
@out_option("Where to put the classes and their results (./grader-demo).", required=False)
@jobs_option()
@click.option("--lab", "labs", multiple=True, metavar="LAB", help="This lab; may be repeated.")
@click.option("--all", "all_labs", is_flag=True, help="Every lab.")
def demo(out: Path | None, jobs: int | None, labs: tuple[str, ...], *, all_labs: bool) -> int:
    """Grade sample submissions and compare each verdict with the expected one: about a dozen to
    two labs, or a whole class to every lab that is named."""
    from grader.cli.demo import Demo, grade_samples

    if labs and all_labs:
        raise click.UsageError("--lab and --all exclude each other")
    folder = out or from_user(Path("grader-demo"))
    return GRADED if grade_samples(Demo(folder, jobs, labs, all_labs)) else UNSETTLED


COMMANDS = [grade, demo]
