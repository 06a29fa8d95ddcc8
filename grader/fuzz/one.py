"""Runs one Python target: one.py NAME SECONDS SEED KEEP WORDS DATA.... Prints its outcome in JSON.

Runs in its own process, because memory limits hold for a whole process.
"""

from __future__ import annotations

import ast
import json
import resource
import sys
from pathlib import Path

from grader.fuzz.loop import Fuzzer, save
from grader.fuzz.targets import TARGETS

_ADDRESS_SPACE = 3 << 30
"""Bytes. An allocation beyond it raises MemoryError, which is a finding."""


def read_words(path: Path) -> list[bytes]:
    """The strings of a libFuzzer dictionary, whose escapes are also Python's."""
    lines = path.read_text(encoding="ascii").splitlines()
    return [ast.literal_eval(f"b{line}") for line in lines if line.startswith('"')]


def main(arguments: list[str]) -> int:
    """Findings go to the folder KEEP, WORDS is a libFuzzer dictionary, DATA are seed files."""
    name, seconds, seed, keep, words, *files = arguments
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
    fuzzer = Fuzzer(TARGETS[name], int(seed), read_words(Path(words)))
    outcome = fuzzer.run((Path(file).read_bytes() for file in files), float(seconds))
    found = save(outcome.findings, Path(keep) / "findings")
    print(
        json.dumps(
            {
                "executions": outcome.executions,
                "seconds": outcome.seconds,
                "edges": outcome.edges,
                "kept": outcome.kept,
                "findings": [
                    {"kind": finding.kind, "where": finding.where, "path": str(path)}
                    for finding, path in zip(outcome.findings, found, strict=True)
                ],
            }
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
