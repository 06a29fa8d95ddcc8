"""Makes untrusted text safe to show: names, messages and logs of submissions."""

import re
from collections.abc import Sequence

_NAMES_SHOWN = 20
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])"
)
# Control characters, the two that end a line in some viewers, direction overrides that show text
# in another order than it has, lone surrogates, and what XML cannot carry.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def clean(text: str) -> str:
    """Text with terminal escapes removed and every unsafe character shown as U+FFFD."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _UNSAFE.sub("\ufffd", _ESCAPES.sub("", text))


def one_line(text: str) -> str:
    """Cleaned text on one line: runs of white space become one blank."""
    return " ".join(clean(text).split())


def cap(text: str, characters: int, lines: int) -> str:
    """Cleaned text, cut at both limits, with a note of how much is not shown."""
    text = clean(text).strip("\n")
    kept = "\n".join(text[:characters].split("\n")[:lines])
    if len(kept) == len(text):
        return text
    return f"{kept}\n[… {len(text) - len(kept):,} more characters are not shown]"


def names_text(names: Sequence[str]) -> str:
    """The first names on one line, and how many more there are."""
    shown = ", ".join(one_line(name) for name in names[:_NAMES_SHOWN])
    more = len(names) - _NAMES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
