"""Detects macros that are defined before an #include and change the headers included after them.

A macro called `inline` or `size_t` would change a header's code, which the policy does not read.
If a submission defines macros before an include, its preprocessed headers are compared with those
of a text without these macros.
"""

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from common.lab.text_policy.preprocessed import read_pieces
from common.lab.text_policy.scanner import logical_lines

# Macros by which headers let a program select features.
_FEATURES = frozenset(
    {"NDEBUG", "_GNU_SOURCE", "_DEFAULT_SOURCE", "_POSIX_C_SOURCE", "_XOPEN_SOURCE", "_REENTRANT"}
    | {"_USE_MATH_DEFINES", "__STDC_FORMAT_MACROS", "__STDC_LIMIT_MACROS", "__STDC_CONSTANT_MACROS"}
)


def includes_alone(source: str) -> str | None:
    """The text up to its last #include without its own macros; None if no macro precedes it."""
    kept: list[str] = []
    length = defined = early = 0
    for tokens, text in logical_lines(source):
        directive = tokens[1] if tokens[0] in ("#", "%:") and tokens[1:] else ""
        if directive in ("define", "undef") and tokens[2:] and tokens[2] not in _FEATURES:
            defined += 1
            continue
        kept.append(text)
        if directive == "include":
            length, early = len(kept), defined
    return "\n".join([*kept[:length], ""]) if early else None


def headers_differ(one: Path, other: Path, source: str, other_source: str = "") -> bool:
    """Whether two preprocessed texts differ in lines that do not come from `source`, or from
    `other_source` in the other one."""
    pairs = zip_longest(_headers(one, source), _headers(other, other_source or source))
    return any(left != right for left, right in pairs)


def _headers(path: Path, source: str) -> Iterator[tuple[int, str, str]]:
    for piece in read_pieces(path):
        # Removing macros moves the source's own lines.
        if piece.file != source and not piece.file.startswith("<"):
            yield piece.line, piece.file, piece.text
