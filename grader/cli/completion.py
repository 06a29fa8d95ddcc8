"""What Tab offers: commands and options, which click knows, and the names that values may have.

Options and arguments are recognised by their metavar: LAB is a lab, S a student.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

import click
from click.shell_completion import CompletionItem, get_completion_class, shell_complete

from grader.cli.completion_commands import VARIABLE
from grader.cli.places import lab_names, sample_root, workspace
from grader.model.errors import GraderError

# The shell inserts a completion as it is: a student's `$(…)` would be run.
_PLAIN = re.compile(r"[\w@%+=:,./][\w@%+=:,./-]*")


def script(shell: str, program: click.Group) -> str:
    """What a shell's start-up file evaluates: the launcher on the path, and click's function."""
    found = get_completion_class(shell)
    assert found, shell
    folder = str(workspace() / "grader" / "bin")
    return _ON_PATH[shell](folder) + found(program, {}, "grader", VARIABLE).source()


def answer(program: click.Group, instruction: str) -> int:
    """Prints what fits the words that the shell passes; 0, or 1 for an unknown instruction."""
    for parameter in _parameters(program):
        if find := _NAMES.get(_noun(parameter)):
            parameter.type = _Names(find)
    return shell_complete(program, {}, "grader", VARIABLE, instruction)


class _Names(click.ParamType[str]):
    """A value that is one of some names; which ones is asked only for completion."""

    name = "name"

    def __init__(self, find: Callable[[click.Context], Iterable[str]]) -> None:
        self._find = find

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        del param
        with suppress(GraderError, OSError):
            names = [name for name in self._find(ctx) if name.startswith(incomplete)]
            return [CompletionItem(name) for name in names if _PLAIN.fullmatch(name)]
        return []


def _labs(_: click.Context) -> list[str]:
    return lab_names()


def _students(context: click.Context) -> list[str]:
    """Those of the results in --out, and of the folders in --submissions."""
    from grader.judging.store import Store

    found: set[str] = set()
    out, submissions = context.params.get("out"), context.params.get("submissions")
    if isinstance(submissions, Path) and submissions.is_dir():
        found.update(path.name for path in submissions.iterdir() if path.is_dir())
    if isinstance(out, Path):
        with suppress(GraderError), Store(out, create=False) as store:
            found.update(store.students())
    return sorted(found)


def _samples(_: click.Context) -> Iterator[str]:
    from grader.judging.sample.samples import lazy_samples, samples

    for lab in lab_names():
        folder = sample_root() / lab
        yield from (f"{lab}/{sample.name}" for sample in samples(folder) + lazy_samples(folder))


def _formats(_: click.Context) -> list[str]:
    from grader.pages.export import FORMATS

    return sorted(FORMATS)


_NAMES: dict[str, Callable[[click.Context], Iterable[str]]] = {
    "LAB": _labs,
    "S": _students,
    "LAB/VERDICT/NAME": _samples,
    "LAB[/VERDICT/NAME]": _samples,
    "FORMAT": _formats,
}


def _parameters(command: click.Command) -> Iterator[click.Parameter]:
    yield from command.params
    if isinstance(command, click.Group):
        for each in command.commands.values():
            yield from _parameters(each)


def _noun(parameter: click.Parameter) -> str:
    """ "[LAB]..." is some LABs."""
    word = (parameter.metavar or "").removesuffix("...")
    return word[1:-1] if word.startswith("[") and word.endswith("]") else word


def _in_posix(folder: str) -> str:
    quoted = shlex.quote(folder)
    return f'case ":$PATH:" in *:{quoted}:*) ;; *) PATH="$PATH":{quoted} ;; esac\n'


def _in_fish(folder: str) -> str:
    escaped = folder.replace("\\", "\\\\").replace("'", "\\'")
    return f"contains -- '{escaped}' $PATH; or set -gx PATH $PATH '{escaped}'\n"


_ON_PATH = {"bash": _in_posix, "zsh": _in_posix, "fish": _in_fish}
