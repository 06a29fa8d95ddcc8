"""Mutants of a lab's reference: small changes that its hidden tests should detect.

The idea is DeMillo, Lipton and Sayward's, "Hints on Test Data Selection" (1978): tests that tell a
program from its near neighbours tell it from most wrong ones.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SWAPS = {
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "!=": "==",
    "&&": "||",
    "||": "&&",
    "+": "-",
    "-": "+",
    "*": "+",
    "/": "*",
    "%": "/",
    "<<": ">>",
    ">>": "<<",
    "+=": "-=",
    "-=": "+=",
    "*=": "+=",
    "/=": "*=",
    "true": "false",
    "false": "true",
    "inclusive": "exclusive",
    "exclusive": "inclusive",
    "while": "if",
    "memory_order_acquire": "memory_order_relaxed",
    "memory_order_release": "memory_order_relaxed",
    "pthread_cond_broadcast": "pthread_cond_signal",
}
# Text that is not mutated.
_SILENT = re.compile(
    r"""
    //[^\n]* | /\*.*?\*/
  | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])'
  | ^[ \t]*\#[ \t]*(?:include|define|if|ifdef|ifndef|endif|else|error)\b[^\n]*
  | \bstatic_assert\b[^;]*;
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
# A directive's clauses are not mutated as arithmetic, but the kind of its scan is.
_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*pragma\b(?:[^\n\\]|\\\n|\\)*", re.MULTILINE)
_CHANGED = re.compile(
    r"""
    (?<=\s)(?:<=|>=|==|!=|&&|\|\||<<|>>|[-+*/]=|[-+*/%<>])(?=\s)   # as clang-format sets them
  | \b(?:true|false|memory_order_(?:acquire|release)|pthread_cond_broadcast)\b
  | \bwhile\b(?=[^;]*\bpthread_cond_wait\()
  | (?<![\w.'])(?:0|[1-9][0-9]*)(?![\w.'])
    """,
    re.VERBOSE,
)
# A launch without dynamic shared memory: a byte more, which nobody uses, is the same program.
_NO_MEMORY = re.compile(r"(?<=, )0(?=(?:, [\w.]+)?>>>)")
_SCAN = re.compile(r"\b(?:inclusive|exclusive)\b")
_DROPPED = re.compile(
    r"""
    ^[ \t]*\#[ \t]*pragma[ ]omp[ ](?:barrier|critical|atomic|taskwait|taskgroup)\b[^\n]*
  | \b__sync(?:threads|warp)\(\);
  | \b__threadfence(?:_block)?\(\);
  | \bpthread_cond_(?:signal|broadcast)\([^;]*(?=;)
    """,
    re.VERBOSE | re.MULTILINE,
)


@dataclass(frozen=True)
class Mutant:
    """The reference with one change."""

    line: int
    before: str
    """The line before the change, stripped of white space."""
    after: str
    """The line after it, stripped."""
    source: str


def mutants(source: str) -> list[Mutant]:
    """All mutants of a source, in the order of their positions."""
    changes = sorted(set(_changes(source)))
    return [_mutant(source, begin, end, text) for begin, end, text in changes]


def _changes(source: str) -> Iterator[tuple[int, int, str]]:
    code = _SILENT.sub(_blank, source)
    plain = _NO_MEMORY.sub(_blank, _DIRECTIVE.sub(_blank, code))
    for match in _CHANGED.finditer(plain):
        for text in _replacements(match.group()):
            yield match.start(), match.end(), text
    for directive in _DIRECTIVE.finditer(code):
        for match in _SCAN.finditer(code, directive.start(), directive.end()):
            yield match.start(), match.end(), _SWAPS[match.group()]
    for match in _DROPPED.finditer(code):
        yield match.start(), match.end(), ""


def _replacements(text: str) -> list[str]:
    if not text.isdigit():
        return [_SWAPS[text]]
    number = int(text)
    return [str(number + 1)] + ([str(number - 1)] if number > 0 else [])


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def _mutant(source: str, begin: int, end: int, text: str) -> Mutant:
    first = source.rfind("\n", 0, begin) + 1
    last = source.find("\n", end)
    last = len(source) if last < 0 else last
    return Mutant(
        line=source.count("\n", 0, begin) + 1,
        before=source[first:last].strip(),
        after=(source[first:begin] + text + source[end:last]).strip(),
        source=source[:begin] + text + source[end:],
    )
