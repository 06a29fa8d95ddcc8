"""Which headers and words a submission may use, by general lists and the lab's.

The grader and the public test apply these rules with the same sentences.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from common.lab.programming_models.model import ModelPolicy
from common.lab.text_policy.alike import (
    is_refused_name,
    pragmas,
    refused_attributes,
    refused_pragma,
)
from common.lab.text_policy.preprocessed import Preprocessed, TextError, first_difference
from common.lab.text_policy.scanner import Include, Token, scan, tokens

# Searched for both in the source and in the preprocessed text.
FORBIDDEN_WORDS = (
    *("asm", "__asm", "__asm__"),
    # The simulator's own names, and those by which code can detect that it is checked or counted.
    *("cudasim*", "CUDASIM_*", "__tsan_*", "__ubsan_*", "__sanitizer_*"),
    # Mangled names, system calls, and what differs from build to build.
    *("_Z*", "syscall", "GOMP_*", "kmp_*", "is_constant_evaluated", "source_location"),
    *("__DATE__", "__TIME__", "__TIMESTAMP__"),
    # They ask whether a file exists.
    *("__has_include*", "__has_embed"),
    # Functions of the C++ library that its own headers may call: allowed_symbols.py.
    *("_M_*", "_Rb_tree_*", "_Hash_bytes", "_Sp_locker", "_List_node_base", "__exception_ptr"),
    *("__cxa_*", "__cxxabiv1", "__once_*", "__future_base", "__atomic_futex_*", "__detail"),
    *("__ostream_insert", "__platform_*", "__sleep_for", "__throw_out_of_range_fmt"),
)
# Names to which the simulator's macros expand; the namespace's name is allowed only before the
# qualified ones.
_EXPANSIONS = (
    "cudasim_fast_*",
    "cudasim_fence",
    "cudasim_pause",
    "cudasim_syncthreads_reduce",
    "cudasimTrap",
)
_QUALIFIED_EXPANSIONS = frozenset({"SyncThreads", "Copy", "Move", "Fill", "FastSinCos"})
# Headers in these folders are for students; exports.h belongs to the worker.
_CONTRACT_FOLDERS = ("common/lab", "common/cuda", "common/opencl")
# How surrogateescape decodes a byte that is not UTF-8.
_BROKEN = re.compile("[\udc80-\udcff]")

_NOT_LISTED = "is not allowed in this lab"

DEFAULT_SOURCE_KB = 64
"""The limit of a lab that sets none, in KiB."""

_USUAL = "usual"
"""In a lab's list of headers: those that every lab of its programming model allows."""


@dataclass(frozen=True)
class PartRules:
    """What the function of a part must use."""

    function: str
    needed: tuple[tuple[str, ...], ...]
    """In addition to Rules.needed."""


@dataclass(frozen=True)
class Rules:
    """What a lab allows in a submission, and what it requires."""

    lab: str
    file: str
    """The name of the student's file."""
    model: ModelPolicy
    """What no lab of its programming model allows."""
    limit: int
    """Bytes of the file."""
    includes: tuple[str, ...]
    """Patterns of system headers; empty: any that is not forbidden."""
    words: tuple[str, ...]
    """Patterns of words that this lab forbids."""
    allowed: tuple[str, ...]
    """Patterns of symbols that this lab allows besides those that every lab allows."""
    headers: frozenset[str]
    """This workspace's headers that the file can include, as paths from its root."""
    forbidden: tuple[str, ...]
    """Patterns of symbols that this lab forbids."""
    needed: tuple[tuple[str, ...], ...]
    """Groups of patterns of symbols, of each of which one must be used."""
    parts: tuple[PartRules, ...]
    folders: tuple[str, ...] = ()
    """Folders of this workspace whose headers may be included besides the contract's."""
    declared: frozenset[str] = frozenset()
    """Words of the simulator's headers: functions that they declare may be used."""


def allowed_headers(listed: Iterable[str], model: ModelPolicy) -> tuple[str, ...]:
    """The patterns that a lab's list of headers stands for."""
    return tuple(
        name for entry in listed for name in (model.usual_headers if entry == _USUAL else (entry,))
    )


def read_source(data: bytes) -> str:
    """The text of a file; bytes that are not UTF-8 become surrogates."""
    return data.decode("utf-8-sig", "surrogateescape")


def too_large(name: str, size: int | None, limit: int) -> str:
    """The problem with a file of `size` bytes, or of more than `limit` if it is None."""
    kilobytes = f"{size / 1024:.0f} KB" if size is not None else f"more than {limit // 1024} KB"
    return f"{name} has {kilobytes}, limit {limit // 1024} KB"


def check_source(data: bytes, rules: Rules) -> list[str]:
    """Problems with the text: lines for the student, in the order of the file."""
    name = rules.file
    if len(data) > rules.limit:
        return [too_large(name, len(data), rules.limit)]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return [f"{name} is saved as UTF-16: save it as UTF-8"]
    if b"\0" in data:
        return [f"{name} is a binary file: hand in the C++ source"]
    text = read_source(data)
    if not text.strip():
        return [f"{name} is empty"]
    if broken := _encoding_problem(text):
        return [f"{name}:{broken}"]
    found = scan(text)
    problems = list(_include_problems(found.includes, rules))
    problems += [(word.line, f"{word.text} is not allowed") for word in found.unclear]
    return [f"{name}:{line}: {problem}" for line, problem in sorted(problems)]


