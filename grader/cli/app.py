"""The command line: every command, and what ends one. A command's work is imported when it runs."""

import os
import signal
import sys
from types import FrameType

import click

from grader.cli import (
    appeal_commands,
    authoring_commands,
    autograder_commands,
    completion_commands,
    course_commands,
    desk_commands,
    feedback_commands,
    grading_commands,
    hunt_commands,
    new_lab_commands,
    publishing_commands,
    release_commands,
    sample_commands,
    service_commands,
    similar_commands,
)
from grader.cli.options import BAD_INPUT, EXIT_CODES, INTERRUPTED, examples
from grader.cli.places import started_as, version
from grader.cli.usage import Commands, usage_error
from grader.model.errors import GraderError

_AFTER_TROUBLE = "fix that, then run the same command again: what was graded before is kept"
_GROUPS = (
    grading_commands,
    publishing_commands,
    appeal_commands,
    feedback_commands,
    course_commands,
    service_commands,
    desk_commands,
    release_commands,
    autograder_commands,
    similar_commands,
    hunt_commands,
    new_lab_commands,
    authoring_commands,
    sample_commands,
    completion_commands,
)

_EPILOG = examples("demo", "grade --help") + EXIT_CODES


def _show_version(context: click.Context, _: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        click.echo(f"grader {version()}")
        context.exit()


@click.group(cls=Commands, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Grades C++ and CUDA labs: correctness, races and speed, with results that last.

    Paths are relative to the folder in which you stand.
    """


for _group in _GROUPS:
    for _command in _group.COMMANDS:
        cli.add_command(_command)


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
        if instruction := os.environ.get(completion_commands.VARIABLE):
            from grader.cli.completion import answer

            return answer(cli, instruction)
        code = cli.main(arguments, prog_name=started_as(), standalone_mode=False)
        return int(code or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return BAD_INPUT
    except click.ClickException as error:
        print(usage_error(error), file=sys.stderr)
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
