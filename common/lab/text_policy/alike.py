"""What all compilers of a submission understand alike: pragmas, attributes and reserved names.

One compiler builds what is tested and timed, another what is checked. What only one of them knows
could make two programs of one text, so these are lists of what is allowed, by what courses use.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from common.lab.text_policy.scanner import Token, Word

# Others, such as `metadirective` and `declare variant`, may choose other code in each build. After
# `cancel parallel` code of clang waits for ever if a thread ends the region without a look.
_PRAGMAS_OF = {
    "omp": frozenset(
        {"atomic", "barrier", "cancel for", "cancel sections", "cancel taskgroup", "cancellation"}
        | {"critical", "declare reduction", "declare simd", "depobj", "distribute", "flush"}
        | {"for", "loop", "masked", "master"}
        | {"ordered", "parallel", "scan", "scope", "section", "sections", "simd", "single"}
        | {"target", "task", "taskgroup", "taskloop", "taskwait", "taskyield", "teams"}
        | {"threadprivate"}
    ),
    "GCC": frozenset(
        {"unroll", "ivdep", "diagnostic", "push_options", "pop_options", "optimize", "target"}
        | {"poison", "warning", "error"}
    ),
    "clang": frozenset({"loop", "diagnostic", "fp"}),
}
# Ignored by the compilers, or alike in all of them, or for speed alone.
_PRAGMAS = frozenset(
    {"once", "pack", "push_macro", "pop_macro", "message", "region", "endregion", "mark", "STDC"}
    | {"unroll", "nounroll", "ivdep", "simd", "vector", "loop_count", "inline", "forceinline"}
    | {"nv_diag_suppress", "nv_diag_default", "nv_diagnostic", "nv_exec_check_disable"}
    | {"diag_suppress", "diag_default", "hd_warning_disable", "warning"}
)
# Of the standard and of GNU's compilers. Not `packed`: compilers lay out such classes differently.
_ATTRIBUTES = frozenset(
    {"carries_dependency", "deprecated", "fallthrough", "likely", "maybe_unused", "nodiscard"}
    | {"no_unique_address", "noreturn", "unlikely"}
    | {"aligned", "alloc_align", "alloc_size", "always_inline", "assume_aligned", "cold", "const"}
    | {"flatten", "format", "hot", "malloc", "may_alias", "noclone", "noinline", "noipa"}
    | {"nonnull", "nothrow", "optimize", "pure", "returns_nonnull", "target", "unused", "used"}
    | {"vector_size", "warn_unused_result"}
)
_GNU_ATTRIBUTE = frozenset({"__attribute__", "__attribute"})
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")
_LONGEST = 80
_BITS = r"(?:l|ll)?"
_REAL = r"(?:f|l)?"
_BUILTIN = re.compile(
    rf"__builtin_(?:expect(?:_with_probability)?|prefetch|unreachable|trap|assume_aligned|alloca"
    rf"|bit_cast|offsetof|addressof|va_(?:start|end|arg|copy|list)|bswap(?:16|32|64)|mem(?:cpy|move|set)"
    rf"|(?:popcount|ctz|clz|ffs|parity|clrsb){_BITS}|(?:add|sub|mul)_overflow|l?l?abs"
    rf"|(?:fabs|sqrt|floor|ceil|trunc|rint|round|fma|fmin|fmax|copysign|inf|nan|huge_val){_REAL}"
    rf"|isnan|isinf|isfinite|isnormal|signbit|convertvector|shufflevector)"
)


@dataclass(slots=True)
class _List:
    """A list of attributes that is being read."""

    depth: int
    """Of brackets around its names."""
    name: str = ""
    """Of the attribute that is being read, without its arguments."""


def refused_pragma(text: str) -> str:
    """A refused pragma as the student writes it; empty if it is allowed."""
    first, second, third = (*text.split(" "), "", "")[:3]
    if second in ("declare", "cancel"):
        second += f" {third}"
    if first in _PRAGMAS_OF:
        return "" if second in _PRAGMAS_OF[first] else f"#pragma {first} {second}"
    return "" if first in _PRAGMAS else f"#pragma {first}"


def pragmas(own: Sequence[Token]) -> Iterator[Word]:
    """Pragmas of the preprocessed text, including _Pragma, in the form of Scan.pragmas."""
    for place, token in enumerate(own):
        after = [ahead.text for ahead in own[place + 1 : place + 5]]
        if token.text == "#" and after[:1] == ["pragma"]:
            yield Word(token.line, " ".join(after[1:]))


def refused_attributes(own: Sequence[Token]) -> Iterator[Word]:
    """Attributes in brackets or of GNU's form that are not allowed."""
    lists: list[_List] = []
    depth = 0
    for place, token in enumerate(own):
        top = lists[-1] if lists else None
        is_inside = top is not None and depth == top.depth
        if top and is_inside and token.text in (",", ")", "]"):
            if top.name.removeprefix("gnu::").strip("_") not in _ATTRIBUTES | {""}:
                yield Word(token.line, f"attribute {top.name}")
            top.name = ""
        elif top and is_inside and token.text not in _OPENING and len(top.name) < _LONGEST:
            top.name += token.text
        if token.text in _CLOSING:
            depth -= 1
            if is_inside:
                lists.pop()
        if _begins_list([ahead.text for ahead in own[place : place + 3]]):
            lists.append(_List(depth + 2))
        depth += token.text in _OPENING


def _begins_list(row: Sequence[str]) -> bool:
    return row[:2] == ["[", "["] or (row[0] in _GNU_ATTRIBUTE and row[1:] == ["(", "("])


def is_refused_name(name: str, known: Sequence[str]) -> bool:
    """Whether a name that belongs to compilers is none of those that all of them know.

    `known`: patterns of others than builtin functions; empty if there is but one compiler.
    """
    if name.startswith("__builtin_"):
        return _BUILTIN.fullmatch(name) is None
    is_reserved = bool(known) and name.startswith("__") and name.strip("_") not in _ATTRIBUTES
    return is_reserved and not any(fnmatchcase(name, pattern) for pattern in known)