def _encoding_problem(text: str) -> str:
    """The first byte outside comments that is not UTF-8; compilers skip those in comments."""
    if not _BROKEN.search(text):
        return ""
    for token in tokens(text):
        if byte := _BROKEN.search(token.text):
            line = token.line + token.text.count("\n", 0, byte.start())
            value = ord(byte[0]) - 0xDC00
            return f"{line}: byte 0x{value:02x} is not UTF-8: save the file as UTF-8"
    return ""


def differences(tests: Preprocessed, other: Preprocessed, rules: Rules) -> list[str]:
    """Problems if another build does not compile the same text as the tests' build."""
    line = first_difference(tests.own, other.own)
    if line is None:
        return []
    return [
        f"{rules.file}:{line}: this line differs in the builds that check or count: use no "
        "#if, macro or number that depends on the compiler"
    ]


def changed_headers(rules: Rules) -> list[str]:
    """The problem of a file whose macros change what it includes."""
    return [
        f"{rules.file}: a #define changes a header that is included after it: put every "
        "#include before it"
    ]


def not_ordinary(name: str, error: TextError) -> str:
    """The problem with a file whose preprocessed text cannot be checked."""
    return f"{name} is not ordinary C++ text: {error}"


def check_words(data: bytes, text: Preprocessed, rules: Rules) -> list[str]:
    """Problems with words that disable checks, in a text that check_source() accepted.

    Runs before compiling: a compiler's messages about what is refused could quote other files.
    """
    words = (*FORBIDDEN_WORDS, *rules.model.words, *rules.words)
    found = scan(read_source(data))
    refused = {(word.line, word.text) for word in found.words if _matches(word.text, words)}
    # The preprocessor removes some pragmas, so look in both texts; it expands macros in OpenMP's.
    given = [word for word in found.pragmas if not word.text.startswith("omp ")]
    given += pragmas(text.own)
    refused |= {(word.line, name) for word in given if (name := refused_pragma(word.text))}
    refused |= {(word.line, word.text) for word in refused_attributes(text.own)}
    refused |= set(_expanded(text.own, words, rules.model.known))
    refused |= {(1, f"#include {path}") for path in _unseen(text.entered, found.includes)}
    return [
        f"{rules.file}:{line}: {text} is not allowed in a submission"
        for line, text in sorted(refused)
    ]


def _expanded(
    own: Sequence[Token], words: Iterable[str], known: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """Forbidden words in the preprocessed text; `known`: see is_refused_name()."""
    for place, token in enumerate(own):
        if _is_spelled_by_compiler(own, place) or _is_message(own, place):
            yield token.line, token.text
        if token.kind != "word" or _matches(token.text, _EXPANSIONS):
            continue
        if not _matches(token.text, words):
            if is_refused_name(token.text, known):
                yield token.line, f"{token.text}, a name that belongs to compilers,"
            continue
        after = [ahead.text for ahead in own[place + 1 : place + 4]]
        is_qualifier = token.text == "cudasim" and after[:2] == [":", ":"]
        if is_qualifier and after[2:] and after[2] in _QUALIFIED_EXPANSIONS:
            continue
        yield token.line, token.text


def _is_spelled_by_compiler(own: Sequence[Token], place: int) -> bool:
    """__PRETTY_FUNCTION__ outside assert(): compilers spell its value differently."""
    if own[place].text != "__PRETTY_FUNCTION__":
        return False
    before = [token.text for token in own[max(place - 9, 0) : place]]
    return before[:2] != ["__assert_fail", "("] or before[-1] != "__extension__"


def _is_message(own: Sequence[Token], place: int) -> bool:
    """error_code::message() or error_category::message(), whose library writes a text unseen."""
    before = "".join(token.text for token in own[max(place - 2, 0) : place])
    return own[place].text == "message" and before.endswith((".", "->", "::"))


def _unseen(entered: Iterable[str], includes: Iterable[Include]) -> list[str]:
    """Files that the preprocessor included by a directive that scan() did not find."""
    named = tuple(f"/{include.name}" for include in includes if include.name)
    return [path for path in entered if not path.endswith(named)]


def _include_problems(includes: Iterable[Include], rules: Rules) -> Iterator[tuple[int, str]]:
    """Only the first refused header is followed by the list of those that are allowed."""
    allowed = f"; these headers are: {', '.join(rules.includes)}"
    for include in includes:
        problem = _include_problem(include, rules)
        if problem and problem.endswith(_NOT_LISTED):
            problem, allowed = problem + allowed, ""
        if problem:
            yield include.line, problem


def _include_problem(include: Include, rules: Rules) -> str | None:
    if not include.name:
        return f'{include.text}: only #include <header> or "header", written out, is allowed'
    if _is_contract(include.name, rules) or (include.quoted and _is_beside(include.name, rules)):
        return None
    allowed = rules.includes
    if include.quoted:
        return f"{include.text}: only the lab's own header may be included by name"
    if include.name.startswith("/") or ".." in PurePosixPath(include.name).parts:
        return f"{include.text}: name a system header, not a path"
    if not allowed and _matches(include.name, rules.model.headers):
        return f"{include.text} is not allowed: the lab's kernels are to be your own"
    if allowed and not _matches(include.name, allowed):
        return f"{include.text} {_NOT_LISTED}"
    return None


def _is_contract(name: str, rules: Rules) -> bool:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or path.name == "exports.h":
        return False
    folders = (f"labs/{rules.lab}", *_CONTRACT_FOLDERS, *rules.folders)
    return str(path.parent) in folders and str(path) in rules.headers


def _is_beside(name: str, rules: Rules) -> bool:
    """Whether it is the lab's header, which lies beside the student's file: #include "sum.h"."""
    path = PurePosixPath(name)
    return path.parts == (path.name,) and f"labs/{rules.lab}/{path}" in rules.headers


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
