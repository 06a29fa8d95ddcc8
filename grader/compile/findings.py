"""What a submission's compiled file and preprocessed text say of it: why it is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from grader.compile.policy import check_words
from grader.compile.preprocessed import (
    Preprocessed,
    TextError,
    dependent_lines,
    first_difference,
    read_preprocessed,
)
from grader.compile.symbol_policy import check_symbols, has_stubs, missing_symbols
from grader.compile.symbols import ObjectError, read_symbols
from grader.model.errors import JudgeError
from grader.model.manifest import Kit

_DIRECTIVES_ONLY = "-fdirectives-only"


@dataclass(frozen=True)
class Findings:
    """Why a build is refused, and what is to be refused later."""

    problems: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    """What the lab asks for and a file with stubs in it does not use: to be refused once a part
    of it turns out to be written."""
    lacking_in: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """What a part, by its function's name, asks for and the file does not use."""
    text: Preprocessed | None = None
    """None for a compiler that preprocesses on its own."""


NOTHING_FOUND = Findings()


def look_into(kit: Kit, build: str, *, source: bytes, out: Path) -> Findings:
    """Reads what a build left in `out`.

    What a hostile text makes of it is the student's doing; what is missing is the kit's.
    """
    name = kit.manifest.file
    try:
        text = _preprocessed(kit, build, out)
        conditions = _conditions(kit, build, out)
        symbols = read_symbols(_made(kit, build, out, ".o"))
    except ObjectError as error:
        return Findings((f"{name} does not compile to an ordinary object file: {error}",))
    except TextError as error:
        return Findings((f"{name} is not an ordinary text: {error}",))
    words = check_words(source, text or Preprocessed((), ()), kit)
    problems = words + conditions + check_symbols(symbols, kit, build)
    if build != "tests":
        return Findings(tuple(problems), text=text)
    missing = missing_symbols(symbols, kit)
    lacking_in = {part.function: missing_symbols(symbols, kit, part) for part in kit.lab.parts}
    if has_stubs(symbols):
        return Findings(tuple(problems), tuple(missing), lacking_in, text)
    return Findings((*problems, *missing), (), lacking_in, text)


def differences(kit: Kit, tests: Findings, other: Findings) -> list[str]:
    """Where a build does not compile what the tests' build does."""
    if tests.text is None or other.text is None:
        return []
    line = first_difference(tests.text.own, other.text.own)
    if line is None:
        return []
    return [
        f"{kit.manifest.file}:{line}: this line reads otherwise where the program is checked or "
        "counted: use no #if, macro or number that depends on the compiler"
    ]


def _conditions(kit: Kit, build: str, out: Path) -> list[str]:
    """Lines that are not the same for a compiler that preprocesses on its own."""
    name = kit.manifest.file
    steps = [step for step in kit.manifest.builds[build].steps if _DIRECTIVES_ONLY in step]
    texts = [read_preprocessed(_output(build, step, out), f"/submission/{name}") for step in steps]
    return [
        f"{name}:{line}: this line reads otherwise where the clock is the GPU's: use no #if and no "
        "macro that depends on the compiler"
        for line in (dependent_lines(texts) if texts else [])
    ]


def _preprocessed(kit: Kit, build: str, out: Path) -> Preprocessed | None:
    steps = kit.manifest.builds[build].steps
    if not any("-E" in step and _DIRECTIVES_ONLY not in step for step in steps):
        return None
    return read_preprocessed(_made(kit, build, out, ".ii"), f"/submission/{kit.manifest.file}")


def _made(kit: Kit, build: str, out: Path, suffix: str) -> Path:
    """What the first step that writes such a file made of the student's file alone."""
    for step in kit.manifest.builds[build].steps:
        if _target(step).endswith(suffix):
            return _output(build, step, out)
    raise JudgeError(f"the kit's build {build!r} writes no {suffix} file in /out")


def _target(step: list[str]) -> str:
    """What the step writes; empty: what it writes is not looked into."""
    return next((value for option, value in pairwise(step) if option == "-o"), "")


def _output(build: str, step: list[str], out: Path) -> Path:
    path = out / _target(step).removeprefix("/out/")
    if path.is_symlink() or not path.is_file():
        raise JudgeError(f"the build {build!r} leaves no {path.name} to look into")
    return path
