"""What several commands share: examples, exit codes, and options that they spell alike."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from grader.cli.epilog import examples, exit_codes
from grader.cli.places import from_user

__all__ = ["examples", "exit_codes"]

GRADED, UNSETTLED, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
EXIT_CODES = exit_codes(
    {
        GRADED: "everything was graded or written",
        UNSETTLED: "done, but some are not graded or judged (grade them again), or a check failed",
        BAD_INPUT: "wrong usage or input; nothing was graded, or what was graded is kept",
        INTERRUPTED: "interrupted; what was graded is kept",
    }
)

_F = TypeVar("_F", bound=Callable[..., Any])


class UserPath(click.Path):
    """A path relative to where the user stands, also under `bazel run`."""

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        return from_user(Path(str(super().convert(str(value), param, ctx))))


def lab_option(*, required: bool) -> Callable[[_F], _F]:
    """--lab."""
    return click.option("--lab", required=required, metavar="LAB", help="The lab's name.")


def kit_option() -> Callable[[_F], _F]:
    """--kit."""
    return click.option("--kit", type=UserPath(), metavar="DIR", help="The lab's built kit.")


def jobs_option() -> Callable[[_F], _F]:
    """--jobs."""
    return click.option(
        "--jobs", type=click.IntRange(1, 256), help="Submissions at a time (one a core)."
    )


def seed_option() -> Callable[[_F], _F]:
    """--seed."""
    return click.option(
        "--seed", type=click.IntRange(0, 2**31 - 1), help="Seed of the tests' inputs."
    )


def json_option() -> Callable[[_F], _F]:
    """--json: one document on standard output, see grader/cli/document.py."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead.")


def out_option(text: str, *, required: bool = True) -> Callable[[_F], _F]:
    """--out, a folder to write to or to read from."""
    return click.option("--out", required=required, type=UserPath(), metavar="DIR", help=text)
