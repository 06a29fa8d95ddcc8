"""The source scanner, alone and compared with the compiler's view of a file's directives."""

import functools
import re
import shutil
import subprocess

from common.lab.text_policy.header_macros import headers_differ, includes_alone
from common.lab.text_policy.policy import read_source
from common.lab.text_policy.preprocessed import TextError, first_difference, read_preprocessed
from common.lab.text_policy.scanner import Scan, scan
from grader.judging.compile.diagnostics import tell_student
from grader.proof.fuzz.target import Target
from grader.proof.fuzz.targets.scratch import scratch_folder

_GXX = shutil.which("g++", path="/usr/bin")
_COMPILER_S = 2
_PATH = "/submission/sum.cc"
_BETWEEN = b"=====\n"
_SPLICE = re.compile(r"\\[ \t\v\f]*(?:\r\n?|\n)")
_READS = re.compile(r"include|import|embed")
_ODD = re.compile(r"""[\\>"]""")

scratch = functools.cache(scratch_folder)


def _decoded(data: bytes) -> str | None:
    """Decodes as policy.check_source does; None for a binary file."""
    return None if b"\0" in data else read_source(data)


def _check_places(found: Scan, text: str) -> None:
    lines = 1 + text.count("\n") + text.count("\r")
    places = [include.line for include in found.includes]
    places += [word.line for word in [*found.words, *found.pragmas]]
    assert all(1 <= line <= lines for line in places)
    assert len(found.pragmas) <= len(found.words)


def _source(data: bytes) -> None:
    """The scanner has found every header that the compiler reads, by the same name."""
    text = _decoded(data)
    if text is None:
        return
    found = scan(text)
    _check_places(found, text)
    if found.unclear or any(_is_refused(include.name) for include in found.includes):
        return  # whatever the compiler reads
    # A compiler is slow: run it only where the scanner may have missed something.
    if len(_READS.findall(_SPLICE.sub("", text))) <= len(found.includes):
        return
    missed = _read_by_compiler(text) - {include.name for include in found.includes}
    assert not missed, f"the compiler reads {missed}"


def _is_refused(name: str) -> bool:
    return not name or _ODD.search(name) is not None


def _read_by_compiler(text: str) -> set[str]:
    """Names of the headers, none of which exists; empty for a text that it refuses."""
    assert _GXX
    options = ("-std=c++20", "-M", "-MG", "-MT", "x", "-nostdinc", "-I.", "-x", "c++", "-")
    try:
        done = subprocess.run(
            [_GXX, *options],
            input=text.encode("utf-8", "surrogateescape"),
            capture_output=True,
            timeout=_COMPILER_S,
            cwd=scratch(),
        )
    except subprocess.TimeoutExpired:
        return set()
    if done.returncode != 0:
        return set()
    said = done.stdout.decode("utf-8", "surrogateescape").partition(":")[2].replace("\\\n", " ")
    names = re.findall(r"(?:\\[ \t#]|\$\$|[^ \t\n])+", said)
    plain = {re.sub(r"\\([ \t#])|\$(?=\$)", r"\1", name) for name in names}
    # Its escapes of a backslash before a blank are ambiguous; of <x>yz it takes x>y for the name,
    # which no file has.
    return {name for name in plain if name != "-" and not _ODD.search(name)}


def _preprocessed(data: bytes) -> None:
    """Two builds' preprocessed texts."""
    paths = scratch() / "one.ii", scratch() / "other.ii"
    for path, text in zip(paths, data.partition(_BETWEEN)[::2], strict=True):
        path.write_bytes(text)
    one, other = (read_preprocessed(path, _PATH) for path in paths)
    assert first_difference(one.own, one.own) is None
    differs = first_difference(one.own, other.own) is not None
    assert differs == (first_difference(other.own, one.own) is not None)
    assert not headers_differ(paths[0], paths[0], _PATH)
    headers_differ(*paths, _PATH)


def _macros(data: bytes) -> None:
    text = _decoded(data)
    alone = None if text is None else includes_alone(text)
    if alone is not None:
        assert text is not None
        # A name with // is truncated there, and then refused.
        names = {include.name for include in scan(alone).includes} - {""}
        assert names <= {include.name for include in scan(text).includes}


def _compiler_words(data: bytes) -> None:
    said, _, source = data.decode("utf-8", "replace").partition("=====\n")
    tell_student(said, "sum.cc", source)


TARGETS = [
    Target("preprocessed_text", _preprocessed, (TextError,)),
    Target("header_macros", _macros, format="preprocessed_text"),
    Target("source", _source, longest=160),
    Target("compiler_words", _compiler_words),
]
