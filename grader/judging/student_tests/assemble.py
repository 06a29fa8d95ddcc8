"""Assembles a kit of the kind "tests": builds a lab's programs, and finds out which part's own
tests detect each.

A fault counts for a part if the lab's hidden tests of that part, linked and run as a student's are,
detect it in each of two runs. So no student is asked for what such a run cannot show, as the clock,
counters and race checkers do, or shows by luck alone.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, islice, takewhile
from pathlib import Path
from typing import Any

from grader.judging.kit.assemble import KitError, copy_files, digest
from grader.judging.sample.equivalents import load_equivalents
from grader.judging.sample.mutants import mutants
from grader.judging.sample.samples import samples
from grader.judging.student_tests.bench import Bench, Ended
from grader.judging.student_tests.choice import choose, has_few, is_wanted, without_faults
from grader.judging.student_tests.conditional import CONDITIONS, ConditionalFaults
from grader.judging.student_tests.lab_toml import lab_toml
from grader.judging.student_tests.programs import (
    FOLDER,
    LIST,
    OWN_TEST,
    PLACE,
    PUBLIC_TEST,
    Fault,
    Programs,
)
from grader.model import kind
from grader.model.errors import GraderError
from grader.model.lab import Lab, Part, load_lab
from grader.model.verdict import Verdict

_AT_A_TIME = 2
_TRIES_PER_PART = 3
"""Mutants that are tried at most for each part."""
_PATIENCE_S = 120.0
"""For a right program, on a machine that does other work, too."""
_LEAST_PATIENCE_S = 10.0
_TIMES = 5
"""A program that takes so many times as long as a right one does not return."""
# They do not compile, must only run in a jail, or are wrong by what this build does not show.
_LEFT_OUT = {
    *(Verdict.COMPILE_ERROR, Verdict.MEMORY_LIMIT, Verdict.OUTPUT_LIMIT, Verdict.POLICY),
    *(Verdict.TAMPERING, Verdict.TOO_SLOW),
}


@dataclass
class _Trial:
    """Tries programs with the lab's own tests and with its public test."""

    bench: Bench
    lab: Lab
    own: Path
    public: Path
    seconds: dict[str, float] = field(default_factory=dict)
    """That the own tests of a part take with the slowest right program."""
    found: list[Fault] = field(default_factory=list)
    """So far, in the order in which programs were tried. No part looks for more than it wants."""

    def wants(self, part: Part) -> bool:
        return any(is_wanted(self.found, part.function, public=each) for each in (True, False))

    def has_few(self, part: Part) -> bool:
        return has_few(self.found, part.function)

    def right(self, text: bytes, name: str) -> str:
        """The library of a right program; KitError unless all tests pass."""
        library = self.bench.build(text)
        if library is None:
            raise KitError(f"error: {name} does not compile\n  next: correct it")
        for part in self.lab.parts:
            for test in (self.public, self.own):
                ended = self.bench.run(test, library, [part], _PATIENCE_S)
                if ended.verdict is not Verdict.ACCEPTED:
                    raise KitError(
                        f"error: {name}: {part.suite} ends with {ended.verdict}\n{ended.said}\n"
                        "  next: build again on a quiet machine, or correct the test"
                    )
            before = self.seconds.get(part.function, 0)
            self.seconds[part.function] = max(before, ended.seconds)
        return library

    def faults(self, text: bytes, verdict: Verdict | None) -> list[Fault]:
        """The parts in which a program is wrong; `verdict`: a sample's."""
        library = self.bench.build(text)
        return self._faults(library, self.lab.parts, verdict) if library else []

    def conditional(self, made: ConditionalFaults, part: Part, condition: int) -> list[Fault]:
        """The part, if its own tests make the fault show."""
        return self._faults(made.build(part.function, condition), [part], None)

    def _faults(self, library: str, parts: Sequence[Part], verdict: Verdict | None) -> list[Fault]:
        """The public test comes first: it takes less time, and decides what the others are for."""
        shown = self._detect(self.public, library, [*filter(self.wants, parts)])
        wanted = [
            part
            for part in filter(self.wants, parts)
            if is_wanted(self.found, part.function, public=part.function in shown)
        ]
        found = []
        for function, ended in self._detect(self.own, library, wanted).items():
            (part,) = (part for part in wanted if part.function == function)
            if ended.verdict is not Verdict.TIME_LIMIT:
                ended = self._run(self.own, library, [part])
            if ended.verdict is not Verdict.ACCEPTED:
                found.append(
                    Fault(
                        library=library,
                        part=function,
                        kind=verdict or ended.verdict,
                        case=ended.report.failed(part.suite) if ended.report else "",
                        public=function in shown,
                    )
                )
        return found

    def _detect(self, test: Path, library: str, parts: Sequence[Part]) -> dict[str, Ended]:
        """The parts whose tests do not pass: by one run of all, or if that did not end, of each."""
        if not parts:
            return {}
        ended = self._run(test, library, parts)
        if ended.report is not None:
            return {part.function: ended for part in parts if ended.report.failed(part.suite)}
        if len(parts) == 1:
            return {parts[0].function: ended}
        each = {part.function: self._run(test, library, [part]) for part in parts}
        return {name: run for name, run in each.items() if run.verdict is not Verdict.ACCEPTED}

    def _run(self, test: Path, library: str, parts: Sequence[Part]) -> Ended:
        seconds = sum(self.seconds[part.function] for part in parts)
        patience_s = max(_LEAST_PATIENCE_S, _TIMES * seconds)
        return self.bench.run(test, library, parts, patience_s, to_the_end=True)


