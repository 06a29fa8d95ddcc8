"""python3 -m common.lab.text_policy.show: what the grader refuses in the text of a student's file.

Writes its problems to a file, a line each, as the grader words them; an empty file if there are
none. Runs each build's preprocessor, as the grader does; what does not compile is the compiler's to
report.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from common.lab.text_policy.header_macros import headers_differ, includes_alone
from common.lab.text_policy.policy import (
    DEFAULT_SOURCE_KB,
    Rules,
    changed_headers,
    check_source,
    check_words,
    differences,
    not_ordinary,
    read_source,
)
from common.lab.text_policy.preprocessed import Preprocessed, TextError, read_preprocessed


def read_rules(lab_toml: Path, headers: list[str]) -> Rules:
    """The rules of the lab.toml of a lab's folder, which the grader has checked."""
    lab = tomllib.loads(lab_toml.read_text(encoding="utf-8"))
    policy = lab.get("policy", {})
    return Rules(
        lab=lab_toml.parent.name,
        file=lab["file"],
        model=lab["model"],
        limit=lab.get("limits", {}).get("source_kb", DEFAULT_SOURCE_KB) << 10,
        includes=tuple(policy.get("includes", [])),
        words=tuple(policy.get("words", [])),
        headers=frozenset(headers),
    )


class _Builds:
    """The preprocessors of the tests' build and of others, each a command without its files."""

    def __init__(self, source: Path, commands: list[list[str]], folder: Path) -> None:
        self._source = source
        self._commands = commands
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
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return out if done.returncode == 0 else None


def problems(source: Path, rules: Rules, commands: list[list[str]]) -> list[str]:
    """Lines for the student; `source` is the path by which the compilers know the file."""
    data = source.read_bytes()
    if found := check_source(data, rules):
        return found
    with tempfile.TemporaryDirectory() as folder:
        builds = _Builds(source, commands, Path(folder))
        try:
            texts = builds.texts()
            for text in texts[:1]:
                found += check_words(data, text, rules)
            if texts and not found and builds.changes_headers(read_source(data)):
                found += changed_headers(rules)
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
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    commands = [path.read_text(encoding="utf-8").splitlines() for path in given.preprocessor]
    rules = read_rules(given.lab_toml, given.headers.read_text(encoding="utf-8").splitlines())
    found = problems(given.source, rules, commands)
    given.out.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
