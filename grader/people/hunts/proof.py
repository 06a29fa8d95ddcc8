"""What the lab's judge says of each fault: a hunt is drawn from evidence, not from names."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from grader.judging.hunts.book import Fault, Hunt
from grader.judging.hunts.diagnosis import KINDS
from grader.judging.sample.samples import Sample
from grader.judging.student_tests.bench import Bench
from grader.judging.student_tests.programs import OWN_TEST, PUBLIC_TEST
from grader.model.manifest import Kit
from grader.model.result import Result
from grader.model.verdict import Verdict
from grader.people.checks.kept import Kept, usual_folder
from grader.people.hunts.faults import Pool

_SEED = 1
_AT_A_TIME = 2
_PATIENCE_S = 60.0
"""A program with which the lab's tests take longer does not return."""
Judge = Callable[[Mapping[str, str]], Iterator[tuple[str, Result]]]
"""Of programs by any names."""


def proven(pool: Pool, judge: Judge, advance: Callable[[str], None]) -> Pool:
    """The faults that are such in a right program, each with the kind that it really has."""
    wrong = {fault.name: alone(pool, fault) for fault in pool.faults}
    results: dict[str, Result] = {}
    for name, result in judge({**pool.programs, **wrong}):
        results[name] = result
        advance(name)
    right = {name for name in pool.programs if results[name].verdict is Verdict.ACCEPTED}
    faults = tuple(
        fault.model_copy(update={"kind": result.verdict})
        for fault in pool.faults
        if fault.base in right and (result := results[fault.name]).verdict in KINDS
    )
    bases = {fault.base for fault in faults}
    return Pool({name: text for name, text in pool.programs.items() if name in bases}, faults)


@dataclass(frozen=True)
class Built:
    """A pool whose programs are built, in the folder of a kit."""

    faults: tuple[Fault, ...]
    libraries: dict[str, str]
    """Of the right programs."""


def built(aside: Path, lab: Kit, tests: Kit, pool: Pool) -> Built:
    """Builds all programs, and finds which faults the lab's tests detect in a student's build."""
    steps = lab.manifest.builds["races" if lab.lab.programming.gpu else "tests"]
    env = tests.manifest.builds["tests"].env
    name, file = lab.manifest.folder, lab.manifest.file
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder).resolve()
        bench = Bench(aside, aside / "public", name, file, steps.steps, steps.library, env, work)
        libraries = {name: bench.build(text.encode()) for name, text in pool.programs.items()}
        right = {name: library for name, library in libraries.items() if library}

        def tried(fault: Fault) -> Fault | None:
            library = bench.build(alone(pool, fault).encode()) if fault.base in right else None
            if library is None:
                return None
            tested = _Tested(bench, library, lab)
            detected = tested.fails(tests.root / PUBLIC_TEST)
            own = tests.root / OWN_TEST
            testable = detected or (tested.fails(own) and tested.fails(own))
            update = {"library": library, "detected": detected, "testable": testable}
            return fault.model_copy(update=update)

        with ThreadPoolExecutor(_AT_A_TIME) as threads:
            faults = tuple(fault for fault in threads.map(tried, pool.faults) if fault)
    return Built(faults, right)


@dataclass(frozen=True)
class _Tested:
    bench: Bench
    library: str
    lab: Kit

    def fails(self, test: Path) -> bool:
        """Whether a test of some part does not pass in one run."""
        ended = self.bench.run(test.resolve(), self.library, self.lab.lab.parts, _PATIENCE_S)
        return ended.verdict is not Verdict.ACCEPTED


def alone(pool: Pool, fault: Fault) -> str:
    """The program with that fault only."""
    return Hunt(right=pool.programs[fault.base], faults=[fault]).program


def judge_with(kit: Kit) -> Judge:
    """Grades with the lab's kit. Results are kept: what was judged once is not judged again."""

    def judge(programs: Mapping[str, str]) -> Iterator[tuple[str, Result]]:
        grade = Kept(usual_folder(kit.manifest.lab)).grade("hunt", clock=False)
        with tempfile.TemporaryDirectory() as folder:
            names: dict[Path, str] = {}
            for number, (name, text) in enumerate(programs.items()):
                path = Path(folder) / f"{number}_{kit.manifest.file}"
                path.write_text(text, encoding="utf-8")
                names[path] = name
            chosen = [Sample(path, Verdict.ACCEPTED) for path in names]
            for sample, result in grade(kit, chosen, _SEED):
                yield names[sample.path], result

    return judge
