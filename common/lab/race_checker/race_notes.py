"""What the student's text says about a data race: read for words only, never for a verdict."""

import re
from collections.abc import Iterator, Sequence

_MOST_LINES = 60
_GUARD = re.compile(
    r"^\s*(?:std::)?(lock_guard|unique_lock|scoped_lock|shared_lock)\s*(?:<[^;(){}]*>)?\s*"
    r"(?:\([^;]*\)|\{[^;]*\})\s*;"
)
_FORMATTED = re.compile(
    r"\b(cout|cerr|clog)\b.*?<<\s*(?:std::)?(set(?:w|fill|precision|base)|hex|oct|dec|fixed|scientific|defaultfloat|left"
    r"|right|internal|(?:no)?(?:boolalpha|show\w+|uppercase))\b"
)
_PRAGMA = re.compile(r"^\s*#\s*pragma\s+omp\s+(?:parallel|for|sections|task)\b")
_ONE_AT_A_TIME = re.compile(r"^\s*#\s*pragma\s+omp\s+(single|master|masked|critical|atomic)\b(.*)")
_LOOP = re.compile(r"^\s*for\s*\(\s*([A-Za-z_]\w*)\s*=")
_CHANGED = re.compile(r"^\s*(?:([A-Za-z_]\w*)\s*(?:[-+*/%&|^]?=(?!=)|\+\+|--)|(?:\+\+|--)(\w+))")
_END = re.compile(r"^\}")


def notes(source: Sequence[str], lines: Sequence[int], file: str, *, on_stack: bool) -> list[str]:
    """Likely causes of a race between accesses in these lines (from 1)."""
    found = [_unnamed_guard(source, line, file) for line in lines]
    found.append(_different_criticals(source, lines, file))
    found.append(_shared_format(source, lines))
    if on_stack:
        found += [_shared_variable(source, line, file) for line in lines]
    return list(dict.fromkeys(filter(None, found)))


def _unnamed_guard(source: Sequence[str], line: int, file: str) -> str:
    for number, text in _before(source, line):
        if match := _GUARD.match(text):
            return (
                f"the {match[1]} at {file}:{number} has no name, so it holds its mutex no longer "
                "than in its own line: give it a name"
            )
    return ""


def _different_criticals(source: Sequence[str], lines: Sequence[int], file: str) -> str:
    """Where both accesses are in critical sections, whose names differ."""
    sections: dict[str, str] = {}
    for line in lines:
        number, directive, clauses = _one_at_a_time(source, line) or (0, "", "")
        if directive != "critical":
            return ""
        named = re.match(r"\s*\(\s*(\w+)", clauses)
        name = f"critical({named[1]})" if named else "the critical without a name"
        sections[name] = f"{name} at {file}:{number}"
    if len(sections) < 2:
        return ""
    return f"{' and '.join(sections.values())} are different locks: give both the same name"


def _shared_format(source: Sequence[str], lines: Sequence[int]) -> str:
    """Where both accesses are where a line of text is formatted by the stream itself."""
    found = [_FORMATTED.search(source[line - 1]) for line in lines if 0 < line <= len(source)]
    if not found or not found[0] or not all(found):
        return ""
    stream, changes = found[0].groups()
    return (
        f"all threads share the format of std::{stream}, which {changes} changes: write the line "
        "to a std::ostringstream of the thread, and print its text"
    )


def lost_copies(source: Sequence[str], file: str) -> str:
    """A variable of which a region changes only the threads' copies, and that is read after it."""
    for pragma, text in enumerate(source, 1):
        end = _end_of_region(source, pragma) if _PRAGMA.match(text) else 0
        for names in re.findall(r"\b(?:first)?private\s*\(([^)]*)\)", text if end else ""):
            for name in re.findall(r"\w+", names):
                changed = _first(source, pragma + 1, end, rf"\b{name}\s*[-+*/|&^]=|\+\+{name}\b")
                after = _first(source, end + 1, len(source), rf"\b{name}\b|^\}}")
                if changed and after and re.search(rf"\b{name}\b(?!\s*=[^=])", source[after - 1]):
                    return (
                        f"{name} is private at {file}:{pragma}: what the threads add to their "
                        f"copies at {file}:{changed} is lost, and {file}:{after} reads what was "
                        f"there before. Use a reduction, or add the copies up in the region"
                    )
    return ""


