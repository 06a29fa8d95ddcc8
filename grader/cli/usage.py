"""How a command is used: its errors, in the form of all others, and the list of commands."""

import click

from grader.model.errors import GraderError
from grader.pages.presentation.text import one_line


class Commands(click.Group):
    """A group whose help shows the first sentence of each command uncut."""

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        shown = [(name, command) for name, command in self.commands.items() if not command.hidden]
        with formatter.section("Commands"):
            rows = [(name, command.get_short_help_str(1000)) for name, command in sorted(shown)]
            formatter.write_dl(rows)


def usage_error(error: click.ClickException) -> GraderError:
    """What click found wrong, on one line, and the help of the command that it concerns."""
    if isinstance(error, (click.NoSuchOption, click.NoSuchCommand)):
        problem, close = error.message, error.possibilities or []
    else:
        problem, close = error.format_message(), []
    problem = one_line(problem).removesuffix(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    step = f"{context.command_path if context else 'the command'} --help"
    if close:
        step = f"did you mean {' or '.join(close)}? All are in {step}"
    return GraderError(problem[:1].lower() + problem[1:], step)
