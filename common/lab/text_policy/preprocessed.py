"""A submission's own lines after preprocessing: exactly the text that is compiled.

The policy reads this text, so no macro, condition or _Pragma can hide anything from it. It must be
the same in every build: the code that is checked and counted is the code that is tested and timed.
"""

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from common.lab.text_policy.scanner import Token, tokens

MAX_TEXT_BYTES = 64 << 20
MAX_OWN_CHARACTERS = 1 << 20

# A line marker: the number and the file of the next line; the flag 1 marks the start of a file.
_MARKER = re.compile(r'^# (\d+) "((?:[^"\\\n]|\\.)*)"((?: \d)*)$', re.MULTILINE)
# Macros that nvcc and CUDA's headers define, and the simulator differently or not at all.
_COMPILERS_NAME = re.compile("__NV|__CUDA|CUDART_VERSION$|CUDA_VERSION$")
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlLzZ]*)")
_FLOAT = re.compile(r"([0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]+)?)([fFlL]?)")


class TextError(Exception):
    """The text cannot be checked by the policy; the message is for the student."""


@dataclass(frozen=True)
class Preprocessed:
    """The submission's own part of one build's preprocessed text."""

    own: tuple[Token, ...]
    """Tokens with their lines in the student's file."""
    entered: tuple[str, ...]
    """Paths of the files that the student's own lines include."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The text between two line markers of a preprocessor's output."""

    line: int
    file: str
    flags: str
    text: str


def read_preprocessed(path: Path, source: str) -> Preprocessed:
    """Reads a preprocessor's output; `source` is the path by which it knows the student's file."""
    own: list[Token] = []
    entered: list[str] = []
    length = 0
    here = ""
    for piece in read_pieces(path):
        if here == source and "1" in piece.flags and not piece.file.startswith("<"):
            entered.append(piece.file)
        here = piece.file
        if here == source:
            length += len(piece.text)
            if length > MAX_OWN_CHARACTERS:
                limit = MAX_OWN_CHARACTERS >> 20
                raise TextError(f"its macros expand to more than {limit} MB of text")
            own += tokens(piece.text, piece.line)
    return Preprocessed(tuple(own), tuple(entered))


def read_pieces(path: Path) -> Iterator[Piece]:
    """The pieces of a preprocessor's output in their order. Raises TextError."""
    if path.stat().st_size > MAX_TEXT_BYTES:
        raise TextError(f"preprocessed, it has more than {MAX_TEXT_BYTES >> 20} MB")
    text = path.read_text(encoding="utf-8", errors="replace")
    markers = list(_MARKER.finditer(text))
    if not markers:
        raise TextError("preprocessed, it has no line markers")
    ends = [marker.start() for marker in markers[1:]] + [len(text)]
    for marker, end in zip(markers, ends, strict=True):
        yield Piece(int(marker[1]), marker[2], marker[3], text[marker.end() + 1 : end])


def first_difference(one: tuple[Token, ...], other: tuple[Token, ...]) -> int | None:
    """The first line in which two builds of a file differ; None if they are the same.

    Numbers are compared by value: compilers spell INT_MAX and DBL_MAX differently.
    """
    for left, right in zip_longest(_canonical(one), _canonical(other)):
        if left is None or right is None or left[0] != right[0]:
            return min(token[1] for token in (left, right) if token)
    return None


def dependent_lines(texts: Sequence[Preprocessed]) -> list[int]:
    """Lines of a CUDA file that depend on the compiler: the simulator's, nvcc for the device or
    nvcc for the host.

    `texts` has one text for each, without macro expansion, as the compilers' headers define macros
    differently. Reports the first line in which a text differs from the first one, and lines with
    macros that tell compilers apart.
    """
    first, *others = texts
    lines = {first_difference(first.own, other.own) for other in others}
    lines |= {t.line for t in first.own if t.kind == "word" and _COMPILERS_NAME.match(t.text)}
    return sorted(line for line in lines if line is not None)


def _canonical(row: tuple[Token, ...]) -> Iterator[tuple[object, int]]:
    place = 0
    while place < len(row):
        token = row[place]
        cast = row[place : place + 4]
        # g++ spells DBL_MAX as double(1.79…e+308L), clang++ as a number.
        if [t.text for t in cast[:2] + cast[3:]] == ["double", "(", ")"]:
            value = _number(cast[2].text, kind="")
            if value is not None:
                yield value, token.line
                place += 4
                continue
        yield (_number(token.text) if token.kind == "number" else None) or token.text, token.line
        place += 1


def _number(text: str, kind: str | None = None) -> tuple[str, float] | None:
    """A literal's kind and value; None for forms that the system's macros do not expand to."""
    digits = text.replace("'", "")
    if kind is None and (whole := _INTEGER.fullmatch(digits)):
        base = 8 if re.fullmatch("0[0-9]+", whole[1]) else 0
        try:
            return "integer", int(whole[1], base)
        except ValueError:
            return None
    real = _FLOAT.fullmatch(digits)
    if not real or not re.search("[0-9]", real[1]):
        return None
    suffix = real[2].lower() if kind is None else kind
    if suffix == "l":
        return None
    value = float(real[1])
    return f"real{suffix}", _as_float(value) if suffix == "f" else value


def _as_float(value: float) -> float:
    try:
        (rounded,) = struct.unpack("f", struct.pack("f", value))
    except OverflowError:
        return value
    return float(rounded)