def _end_of_region(source: Sequence[str], pragma: int) -> int:
    """The last line of the block or statement behind the pragma."""
    depth = 0
    for number, code in enumerate(source[pragma:], pragma + 1):
        depth += code.count("{") - code.count("}")
        if depth <= 0 and re.search(r"[;}]\s*(?://.*)?$", code):
            return number
    return len(source)


def _first(source: Sequence[str], begin: int, end: int, pattern: str) -> int | None:
    lines = enumerate(source[begin - 1 : end], begin)
    return next((number for number, text in lines if re.search(pattern, text)), None)


def _before(source: Sequence[str], line: int) -> Iterator[tuple[int, str]]:
    """The lines of the function up to this one, backwards."""
    for number in range(min(line, len(source)), max(line - _MOST_LINES, 0), -1):
        text = source[number - 1]
        if _END.match(text) and number != line:
            return
        yield number, text


def _shared_variable(source: Sequence[str], line: int, file: str) -> str:
    """A variable that an OpenMP region changes though it was declared before the region."""
    if match := _one_at_a_time(source, line):
        number, directive, clauses = match
        if directive not in ("master", "masked") and "nowait" not in clauses:
            return ""
        why = "has nowait" if "nowait" in clauses else "ends without a barrier"
        return (
            f"the {directive} at {file}:{number} {why}: the other threads go on before it is done, "
            "so let them wait"
        )
    pragma = next((number for number, text in _before(source, line) if _PRAGMA.match(text)), None)
    if pragma is None:
        return ""
    clauses = _with_continuations(source, pragma)
    for name in _changed_in(source, pragma, line):
        declared = _declaration(source, pragma, name)
        if declared and not re.search(rf"\((?:[^()]*[\s,:])?{name}(?:[\s,][^()]*)?\)", clauses):
            return (
                f"{name}, declared at {file}:{declared}, is shared by the team: declare it inside "
                f"the region or the loop, or add private({name}), or a reduction if it collects"
            )
    return ""


def _one_at_a_time(source: Sequence[str], line: int) -> tuple[int, str, str] | None:
    """The line, name and clauses of the single, critical or the like that this line belongs to."""
    for number, text in _before(source, line):
        if match := _ONE_AT_A_TIME.match(text):
            depth = 0
            for inside, code in enumerate(source[number : number + _MOST_LINES], number + 1):
                depth += code.count("{") - code.count("}")
                if inside == line:
                    return number, match[1], match[2]
                if depth == 0:
                    return None
    return None


def _with_continuations(source: Sequence[str], pragma: int) -> str:
    end = pragma
    while end < len(source) and source[end - 1].rstrip().endswith("\\"):
        end += 1
    return " ".join(text.rstrip("\\ ") for text in source[pragma - 1 : end])


def _changed_in(source: Sequence[str], pragma: int, line: int) -> Iterator[str]:
    """Names that the line changes; where the whole region is blamed, the indices of its loops.

    The index of a loop that the pragma itself divides is private.
    """
    text = source[line - 1]
    if match := _LOOP.match(text) or _CHANGED.match(text):
        yield match[1] or match[2]
    region = source[pragma : pragma + _MOST_LINES]
    for ahead, text in enumerate(region):
        if _END.match(text):
            return
        if ahead > 0 and (match := _LOOP.match(text)):
            yield match[1]


def _declaration(source: Sequence[str], pragma: int, name: str) -> int | None:
    declares = re.compile(
        rf"^\s*[A-Za-z_][\w:<>]*(?:\s+\w+)*\s+(?:\w+(?:\s*=[^,;]*)?,\s*)*{name}\s*(?:[=;,{{]|$)"
    )
    found = (number for number, text in _before(source, pragma) if declares.match(text))
    return next(found, None)
