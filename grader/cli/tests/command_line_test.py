"""Every command of the program: its help, examples, exit codes, and what a wrong option says.

A new command is tested as soon as it is in a list of COMMANDS.
"""

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from grader.cli import app, epilog
from grader.cli.epilog import CODES, commands_in
from grader.cli.options import BAD_INPUT, GRADED

HOW = 'write @click.command(epilog=examples("{name} …") + EXIT_CODES), see grader/cli/epilog.py'


def commands(
    group: click.Group = app.cli, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command with the words that call it: groups, their commands, the program itself."""
    yield path, group
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield (*path, name), command


ALL = dict(commands())
EACH = pytest.mark.parametrize("path", ALL, ids=lambda path: " ".join(path) or "grader")


def problems_of_help(path: tuple[str, ...], command: click.Command) -> Iterator[str]:
    """What a command's help lacks, as sentences."""
    name = " ".join(path) or "the program"
    found = commands_in(command.epilog or "")
    if not command.help:
        yield f"{name} has no help: give its function a docstring"
    if not found:
        yield f"{name} has no example: " + HOW.format(name=name)
    if CODES not in (command.epilog or ""):
        yield f"{name} does not say its exit codes: add EXIT_CODES or exit_codes(…) to its epilog"
    for option in command.params:
        if isinstance(option, click.Option) and not option.help:
            yield f"{name} {option.opts[0]} has no help"
    for example in found:
        if problem := problem_of_example(path, example):
            yield f"the example {example!r} of {name} {problem}"


def problem_of_example(path: tuple[str, ...], example: str) -> str:
    start, *words = shlex.split(example)
    if start != "grader" or tuple(words[: len(path)]) != path:
        return f"does not begin with grader {' '.join(path)}"
    command: click.Command = app.cli
    context = None
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        context = click.Context(command, context, "grader")
        name, *words = words
        if name not in command.commands:
            return f"names a command that does not exist: {name}"
        command = command.commands[name]
    try:
        command.make_context(command.name, words, context)
    except click.exceptions.Exit:  # --help
        return ""
    except click.ClickException as error:
        return f"is refused: {error.format_message()}"
    return ""


@EACH
def test_has_help_with_examples_that_parse_and_exit_codes(path: tuple[str, ...]) -> None:
    assert list(problems_of_help(path, ALL[path])) == []


@pytest.mark.parametrize("columns", [60, 80])
@EACH
def test_help_fits_the_terminal(
    path: tuple[str, ...],
    columns: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert app.main([*path, "--help"]) == GRADED
    help_text = capsys.readouterr().out
    above_the_examples, _, _ = help_text.partition("Examples:")
    measured = help_text if columns == 80 else above_the_examples
    assert [line for line in measured.splitlines() if len(line) > columns] == []
    assert not re.search(r"[a-z,]\.\.\.$", help_text, re.MULTILINE), "a description is cut off"


@EACH
def test_a_wrong_option_is_one_line_with_a_next_step_and_exits_with_2(
    path: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.main([*path, "--no-such-option"]) == BAD_INPUT
    said = capsys.readouterr()
    called = " ".join(["grader", *path])
    assert said.err.startswith("error: no such option '--no-such-option'\n  next: ")
    assert said.err.endswith(f"{called} --help\n")
    assert said.err.count("\n") == 2
    assert said.out == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["grad"],
            "no such command 'grad'\n  next: did you mean grade or regrade? "
            "All are in grader --help",
        ),
        (["samples", "foo"], "no such command 'foo'\n  next: grader samples --help"),
        (["report", "--outt"], "'--outt'\n  next: did you mean --out? All are in grader report -"),
        (["report"], "missing option '--out'\n  next: grader report --help"),
        (["export", "--out", "x"], "missing option '--format'\n  next: grader export --help"),
        (["demo", "--jobs", "many"], "'many' is not a valid integer range\n  next: grader demo -"),
        (
            ["report", "--out", "o", "\x1b[31m\nx"],
            "extra argument ( x)\n  next: grader report --help",
        ),
        (["\x1b[31m\nx"], "no such command '\\x1b[31m\\nx'\n  next: grader --help"),
    ],
)
def test_wrong_usage_names_the_fault_and_what_to_do(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert app.main(arguments) == BAD_INPUT
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 2


def test_prints_the_version_that_pyproject_toml_has(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["--version"]) == GRADED
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert capsys.readouterr().out == f"grader {project['version']}\n"


def test_lists_no_command_that_only_programs_call(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["--help"]) == GRADED
    assert "grade-chunk" not in capsys.readouterr().out


def test_no_command_at_all_prints_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main([]) == BAD_INPUT
    assert "Write the class's HTML page again" in capsys.readouterr().err


def test_a_command_started_by_bazel_says_how_to_start_it_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BUILD_WORKING_DIRECTORY", "/")
    assert app.main(["report"]) == BAD_INPUT
    assert "next: bazel run //grader -- report --help" in capsys.readouterr().err


def _bare() -> None: ...


@pytest.mark.parametrize(
    ("command", "problem"),
    [
        (click.command("new")(_bare), "new has no help"),
        (click.command("new", help="New.")(_bare), "new has no example: write @click.command(epi"),
        (click.command("new", help="New.")(_bare), "new does not say its exit codes"),
        (
            click.command("report", help="N.", epilog=epilog.examples("report --in DIR"))(_bare),
            "the example 'grader report --in DIR' of new is refused: No such option '--in'",
        ),
        (
            click.command("new", help="N.", epilog=epilog.examples("grade --help"))(_bare),
            "the example 'grader grade --help' of new does not begin with grader new",
        ),
    ],
)
def test_reports_what_the_help_of_a_command_lacks(command: click.Command, problem: str) -> None:
    path = ("report",) if command.name == "report" else ("new",)
    found = [it.replace("of report", "of new") for it in problems_of_help(path, command)]
    assert any(it.startswith(problem) for it in found), found


@pytest.mark.parametrize("columns", [60, 80])
def test_long_examples_and_exit_codes_continue_on_further_lines(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    command = 'grade --lab X --submissions ~/downloads/lab1.zip --out "/a b/c" --seed 7 --force'
    block = epilog.examples(command) + epilog.exit_codes({0: "all is well " * 12, 130: "stopped"})
    assert max(map(len, block.splitlines())) <= columns - 4
    assert commands_in(block) == [f"grader {command}"]
    assert "--out \\" not in block
    assert block.endswith("\n  130  stopped\n")
