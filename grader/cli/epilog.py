"""What stands below a command's options in its help: examples and exit codes."""

import re
import shutil
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache

from grader.cli.places import lab_names, started_as

EXAMPLES = "Examples:"
CODES = "Exit codes:"
_WIDEST = 80
_MARGIN = 4  # click indents by 2 and keeps 2 free
_WORD = re.compile(r"""(?:"[^"]*"|\S)+""")


def examples(*commands: str) -> str:
    """A block of examples for `epilog=`: each a command as users type it, without the program's
    name. The word LAB becomes a lab that there is. Long ones continue on further lines."""
    lines = [line for command in commands for line in _example(command, _width())]
    return "\n".join(["", "\b", EXAMPLES, *lines, ""])


def exit_codes(meanings: Mapping[int, str]) -> str:
    """A block of exit codes for `epilog=`, in the order given."""
    lines = []
    for code, meaning in meanings.items():
        head = f"  {code:<5}"
        lines += textwrap.wrap(meaning, _width(), initial_indent=head, subsequent_indent=" " * 7)
    return "\n".join(["", "\b", CODES, *lines, ""])


def commands_in(epilog: str) -> list[str]:
    """The examples of an epilog, each on one line, with the program's name."""
    _, _, after = epilog.partition(f"{EXAMPLES}\n")
    block, _, _ = after.partition("\n\n")
    return [line.strip() for line in re.sub(r" \\\n *", " ", block).splitlines() if line.strip()]


def _example(command: str, width: int) -> Iterator[str]:
    line = f"  {started_as()}"
    for piece in _pieces(command):
        if len(f"{line} {piece} \\") > width:
            yield f"{line} \\"
            line = f"     {piece}"
        else:
            line = f"{line} {piece}"
    yield line


def _pieces(command: str) -> Iterator[str]:
    """The words of a command; an option and its value stay on one line."""
    option = ""
    for word in _WORD.findall(command.replace("LAB", _a_lab())):
        if option and not word.startswith("-"):
            word = f"{option} {word}"
        elif option:
            yield option
        option = word if word.startswith("--") and " " not in word else ""
        if not option:
            yield word
    if option:
        yield option


@cache
def _a_lab() -> str:
    return next(iter(lab_names()), "LAB")


def _width() -> int:
    return min(_WIDEST, shutil.get_terminal_size((_WIDEST, 24)).columns) - _MARGIN
