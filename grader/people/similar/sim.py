"""Dick Grune's `sim`, the comparison of programs by their tokens, in a jail.

It compares kinds of tokens, so that other names, comments and spacing make no difference, and finds
runs that both programs have wherever they stand. It is a C program that reads students' bytes, so
it runs where submissions do.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.model.errors import GraderError, JudgeError
from grader.sandbox.processes import Processes
from grader.sandbox.run_in_jail import Bounds, Outcome, run_in_jail

PROGRAM = Path("/usr/bin/sim_c++")
RUN = 24
"""The fewest tokens, about three lines, that count as shared."""
_TOO_LONG = 9999
"""No run is as long as that."""
_BOUNDS = Bounds(wall_s=300, memory_mb=4096, output_kb=32 << 10)
_PERCENTAGE = re.compile(r"^(\d+)\.cc consists for (\d+) % of (\d+)\.cc material$", re.MULTILINE)
_TOKENS = re.compile(r"^File (\d+)\.cc: (\d+) tokens", re.MULTILINE)
_RUN = re.compile(
    r"^(\d+)\.cc: line (\d+)-(\d+)\s*\|(\d+)\.cc: line (\d+)-(\d+)\s*\[(\d+)\]", re.MULTILINE
)


@dataclass(frozen=True)
class Share:
    """`percent` of the tokens of one text are in another one."""

    of: int
    other: int
    percent: int


@dataclass(frozen=True)
class Run:
    """Lines, from 1, of two texts that have the same `tokens`."""

    left: tuple[int, int]
    right: tuple[int, int]
    tokens: int


class Sim:
    """Compares texts, which are numbered from 0."""

    def __init__(self, jail: Path, folder: Path, texts: Sequence[str]) -> None:
        """Writes the texts into `folder`. GraderError where there is no sim."""
        if not PROGRAM.exists():
            raise GraderError(
                f"there is no {PROGRAM}, which compares the texts",
                "apt-get install similarity-tester",
            )
        self._jail = jail
        self._folder = folder
        self._texts = folder / "texts"
        self._texts.mkdir(mode=0o755)
        self._count = len(texts)
        for number, text in enumerate(texts):
            (self._texts / _name(number)).write_text(text, encoding="utf-8")

    def tokens(self) -> dict[int, int]:
        """The number of tokens of each text."""
        said = self._run(["-n", f"-r{_TOO_LONG}"], range(self._count))
        return {int(number): int(tokens) for number, tokens in _TOKENS.findall(said)}

    def candidates(self, at_least: int) -> list[Share]:
        """Pairs worth a closer look, most alike first: each run of a text counts for one other."""
        said = self._run(["-p", "-a", "-s", f"-r{RUN}", f"-t{at_least}"], range(self._count))
        found = [Share(int(a), int(b), int(p)) for a, p, b in _PERCENTAGE.findall(said)]
        return sorted(found, key=lambda share: (-share.percent, share.of, share.other))

    def shares(self, left: int, right: int) -> tuple[int, int]:
        """The percentage of each text's tokens that is in the other one."""
        said = self._run(["-p", "-e", "-a", "-s", f"-r{RUN}", "-t1"], (left, right))
        found = {(int(a), int(b)): int(p) for a, p, b in _PERCENTAGE.findall(said)}
        return found.get((left, right), 0), found.get((right, left), 0)

    def runs(self, left: int, right: int) -> list[Run]:
        """What two texts share, longest run first."""
        found = []
        for a, *numbers in _RUN.findall(self._run(["-n", "-s", f"-r{RUN}"], (left, right))):
            first, last, _, other_first, other_last, tokens = map(int, numbers)
            one, other = (first, last), (other_first, other_last)
            mine, theirs = (one, other) if int(a) == left else (other, one)
            found.append(Run(mine, theirs, tokens))
        return found

    def _run(self, options: Sequence[str], texts: Sequence[int]) -> str:
        try:
            ended = self._in_jail([str(PROGRAM), *options, *map(_name, texts)])
        except JudgeError as error:
            raise GraderError(f"cannot compare the texts: {error}", "try again") from error
        if (ended.outcome, ended.code) != ("exited", 0):
            said = ended.output.strip().splitlines()
            raise GraderError(
                f"{PROGRAM} ended with {ended.outcome} {ended.code}: {said[0] if said else ''}",
                "report this, with the texts",
            )
        return ended.output

    def _in_jail(self, argv: Sequence[str]) -> Outcome:
        return run_in_jail(
            Processes(),
            self._jail,
            ["/usr/bin/env", "-C", "/texts", *argv],
            _BOUNDS,
            result=self._folder / "outcome.json",
            read_only={self._texts: "/texts"},
            writable={},
        )


def _name(number: int) -> str:
    return f"{number}.cc"