def _samples(folder: Path, *, finds_races: bool) -> list[tuple[bytes, Verdict | None]]:
    left_out = _LEFT_OUT if finds_races else _LEFT_OUT | {Verdict.DATA_RACE}
    return [
        (sample.read(), sample.expected)
        for sample in samples(folder)
        if sample.is_wrong and sample.expected not in left_out and not sample.is_hostile
    ]


def _mutants(folder: Path, file: str) -> Iterator[tuple[bytes, Verdict | None]]:
    """In an order that their texts decide."""
    known = load_equivalents(folder)
    texts = [
        mutant.source.encode()
        for mutant in mutants((folder / file).read_text(encoding="utf-8"))
        if not any(one.covers(mutant) for one in known)
    ]
    for text in sorted(texts, key=lambda text: hashlib.sha256(text).digest()):
        yield text, None


def _wanted_mutants(
    trial: _Trial, folder: Path, file: str
) -> Iterator[tuple[bytes, Verdict | None]]:
    """Each is compiled, and is wrong in any part, so only parts with few faults get some."""
    few = sum(map(trial.has_few, trial.lab.parts))
    changed = islice(_mutants(folder, file), _TRIES_PER_PART * few)
    yield from takewhile(lambda _: any(map(trial.has_few, trial.lab.parts)), changed)


def _find(trial: _Trial, folder: Path, file: str, wrapper: Path) -> Programs:
    parts = trial.lab.parts
    functions = [part.function for part in parts]
    right = [sample for sample in samples(folder) if not sample.is_wrong]
    wrong = _samples(folder, finds_races=trial.lab.programming.counters)
    made = ConditionalFaults(trial.bench, (folder / file).read_bytes(), wrapper)
    # These are asked for while others are tried.
    conditional = (
        (made, part, number) for number in range(CONDITIONS) for part in filter(trial.wants, parts)
    )
    with ThreadPoolExecutor(_AT_A_TIME) as pool:
        libraries = list(pool.map(lambda each: trial.right(each.read(), each.name), right))
        for tried, candidates in (
            (trial.faults, iter(wrong)),
            (trial.conditional, conditional),
            (trial.faults, _wanted_mutants(trial, folder, file)),
        ):
            while batch := list(islice(candidates, 2 * _AT_A_TIME)):
                more = list(pool.map(tried, *zip(*batch, strict=True)))
                trial.found += chain.from_iterable(more)
    found = trial.found
    if bare := without_faults(found, functions):
        raise KitError(
            f"error: no wrong program is detected by the hidden tests of {', '.join(bare)}\n"
            "  next: write a sample of each, such as solutions/LAB/wrong_answer/NAME.diff"
        )
    return Programs(right=libraries, faults=choose(found, functions))


def _copy(plan: dict[str, Any], kit: Path) -> None:
    """What jails see, without anything of the programs; tests are linked with a stand-in."""
    lab_kit = Path(plan["kit"])
    for folder in ("include", "simulator"):
        if (given := lab_kit / "public" / folder).exists():
            shutil.copytree(given, kit / "public" / folder, copy_function=shutil.copyfile)
    shutil.copyfile(lab_kit / "jail", kit / "jail")
    copy_files(plan["files"], kit)
    stand_in = kit / "public" / "lib" / Path(PLACE).name
    named = f"-Wl,-soname,{stand_in.name}"
    command = ["g++", "-shared", "-x", "c", "-", named, "-o", str(stand_in)]
    subprocess.run(command, input=b"void *LabExports(void) { return 0; }\n", check=True)
    for path in kit.rglob("*"):
        path.chmod(0o755)


def _remove_others(kit: Path, programs: Programs) -> None:
    kept = {*programs.right, *(fault.library for fault in programs.faults)}
    for path in (kit / FOLDER).iterdir():
        if path.name not in kept:
            path.unlink()


def assemble(plan: dict[str, Any], kit: Path) -> None:
    """Fills the folder `kit`."""
    lab_kit, folder = Path(plan["kit"]), Path(plan["samples"])
    of_lab = json.loads((lab_kit / "manifest.json").read_text(encoding="utf-8"))
    lab = load_lab(lab_kit / "lab.toml")
    own = plan["manifest"]
    _copy(plan, kit)
    (kit / FOLDER).mkdir()
    (kit / "lab.toml").write_text(lab_toml(lab, own["file"]), encoding="utf-8")
    tests, made = own["builds"]["tests"], of_lab["builds"][plan["build"]]
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(
            kit,
            lab_kit / "public",
            of_lab["lab"],
            of_lab["file"],
            made["steps"],
            made["library"],
            tests["env"],
            Path(work).resolve(),
        )
        hidden = bench.link_test(tests["steps"][-1], Path(plan["hidden"]))
        public = bench.build_test(tests["steps"], Path(plan["public"]), own["file"])
        programs = _find(
            _Trial(bench, lab, hidden, public), folder, of_lab["file"], Path(plan["fault"])
        )
        for test, name in ((hidden, OWN_TEST), (public, PUBLIC_TEST)):
            shutil.copyfile(test, kit / name)
            (kit / name).chmod(0o755)
    _remove_others(kit, programs)
    (kit / LIST).write_text(programs.model_dump_json(indent=2) + "\n", encoding="utf-8")
    same = {key: of_lab[key] for key in ("schema", "model", "versions")}
    manifest = {**same, **own, "lab": kind.assignment(of_lab["lab"], kind.TESTS)}
    whole = {**manifest, "digest": digest(kit, manifest)}
    text = json.dumps(whole, indent=2, sort_keys=True) + "\n"
    (kit / "manifest.json").write_text(text, encoding="utf-8")


def main(arguments: Sequence[str]) -> int:
    """assemble PLAN.json KIT"""
    plan, kit = map(Path, arguments)
    try:
        assemble(json.loads(plan.read_text(encoding="utf-8")), kit)
    except (KitError, GraderError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
