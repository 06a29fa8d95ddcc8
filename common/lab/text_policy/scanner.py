"""Tokenizes C++ well enough to find its directives and identifiers as the compiler does.

Handles line splices, comments, string and character literals, raw strings, digit separators and
digraphs. It gives students early errors and is a first filter; the jail is the security boundary.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

# To compilers a carriage return alone ends a line, too.
_LINE_END = re.compile(r"(?P<splice>\\[ \t\v\f]*(?:\r\n?|\n))|\r\n?|\n")
_TOKEN = re.compile(
    r"""
    (?P<newline> \n )
  | (?P<space>   [ \t\v\f]+ | //[^\n]* | /\*.*?(?:\*/|\Z) )
  | (?P<raw>     (?:u8|[uUL])?R"[^()\\\s"]{0,16}\( )
  | (?P<string>  (?:u8|[uUL])?"(?:\\.|[^"\\\n])*(?:"|(?=\n)|\Z) )
  | (?P<char>    (?:u8|[uUL])?'(?:\\.|[^'\\\n])*(?:'|(?=\n)|\Z) )
  | (?P<number>  \.?[0-9](?:[eEpP][+-]|'[0-9A-Za-z_]|[0-9A-Za-z_.])* )
  | (?P<word>    (?!\d)[\w$]+ )
  | (?P<hash>    \#\#? | %:%: | %: )
  | (?P<other>   . )
    """,
    re.VERBOSE | re.DOTALL,
)
_DIRECTIVES = frozenset({"include", "include_next", "import", "embed"})
_ASKS_FOR = re.compile(r"__has_(?:include(?:_next)?|embed)")
_HEADER = re.compile(r"<[^>\n]+>")
_HEADER_END = re.compile(r"[>\n]")
# In a header's name the standard leaves these to each compiler.
_UNCLEAR_IN_HEADER = re.compile(r"""['"\\]|//|/\*""")
# After a literal, this is a suffix and a string, or a raw string if the suffix is a macro.
_RAW_SUFFIX = re.compile(r"(?:u8|[uUL])?R\"")
_IN_A_KERNEL = re.compile(r"[ \t]*#[ \t]*(?:define|pragma)\b[^#]*")


_LITERALS = frozenset({"string", "char", "raw", "header"})
_NEVER_IN_A_NUMBER = frozenset({"word", *_LITERALS})


@dataclass(frozen=True, slots=True)
class Include:
    """One directive that reads another file, or asks for one; `name` is empty unless it is written
    out."""

    line: int
    name: str
    quoted: bool
    text: str


@dataclass(frozen=True, slots=True)
class Word:
    """One identifier outside comments and literals."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Scan:
    """The parts of a source that the policy checks."""

    includes: list[Include]
    words: list[Word]
    pragmas: list[Word]
    """The first three tokens after each #pragma."""
    unclear: list[Word]
    """Constructs for which this scanner and the compiler may disagree on text or line numbers."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token that is neither space nor a comment; `kind` is a group of _TOKEN, or "header" for a
    header's name in angle brackets."""

    kind: str
    text: str
    line: int
    offset: int


class _Joined:
    """The source with spliced lines joined, and the map from its offsets to the source's."""

    def __init__(self, source: str) -> None:
        self.source = source
        pieces: list[str] = []
        self._joined = [0]
        self._original = [0]
        offset = position = 0
        for match in _LINE_END.finditer(source):
            piece = source[position : match.start()] + ("" if match["splice"] else "\n")
            pieces.append(piece)
            offset += len(piece)
            position = match.end()
            self._joined.append(offset)
            self._original.append(position)
        pieces.append(source[position:])
        self.text = "".join(pieces)
        self._header_ends = [match.start() for match in _HEADER_END.finditer(self.text)]

    def line(self, offset: int) -> int:
        """The line, from 1, in the file as the student sees it."""
        return bisect_right(self._joined, offset)

    def opens_header(self, start: int) -> bool:
        """Whether a `>` follows the `<` at `start` on its line. Takes logarithmic time."""
        index = bisect_right(self._header_ends, start)
        return index < len(self._header_ends) and self.text[self._header_ends[index]] == ">"

    def raw_end(self, start: int, opening: str) -> int:
        """Where a raw string ends, found in the source, as lines are not spliced in raw strings."""
        index = self.line(start) - 1
        at = self._original[index] + (start - self._joined[index]) + len(opening)
        fence = opening[opening.index('"') + 1 : -1]
        end = self.source.find(f'){fence}"', at)
        if end < 0:
            return len(self.text)
        end += len(fence) + 2
        index = bisect_right(self._original, end) - 1
        return min(self._joined[index] + (end - self._original[index]), len(self.text))


def tokens(source: str, first_line: int = 1) -> Iterator[Token]:
    """Every token; the source begins at line `first_line` of its file."""
    for row in _rows(_Joined(source)):
        for token in row:
            yield replace(token, line=token.line + first_line - 1)


def logical_lines(source: str) -> Iterator[tuple[list[str], str]]:
    """The tokens and the text of each logical line that has tokens."""
    joined = _Joined(source)
    for row in filter(None, _rows(joined)):
        text = joined.text[row[0].offset : row[-1].offset + len(row[-1].text)]
        yield [token.text for token in row], text


def scan(source: str) -> Scan:
    """Finds the constructs that the policy checks."""
    joined = _Joined(source)
    includes: list[Include] = []
    words: list[Word] = []
    pragmas: list[Word] = []
    unclear: list[Word] = []
    for row in _rows(joined):
        unclear += _unclear(row, joined.text)
        include = _include(row)
        if include:
            includes.append(include)
        else:
            asked = dict(_questions(row))
            includes += filter(None, asked.values())
            words += [
                Word(token.line, token.text)
                for place, token in enumerate(row)
                if token.kind == "word" and place not in asked
            ]
            if len(row) > 2 and row[0].kind == "hash" and row[1].text == "pragma":
                pragmas.append(Word(row[2].line, " ".join(token.text for token in row[2:5])))
    return Scan(includes, words, pragmas, unclear)


def _rows(joined: _Joined) -> Iterator[list[Token]]:
    """The tokens of one logical line at a time; a comment counts as space and may span lines."""
    row: list[Token] = []
    position = 0
    while match := _next(joined, position, row):
        kind, start = match.lastgroup or "header", position
        position = joined.raw_end(start, match.group()) if kind == "raw" else match.end()
        if kind == "newline":
            yield row
            row = []
        elif kind != "space":
            row.append(Token(kind, joined.text[start:position], joined.line(start), start))
    yield row


def _next(joined: _Joined, position: int, row: list[Token]) -> re.Match[str] | None:
    """The next token of a row; after #include <x" is one token, a quote opens no string there."""
    if joined.text.startswith("<", position) and _awaits_header(row):
        header = _HEADER.match(joined.text, position) if joined.opens_header(position) else None
        return header or _TOKEN.match(joined.text, position)
    return _TOKEN.match(joined.text, position)


def _awaits_header(row: list[Token]) -> bool:
    """Whether compilers take <x" for a header's name; g++ does so up to the end of an #include."""
    if len(row) < 2 or row[0].text not in ("#", "%:"):
        return False
    if row[1].text in _DIRECTIVES:
        return True
    asked = row[-2] if row[-1].text == "(" else row[-1]
    return bool(_ASKS_FOR.fullmatch(asked.text))


def _unclear(row: list[Token], text: str) -> Iterator[Word]:
    is_directive = len(row) > 1 and row[0].text in ("#", "%:")
    if is_directive and (row[1].text == "line" or row[1].kind == "number"):
        yield Word(row[1].line, "#line")
    if [token.text for token in row[1:4]] == ["pragma", "GCC", "dependency"]:
        yield Word(row[1].line, "#pragma GCC dependency")  # a header's name follows
    yield from _outside_the_alphabet(row)
    for token in row:
        end = token.offset + len(token.text)
        if token.kind in ("string", "char") and _RAW_SUFFIX.match(text, end):
            yield Word(token.line, "a literal with the suffix R before a string")
        if token.kind == "header" and _UNCLEAR_IN_HEADER.search(token.text):
            yield Word(token.line, "a header's name with a quote, backslash or comment in it")
        if token.kind == "raw" and _has_like_a_marker(token.text):
            yield Word(token.line, "a raw string with # in it")


def _has_like_a_marker(raw: str) -> bool:
    """Whether a line could look like a line marker in preprocessed text, or become a directive.
    Texts of kernels define."""
    lines = raw.partition("(")[2].split("\n")
    return "%:" in raw or any("#" in line and not _IN_A_KERNEL.fullmatch(line) for line in lines)


def _outside_the_alphabet(row: list[Token]) -> Iterator[Word]:
    """What may belong to a number or a name for a compiler, but not for this scanner."""
    end, follows_number = 0, False
    for token in row:
        if follows_number and token.offset == end and token.kind in _NEVER_IN_A_NUMBER:
            yield Word(token.line, "a number next to a name or a literal")
        end, follows_number = token.offset + len(token.text), token.kind == "number"
        if token.kind in _LITERALS:
            continue
        for char in token.text:
            if not char.isascii() and not (token.kind == "word" and char.isalpha()):
                name = unicodedata.name(char, "a character")
                yield Word(token.line, f"{name} (U+{ord(char):04X}) outside comments and literals")


def _include(row: list[Token]) -> Include | None:
    if len(row) < 2 or row[0].text not in ("#", "%:") or row[1].text not in _DIRECTIVES:
        return None
    directive, line, target = row[1].text, row[1].line, row[2:]
    shown = f"#{directive} " + "".join(token.text for token in target)[:80]
    return Include(line, *_header(target if directive == "include" else []), shown)


def _questions(row: list[Token]) -> Iterator[tuple[int, Include | None]]:
    """Where a condition asks by __has_include for a header that is written out, or whether there is
    __has_include."""
    if len(row) < 3 or row[0].text not in ("#", "%:"):
        return
    for place, token in enumerate(row):
        before = [earlier.text for earlier in row[place - 2 : place]]
        after = row[place + 1 : place + 4]
        if token.text != "__has_include":
            continue
        if row[1].text in ("ifdef", "ifndef") or "defined" in before:
            yield place, None
        elif row[1].text in ("if", "elif") and [a.text for a in after[::2]] == ["(", ")"]:
            yield place, Include(token.line, *_header(after[1:]), f"__has_include({after[1].text})")


def _header(target: Sequence[Token]) -> tuple[str, bool]:
    """The header that comes first, empty if it is not written out, and whether it is quoted."""
    first = target[0] if target else None
    if first and first.kind == "string" and first.text.startswith('"'):
        return first.text.strip('"'), True
    return first.text[1:-1] if first and first.kind == "header" else "", False
