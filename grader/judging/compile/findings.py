"""Checks a submission's object file and preprocessed text against the policy."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from common.lab.object_policy.symbol_policy import (
    check_symbols,
    has_stubs,
    missing_symbols,
    not_an_object,
)
from common.lab.object_policy.symbols import ObjectError, read_symbols
from common.lab.text_policy import policy
from common.lab.text_policy.policy import check_words, not_ordinary
from common.lab.text_policy.preprocessed import (
    Preprocessed,
    TextError,
    dependent_lines,
    read_preprocessed,
)
from grader.judging.compile.kit_rules import rules_of
from grader.model.errors import JudgeError
from grader.model.manifest import Kit

_DIRECTIVES_ONLY = "-fdirectives-only"


@dataclass(frozen=True)
class Findings:
    """Why a build is refused, and what may be refused after the tests."""

    problems: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    """Required constructs that a file with stubs does not use: refused once a part of it turns out
    to be implemented."""
    lacking_in: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Required constructs that a part does not use, by its function's name."""
    text: Preprocessed | None = None
    """None if the build has no preprocessing step of its own."""


NOTHING_FOUND = Findings()


def text_is_made(kit: Kit, build: str, step: Sequence[str]) -> bool:
    """Whether after this step of a build no step only preprocesses."""
    steps = kit.manifest.builds[build].steps
    return step == next((each for each in reversed(steps) if "-E" in each), steps[0])


def inspect_text(kit: Kit, build: str, *, source: bytes, out: Path) -> Findings:
    """Checks the texts that a build left in `out`, before anything compiles them.

    A malformed file is a finding, as the student's text may cause it; a missing one a JudgeError.
    """
    try:
        text = _preprocessed(kit, build, out)
        conditions = _conditions(kit, build, out)
    except TextError as error:
        return Findings((not_ordinary(kit.manifest.file, error),))
    words = check_words(source, text or Preprocessed((), ()), rules_of(kit))
    return Findings((*words, *conditions), text=text)


def inspect_object(kit: Kit, build: str, *, text: Preprocessed | None, out: Path) -> Findings:
    """Checks the object file that a build left in `out`, as inspect_text() does."""
    try:
        symbols = read_symbols(_made(kit, build, out, ".o"))
    except ObjectError as error:
        return Findings((not_an_object(kit.manifest.file, error),))
    rules = rules_of(kit)
    problems = check_symbols(symbols, rules, build, text.own if text else ())
    if build != "tests":
        return Findings(tuple(problems), text=text)
    missing = missing_symbols(symbols, rules)
    lacking_in = {part.function: missing_symbols(symbols, rules, part) for part in rules.parts}
    if has_stubs(symbols):
        return Findings(tuple(problems), tuple(missing), lacking_in, text)
    return Findings((*problems, *missing), (), lacking_in, text)


def differences(kit: Kit, tests: Findings, other: Findings) -> list[str]:
    """Problems if a build does not compile the same text as the tests' build."""
    if tests.text is None or other.text is None:
        return []
    return policy.differences(tests.text, other.text, rules_of(kit))


def _conditions(kit: Kit, build: str, out: Path) -> list[str]:
    """Problems with lines that differ for nvcc, which preprocesses the file itself."""
    name = kit.manifest.file
    steps = [step for step in kit.manifest.builds[build].steps if _DIRECTIVES_ONLY in step]
    texts = [read_preprocessed(_output(build, step, out), f"/submission/{name}") for step in steps]
    return [
        f"{name}:{line}: this line differs in the build for the GPU: use no #if and no macro that "
        "depends on the compiler"
        for line in (dependent_lines(texts) if texts else [])
    ]


def _preprocessed(kit: Kit, build: str, out: Path) -> Preprocessed | None:
    steps = kit.manifest.builds[build].steps
    if not any("-E" in step and _DIRECTIVES_ONLY not in step for step in steps):
        return None
    return read_preprocessed(_made(kit, build, out, ".ii"), f"/submission/{kit.manifest.file}")


def _made(kit: Kit, build: str, out: Path, suffix: str) -> Path:
    """The output of the first step that writes a file with this suffix, from the student's file."""
    for step in kit.manifest.builds[build].steps:
        if _target(step).endswith(suffix):
            return _output(build, step, out)
    raise JudgeError(f"the kit's build {build!r} writes no {suffix} file in /out")


def _target(step: list[str]) -> str:
    """The step's output file; empty if it has no -o option."""
    return next((value for option, value in pairwise(step) if option == "-o"), "")


def _output(build: str, step: list[str], out: Path) -> Path:
    path = out / _target(step).removeprefix("/out/")
    if path.is_symlink() or not path.is_file():
        raise JudgeError(f"the build {build!r} leaves no {path.name} to inspect")
    return path
