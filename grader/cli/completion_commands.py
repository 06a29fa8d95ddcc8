"""The command that teaches a shell this program's commands: `completion`."""

import click

from grader.cli.options import BAD_INPUT, GRADED, examples, exit_codes

VARIABLE = "_GRADER_COMPLETE"
"""The shell's function sets it to ask what fits."""
_COMPLETION = examples("completion bash", "completion fish") + exit_codes(
    {GRADED: "the script was printed", BAD_INPUT: "wrong usage"}
)


@click.command(epilog=_COMPLETION)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> int:
    """Print what makes `grader` a command of your shell, with completion by Tab.

    Add a line to ~/.bashrc, ~/.zshrc (below compinit) or config.fish, with this workspace for PATH:

    \b
      eval "$(PATH/grader/bin/grader completion bash)"
      eval "$(PATH/grader/bin/grader completion zsh)"
      PATH/grader/bin/grader completion fish | source

    Tab then completes commands, options, labs, samples,
    formats, and the students in the folder that --out names.
    """
    from grader.cli.completion import script

    program = ctx.find_root().command
    assert isinstance(program, click.Group)
    click.echo(script(shell, program))
    return GRADED


COMMANDS = [completion]
