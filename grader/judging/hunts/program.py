"""Programs as lines without comments, and the edits that make one of another."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

# Ends are optional, so that each character is read once, whatever students hand in.
_TOKEN = re.compile(
    r"""
    (?P<comment>//(?:[^\n\\]|\\.)*|/\*.*?(?:\*/|\Z))
  | (?:\b(?:u8|[uUL])|(?<!\w))R"(?P<delimiter>[^(\s\\)]{0,16})\(.*?(?:\)(?P=delimiter)"|\Z)
  | "(?:\\.|[^"\\\n])*"?
  | (?:\b(?:u8|[uUL])|(?<!\w))'(?:\\.|[^'\\\n])+'?
    """,
    re.VERBOSE | re.DOTALL,
)
_INCLUDE = re.compile(r"\s*#\s*include\b")


@dataclass(frozen=True)
class Edit:
    """Lines of a program that others replace."""

    begin: int
    """How many lines stand before it."""
    removed: int
    added: tuple[str, ...]

    @property
    def end(self) -> int:
        return self.begin + self.removed

    @property
    def size(self) -> int:
        """How many lines it concerns."""
        return max(self.removed, len(self.added))

    def touches(self, other: "Edit") -> bool:
        """Whether no line that both keep stands between them."""
        return self.begin <= other.end and other.begin <= self.end


def plain(text: str) -> list[str]:
    """The lines without comments, without white space at their ends, and without the lines that
    were comments only; of several empty lines one."""
    lines: list[str] = []
    for line in _TOKEN.sub(_without_comment, text).split("\n"):
        said = line.replace("\0", "").rstrip()
        if said or ("\0" not in line and lines and lines[-1]):
            lines.append(said)
    return lines


def _without_comment(token: re.Match[str]) -> str:
    if token["comment"] is None:
        return token[0]
    return "\0" + "\n\0" * token[0].count("\n")


def with_includes(lines: Sequence[str], includes: Iterable[str]) -> list[str]:
    """The lines with these #include lines, sorted, in place of their own."""
    rest = [line for line in lines if not _INCLUDE.match(line)]
    while rest and not rest[0]:
        rest.pop(0)
    own = sorted(set(includes), key=lambda line: ("<" in line, line))
    return [*own, "", *rest] if own else rest


def includes(lines: Iterable[str]) -> set[str]:
    return {line for line in lines if _INCLUDE.match(line)}


def edits(old: Sequence[str], new: Sequence[str]) -> tuple[Edit, ...]:
    """Those that make the new lines of the old ones, in the order of their places."""
    changes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return tuple(
        Edit(begin, end - begin, tuple(new[new_begin:new_end]))
        for tag, begin, end, new_begin, new_end in changes
        if tag != "equal"
    )


def apply(lines: Sequence[str], changes: Iterable[Edit]) -> list[str]:
    """The lines with these edits, of which none may touch another."""
    made: list[str] = []
    done = 0
    for edit in sorted(changes, key=lambda edit: edit.begin):
        made += [*lines[done : edit.begin], *edit.added]
        done = edit.end
    return [*made, *lines[done:]]


def places(changes: Iterable[Edit], all_changes: Iterable[Edit]) -> set[int]:
    """The numbers, from 1, of the lines that edits concern in the program that all edits make:
    the lines that they add, and where they only remove some, the two beside the gap."""
    chosen = set(changes)
    found: set[int] = set()
    shift = 0
    for edit in sorted(all_changes, key=lambda edit: edit.begin):
        first = edit.begin + shift + 1
        if edit in chosen:
            found |= set(range(first, first + len(edit.added))) or {first - 1, first}
        shift += len(edit.added) - edit.removed
    return found
