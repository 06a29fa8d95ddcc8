"""A part of requirements.txt: some packages with what they need, pinned and hashed as there."""

import re
from collections.abc import Iterable

from grader.model.errors import GraderError

_NAME = re.compile(r"^([A-Za-z0-9][\w.-]*)==")
_VIA = re.compile(r"(?m)^ +# via (.+)$")


def pinned(requirements: str, wanted: Iterable[str]) -> str:
    """The blocks of these packages and of all that they need.

    pip-compile writes a comment into each block: `# via` and the packages that need it.
    """
    blocks = _blocks(requirements)
    needs = {
        user: {name for name, block in blocks.items() if user in _users(block)} for user in blocks
    }
    chosen: set[str] = set()
    left = list(wanted)
    while left:
        name = left.pop()
        if name not in blocks:
            raise GraderError(f"requirements.txt has no {name}", "run pip-compile again")
        if name not in chosen:
            chosen.add(name)
            left += needs[name]
    return "".join(blocks[name] for name in sorted(chosen))


def _blocks(requirements: str) -> dict[str, str]:
    blocks: dict[str, str] = {}
    name = ""
    for line in requirements.splitlines(keepends=True):
        if start := _NAME.match(line):
            name = start[1]
        elif line[:1] not in (" ", "\t"):
            name = ""
        if name:
            blocks[name] = blocks.get(name, "") + line
    return blocks


def _users(block: str) -> set[str]:
    return {name for users in _VIA.findall(block) for name in users.split(", ")}
