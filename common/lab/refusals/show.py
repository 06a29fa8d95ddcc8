"""python3 -m common.lab.refusals.show: what the grader refuses in a student's file.

Writes its problems to a file, a line each, as the grader words them; an empty file if there are
none. Preprocesses and compiles the file as the grader does; what does not compile is the compiler's
to report.
"""

import argparse
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common.lab.object_policy.allowed_symbols import words_of
from common.lab.object_policy.symbol_policy import (
    check_symbols,
    has_stubs,
    is_stub,
    missing_symbols,
    not_an_object,
)
from common.lab.object_policy.symbols import ObjectError, Symbols, read_symbols
from common.lab.programming_models.models import MODELS
from common.lab.text_policy.header_macros import headers_differ, includes_alone
from common.lab.text_policy.policy import (
    DEFAULT_SOURCE_KB,
    PartRules,
    Rules,
    allowed_headers,
    changed_headers,
    check_source,
    check_words,
    differences,
    not_ordinary,
    read_source,
)
from common.lab.text_policy.preprocessed import Preprocessed, TextError, read_preprocessed

_SIMULATOR = "common/cudasim/include/"


def read_rules(lab_toml: Path, headers: list[str]) -> Rules:
    """The rules of the lab.toml of a lab's folder, which the grader has checked."""
    lab = tomllib.loads(lab_toml.read_text(encoding="utf-8"))
    policy = lab.get("policy", {})
    model = MODELS[lab["model"]].policy
    parts = [PartRules(part["function"], _groups(part)) for part in lab["parts"]]
    return Rules(
        lab=lab_toml.parent.name,
        file=lab["file"],
        model=model,
        limit=lab.get("limits", {}).get("source_kb", DEFAULT_SOURCE_KB) << 10,
        includes=allowed_headers(policy.get("includes", []), model),
        words=tuple(policy.get("words", [])),
        allowed=tuple(policy.get("allowed", [])),
        headers=frozenset(headers),
        forbidden=tuple(policy.get("forbidden", [])),
        needed=_groups(policy),
        parts=tuple(parts),
        declared=words_of(Path(header) for header in headers if _SIMULATOR in header),
    )


def _groups(table: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(group) for group in table.get("needed", []))


@dataclass(frozen=True)
class Compilers:
    """Commands without the names of files."""

    preprocessors: list[list[str]]
    """Of the tests' build and of others."""
    compiler: list[str]
    """Of the tests' build, for preprocessed text."""
    rewriter: str = ""
    """What makes C++ of preprocessed CUDA; empty for CPU labs."""


class _Builds:
    """What the compilers make of a file, in a folder for temporary files."""

    def __init__(self, source: Path, compilers: Compilers, folder: Path) -> None:
        self._source = source
        self._commands = compilers.preprocessors
        self._compiler = compilers.compiler
        self._rewriter = compilers.rewriter
        self._folder = folder

    def texts(self) -> list[Preprocessed]:
        """The file in each build, the tests' first; empty if that does not compile."""
        written = [self._preprocess(number, self._source) for number in range(len(self._commands))]
        if not written or written[0] is None:
            return []
        return [read_preprocessed(path, str(self._source)) for path in written if path]

    def changes_headers(self, text: str) -> bool:
        """Whether the file's macros change the headers that it includes."""
        alone = includes_alone(text)
        if alone is None:
            return False
        other = self._folder / self._source.name
        other.write_text(alone, encoding="utf-8", errors="surrogateescape")
        beside = f"-iquote{self._source.parent}"
        one, two = self._preprocess(0, self._source), self._preprocess(0, other, beside)
        if one is None or two is None:
            return True
        return headers_differ(one, two, str(self._source), str(other))

    def _preprocess(self, number: int, source: Path, *options: str) -> Path | None:
        """The preprocessed text; None if the compiler refuses the file."""
        out = self._folder / f"{number}_{len(options)}.ii"
        command = [*self._commands[number], *options, str(source), "-o", str(out)]
        return out if out.exists() or _run(command) else None

    def symbols(self) -> Symbols | None:
        """Those of the tests' object file; None if it does not compile. Raises ObjectError."""
        text, out = self._preprocess(0, self._source), self._folder / "tests.o"
        if text and self._rewriter:
            rewritten = text.with_suffix(".sim.ii")
            text = rewritten if _run([self._rewriter, str(text), str(rewritten)]) else None
        if text is None or not _run([*self._compiler, str(text), "-o", str(out)]):
            return None
        return read_symbols(out)


def _run(command: list[str]) -> bool:
    quiet = subprocess.DEVNULL
    return subprocess.run(command, stdout=quiet, stderr=quiet).returncode == 0


def _symbol_problems(symbols: Symbols, rules: Rules, text: Preprocessed) -> list[str]:
    """Parts whose function is still the stub lack nothing yet."""
    found = check_symbols(symbols, rules, own=text.own)
    if not has_stubs(symbols) and (missing := missing_symbols(symbols, rules)):
        return found + missing
    for part in rules.parts:
        if not is_stub(symbols, part):
            found += missing_symbols(symbols, rules, part)
    return found


def problems(source: Path, rules: Rules, compilers: Compilers) -> list[str]:
    """Lines for the student; `source` is the path by which the compilers know the file."""
    data = source.read_bytes()
    if found := check_source(data, rules):
        return found
    with tempfile.TemporaryDirectory() as folder:
        builds = _Builds(source, compilers, Path(folder))
        try:
            texts = builds.texts()
            for text in texts[:1]:
                found += check_words(data, text, rules)
            if texts and (symbols := builds.symbols()):
                found += _symbol_problems(symbols, rules, texts[0])
            if texts and not found and builds.changes_headers(read_source(data)):
                found += changed_headers(rules)
        except ObjectError as error:
            return [not_an_object(rules.file, error)]
        except TextError as error:
            return [not_ordinary(rules.file, error)]
    for other in texts[1:]:
        found += differences(texts[0], other, rules)
    return list(dict.fromkeys(found))


def main(arguments: list[str]) -> int:
    """Ends with 0 also if there are problems: the test that reads them fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, required=True)
    parser.add_argument("--lab-toml", type=Path, required=True)
    parser.add_argument("--headers", type=Path, required=True, help="a path a line")
    parser.add_argument("--preprocessor", type=Path, action="append", help="an argument a line")
    parser.add_argument("--compiler", type=Path, required=True, help="the same")
    parser.add_argument("--rewriter", default="", help="a program, for CUDA labs")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    compilers = Compilers(
        [_lines(path) for path in given.preprocessor], _lines(given.compiler), given.rewriter
    )
    found = problems(given.source, read_rules(given.lab_toml, _lines(given.headers)), compilers)
    given.out.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    return 0


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
