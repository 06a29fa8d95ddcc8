"""The commands, their options and exit codes. What they do is imported when they run."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import click

from grader.cli.places import from_user
from grader.model.errors import GraderError

_EXIT_CODES = """
\b
Exit codes:
  0    everything was graded or written
  1    done, but judge errors remain (run the same command again), or a check failed
  2    wrong usage or input; nothing was graded, or what was graded is kept
  130  interrupted; what was graded is kept
"""
_AFTER_TROUBLE = "fix that, then run the same command again: what was graded before is kept"
GRADED, UNSETTLED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

_F = TypeVar("_F", bound=Callable[..., Any])


class _UserPath(click.Path):
    """A path relative to where the user stands, also under `bazel run`."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        return from_user(Path(str(super().convert(str(value), param, ctx))))


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


def _lab(*, required: bool) -> Callable[[_F], _F]:
    return click.option("--lab", required=required, metavar="LAB", help="The lab's name.")


def _out(text: str, *, required: bool = True) -> Callable[[_F], _F]:
    return click.option("--out", required=required, type=_UserPath(), metavar="DIR", help=text)


@click.group(epilog=_EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """Grades C++ and CUDA labs: correctness, races and speed, with results that last.

    Paths are relative to the folder in which you stand.
    """


@cli.command(epilog=_EXIT_CODES)
@_lab(required=True)
@click.option(
    "--submissions",
    required=True,
    type=_UserPath(),
    metavar="DIR",
    help="A folder per student, a Gradescope, Moodle or Canvas download (folder or zip), or a "
    "folder of git clones.",
)
@_out("Where results are kept; a second run there grades only what is new.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Submissions at a time (one a core).")
@click.option("--student", multiple=True, metavar="S", help="Only this student; may be repeated.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), help="Seed of the tests' inputs.")
@click.option("--force", is_flag=True, help="Grade again what is graded already.")
@click.option("--gpu", is_flag=True, help="Time a CUDA lab on the GPU.")
@click.option("--kit", type=_UserPath(), metavar="DIR", help="The lab's built kit.")
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


@cli.command(epilog=_EXIT_CODES)
@_out("A folder that `grade` wrote.")
@click.option("--student", metavar="S", help="Print this student's result in full instead.")
def report(out: Path, student: str | None) -> int:
    """Write the class's HTML page again and print its summary."""
    from grader.cli.publish import show_report

    show_report(out, student)
    return GRADED


@cli.command(epilog=_EXIT_CODES)
@_out("A folder that `grade` wrote.")
@click.option("--format", "format_name", required=True, type=_Format(), help="What to write.")
@click.option("--to", type=_UserPath(), metavar="PATH", help="File or folder to write (--out).")
def export(out: Path, format_name: str, to: Path | None) -> int:
    """Write the results for another tool."""
    from grader.cli.publish import write_export

    write_export(out, format_name, to)
    return GRADED


@cli.command(epilog=_EXIT_CODES)
@_lab(required=False)
@click.option("--kit", type=_UserPath(), metavar="DIR", help="The lab's built kit.")
@click.option("--mutants/--no-mutants", default=True, help="Whether to change the reference.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), help="Seed of the tests' inputs.")
def check(lab: str | None, kit: Path | None, seed: int | None, *, mutants: bool) -> int:
    """Check that a lab, or every lab, is whole: handout, stub, points, that each of its sample
    submissions gets exactly its verdict, and that the tests notice small changes of the
    reference."""
    from grader.cli.check import check_labs

    return GRADED if check_labs(lab, kit, seed, mutate=mutants) else UNSETTLED


@cli.command(epilog=_EXIT_CODES)
@_lab(required=True)
@click.option("--kit", type=_UserPath(), metavar="DIR", help="The lab's built kit.")
@click.option("--only", default="*", metavar="PATTERN", help='Some samples: "lazy/*".')
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), help="Seed of the tests' inputs.")
@_out("Also write the results, one JSON document a line, to this file.", required=False)
def points(lab: str, kit: Path | None, only: str, seed: int | None, out: Path | None) -> int:
    """Print the points that each accepted, slow and lazy sample of a lab earns, as a table in
    Markdown: the figures by which thresholds are set."""
    from grader.cli.points import print_points

    print_points(lab, kit, seed, only, out)
    return GRADED


@cli.command(epilog=_EXIT_CODES)
@_out("Where to put the classes and their results (./grader-demo).", required=False)
@click.option("--jobs", type=click.IntRange(1, 256), help="Submissions at a time (one a core).")
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


@cli.group(name="samples")
def sample_commands() -> None:
    """Sample submissions, most of which are kept as patches to another one."""


_NAMES = click.argument("names", nargs=-1, metavar="[LAB[/VERDICT/NAME]]...")
_NAME = "LAB/VERDICT/NAME"


@sample_commands.command(epilog=_EXIT_CODES)
@_NAMES
@_out("Where to write them, as LAB/VERDICT/NAME.cu.", required=False)
def expand(names: tuple[str, ...], out: Path | None) -> int:
    """Print a sample as a whole file, or write those of a lab, or all."""
    from grader.cli.sample_commands import expand_samples

    expand_samples(names, out)
    return GRADED


@sample_commands.command(epilog=_EXIT_CODES)
@click.argument("name", metavar=_NAME)
def edit(name: str) -> int:
    """Open a sample as a whole file in $EDITOR, and keep it as a patch again."""
    from grader.cli.sample_commands import edit_sample

    edit_sample(name)
    return GRADED


@sample_commands.command(epilog=_EXIT_CODES)
@click.argument("names", nargs=-1, required=True, metavar=f"{_NAME}...")
@click.option("--base", metavar="NAME", help="This one: matmul.cu, accepted/NAME.cu.")
def pack(names: tuple[str, ...], base: str | None) -> int:
    """Keep whole files as patches to the right program that makes them shortest."""
    from grader.cli.sample_commands import pack_samples

    pack_samples(names, base)
    return GRADED


@sample_commands.command(epilog=_EXIT_CODES)
@click.argument("labs", nargs=-1, metavar="[LAB]...")
def carry(labs: tuple[str, ...]) -> int:
    """Bring the patches over to bases that have changed since."""
    from grader.cli.sample_commands import carry_samples

    return GRADED if carry_samples(labs) else UNSETTLED


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """The first signal interrupts; further ones must not cut the orderly end short.

    They are not set to SIG_IGN: Python complains of one that has arrived before that.
    """
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda _number, _frame: None)
    raise KeyboardInterrupt


def _write_no_more() -> None:
    """What is left in standard output's buffer would fail once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main(arguments: list[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        code = cli.main(arguments, prog_name="grader", standalone_mode=False)
        return int(code or 0)
    except click.ClickException as error:
        error.show()
        return BAD_INPUT
    except GraderError as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    except (BrokenPipeError, SystemExit):  # rich turns the first into the second
        _write_no_more()
        return BAD_INPUT
    except OSError as error:
        _write_no_more()
        what = error.filename or "cannot write to standard output"
        print(GraderError(f"{what}: {error.strerror or error}", _AFTER_TROUBLE), file=sys.stderr)
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
