"""Commands that grade a class: `grade` and `demo`."""

from pathlib import Path

import click

from grader.cli.document import document
from grader.cli.options import (
    EXIT_CODES,
    GRADED,
    UNSETTLED,
    UserPath,
    examples,
    jobs_option,
    json_option,
    kit_option,
    lab_option,
    out_option,
    seed_option,
)
from grader.cli.places import from_user

_GRADE = examples(
    "grade --lab LAB --submissions ~/downloads/lab1.zip --out ~/grades/lab1",
    "grade --lab LAB --submissions ~/downloads/lab1.zip --out ~/grades/lab1 --student student07 "
    "--force",
)


@click.command(epilog=_GRADE + EXIT_CODES)
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
@click.option(
    "--executor",
    type=click.Choice(["local", "slurm"]),
    default="local",
    help="Who grades: this machine, or the nodes of a Slurm cluster.",
)
@click.option(
    "--spool",
    type=UserPath(),
    metavar="DIR",
    help="For slurm: a folder on storage that all nodes share (OUT/spool).",
)
@click.option(
    "--slurm-option",
    "slurm_options",
    multiple=True,
    metavar="OPTION",
    help='For sbatch, such as "--partition=NAME"; may be repeated.',
)
@json_option()
def grade(
    lab: str,
    submissions: Path,
    out: Path,
    jobs: int | None,
    student: tuple[str, ...],
    seed: int | None,
    force: bool,
    kit: Path | None,
    executor: str,
    spool: Path | None,
    slurm_options: tuple[str, ...],
    *,
    gpu: bool,
    as_json: bool,
) -> int:
    """Grade a class. Each result is stored as it comes: after Ctrl-C or a power cut, run the
    same command again and nothing is repeated."""
    from grader.cli.executors import executor_named
    from grader.cli.grade import Request, grade_class
    from grader.judging.classes.class_run import HowToGrade

    if executor == "local" and (spool or slurm_options):
        raise click.UsageError("--spool and --slurm-option need --executor slurm")
    chosen = executor_named(executor, spool or out / "spool", slurm_options)
    how = HowToGrade(chosen, jobs, seed, force, gpu)
    request = Request(lab, submissions, out, how, student, kit)
    with document(as_json=as_json) as facts:
        outcome = grade_class(request)
        if as_json:
            from grader.cli.publish import stored_facts

            facts.update({"run": outcome, **stored_facts(out, student)})
    return UNSETTLED if outcome.judge_errors else GRADED


@click.command(
    epilog=examples("demo", "demo --serve", "demo --lab LAB --out /tmp/demo") + EXIT_CODES
)
@out_option("Where to put the classes and their results (./grader-demo).", required=False)
@jobs_option()
@click.option("--lab", "labs", multiple=True, metavar="LAB", help="This lab; may be repeated.")
@click.option("--all", "all_labs", is_flag=True, help="Every lab.")
@click.option(
    "--serve", is_flag=True, help="Then show the service that students hand in to, with this class."
)
@json_option()
def demo(
    out: Path | None,
    jobs: int | None,
    labs: tuple[str, ...],
    *,
    all_labs: bool,
    serve: bool,
    as_json: bool,
) -> int:
    """Grade sample submissions and compare each verdict with the expected one: about a dozen to
    two labs, or a whole class to every lab that is named."""
    from grader.cli.demo import Demo, grade_samples

    if labs and all_labs:
        raise click.UsageError("--lab and --all exclude each other")
    if serve and as_json:
        raise click.UsageError("--serve and --json exclude each other")
    folder = out or from_user(Path("grader-demo"))
    with document(as_json=as_json) as facts:
        findings = grade_samples(Demo(folder, jobs, labs, all_labs))
        facts.update(findings.facts())
    if serve:
        from grader.cli.demo_service import serve_demo

        serve_demo(folder, findings.classes, [kit.root for kit in findings.kits], jobs)
    return UNSETTLED if findings.wrong else GRADED


_CHUNK = examples("grade-chunk /shared/spool/chunks/round1-0.json")


@click.command("grade-chunk", epilog=_CHUNK + EXIT_CODES, hidden=True)
@click.argument("chunk", type=UserPath(), metavar="CHUNK")
def grade_chunk(chunk: Path) -> int:
    """Grade one chunk of a hand-over folder: what jobs of `grade --executor slurm` run."""
    from grader.judging.executors.chunk import grade_chunk as grade_submissions

    print(f"graded: {grade_submissions(chunk)}")
    return GRADED


COMMANDS = [grade, demo, grade_chunk]
