"""Maps the stacks of a call that did not return, or crashed, to lines of the student's file.

The submission's process reports the offsets itself and the student wrote the library, so neither is
trusted beyond the text that the student sees. A function's name is passed on only if the library
imports it: any other name could encode a hidden input.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

from common.lab.object_policy.symbols import ObjectError, read_symbols
from grader.judging.judge.context import GradingContext
from grader.judging.judge.symbolizer import run_symbolizer
from grader.model.verdict import Verdict
from grader.sandbox.checker_report import Case, Report

MAX_THREADS = 16
_MAX_GROUPS = 4
_STEP, _STEPS = 8, 16
"""How far after a thread's instruction to look for a line: some thirty instructions."""
_ADDR2LINE = "/usr/bin/addr2line"
_STACK = re.compile(r"(-|\?|[A-Za-z0-9_]{1,64})((?: [0-9a-f]{1,16}){0,16})")
_ADDRESS = re.compile(r"0x([0-9a-f]{1,16})")
_ATOMIC = "a std::latch, std::barrier, std::counting_semaphore or std::atomic"
_LOCKS = ("pthread_mutex_", "pthread_rwlock_", "omp_set_", "GOMP_critical")
# What functions of the C++ library end in, so that they have no frame of their own.
_CALLED_LAST = frozenset({"pthread_cond_wait", "pthread_cond_clockwait", "pthread_cond_timedwait"})
# Prefixes of functions that wait, and what a student calls them; empty: by the function's name.
_WAITS = {
    "pthread_": "",
    "sem_": "",
    "_ZNSt6thread4join": "std::thread::join",
    "_ZNSt18condition_variable4wait": "std::condition_variable::wait",
    "syscall": _ATOMIC,
    "GOMP_critical": "#pragma omp critical",
    "GOMP_barrier": "#pragma omp barrier",
    "GOMP_taskwait": "#pragma omp taskwait",
    "GOMP_parallel": "#pragma omp parallel",
    "omp_set_": "",
    "pause": "",
}


@dataclass(frozen=True)
class Stack:
    """One thread's stack, as the checker reports it."""

    called: str
    """The mangled name of the function outside the submission that the thread is in; `?` if it has
    no name, empty if the thread is in the submission."""
    offsets: tuple[int, ...]
    """Offsets of its frames in the library, innermost first."""

    @property
    def is_interrupted(self) -> bool:
        """Whether the innermost frame is the interrupted instruction rather than a call site."""
        return not self.called and bool(self.offsets)


@dataclass(frozen=True)
class Place:
    """The source position of an offset."""

    function: str
    """The outermost function, into which the others were inlined."""
    line: int | None
    """The innermost line of the student's file."""


def parse_stacks(text: str) -> list[Stack]:
    """The checker's lines, one thread each; malformed lines are left out."""
    found = (_STACK.fullmatch(line) for line in text.splitlines()[:MAX_THREADS])
    return [
        Stack(match[1].strip("-"), tuple(int(offset, 16) for offset in match[2].split()))
        for match in found
        if match
    ]


def threads_at_locks(stacks: Sequence[Stack]) -> int:
    """How many threads wait for a lock, or are just taking it."""
    return sum(_plain(stack.called).startswith(_LOCKS) for stack in stacks)


def read_places(said: str, file: str) -> dict[int, Place]:
    """Parses the output of addr2line -a -i -f."""
    own = re.compile(rf"/submission/{re.escape(file)}:([1-9][0-9]{{0,6}})(?: \(.*\))?")
    rows: dict[int, list[str]] = {}
    latest: list[str] = []
    for row in said.splitlines():
        if address := _ADDRESS.fullmatch(row):
            latest = rows[int(address[1], 16)] = []
        else:
            latest.append(row)
    places = {}
    for offset, inlined in rows.items():  # function, place, function, place, ... innermost first
        found = (match for row in inlined[1::2] if (match := own.fullmatch(row)))
        line = next((int(match[1]) for match in found), None)
        places[offset] = Place(inlined[-2] if len(inlined) > 1 else "", line)
    return places


def lines_of(stacks: Sequence[Stack], places: Mapping[int, Place]) -> dict[int, int]:
    """The lines of these stacks' offsets.

    Instructions that the compiler adds to a loop may have no line. A thread that is interrupted at
    one and has no other frame with a line gets the line of the next instruction that has one.
    """
    lines = {offset: place.line for offset, place in places.items() if place.line is not None}
    for stack in stacks:
        if stack.is_interrupted and not any(offset in lines for offset in stack.offsets):
            here = stack.offsets[0]
            function = places[here].function if here in places else ""
            near = (places[offset] for offset in _behind(here) if offset in places)
            found = (place.line for place in near if place.function == function and place.line)
            if line := next(found, None):
                lines[here] = line
    return lines


def describe(stacks: Sequence[Stack], lines: Mapping[int, int], file: str) -> str:
    """`2 threads wait in pthread_mutex_lock called at sum.cc:41; …`; empty if no line is known."""
    groups: Counter[tuple[str, int]] = Counter()
    for stack in stacks:
        own = [lines[offset] for offset in stack.offsets if offset in lines]
        if own:
            groups[stack.called, own[0]] += 1
    told = sorted(groups.items(), key=lambda entry: (-entry[1], entry[0][1]))
    texts = [_group(count, called, f"{file}:{line}") for (called, line), count in told]
    if len(texts) > _MAX_GROUPS:
        texts[_MAX_GROUPS:] = [f"{sum(count for _, count in told[_MAX_GROUPS:])} more elsewhere"]
    return "; ".join(texts)


def hide_unimported(stack: Stack, imports: Set[str]) -> Stack:
    """The stack; its outside function becomes `?` if the submission does not import it."""
    known = imports | _CALLED_LAST
    return (
        stack if not stack.called or _plain(stack.called) in known else replace(stack, called="?")
    )


def _plain(name: str) -> str:
    """The name without the prefixes by which libraries' and sanitizers' aliases differ."""
    return name.lstrip("_").removeprefix("interceptor_")


def with_lines(context: GradingContext, report: Report, library: Path, folder: Path) -> Report:
    """The report, with threads' lines in messages of calls that did not return or crashed."""
    return replace(
        report, cases=[_with_lines(context, case, library, folder) for case in report.cases]
    )


def _with_lines(context: GradingContext, case: Case, library: Path, folder: Path) -> Case:
    stacks = parse_stacks(case.stacks)
    imports = _imports(library) if stacks else frozenset()
    stacks = [hide_unimported(stack, imports) for stack in stacks]
    offsets = {offset for stack in stacks for offset in stack.offsets}
    for stack in stacks:
        if stack.is_interrupted:
            offsets.update(_behind(stack.offsets[0]))
    if not offsets:
        return case
    file = context.kit.manifest.file
    options = ["-a", "-i", "-f", "-e"]
    addresses = map(hex, sorted(offsets))
    said = run_symbolizer(context, _ADDR2LINE, options, library, addresses, folder)
    places = read_places(said, file)
    lines = lines_of(stacks, places)
    if case.verdict is Verdict.TIME_LIMIT:
        where = describe(stacks, lines, file)
        return replace(case, message=f"{case.message}: {where}") if where else case
    where = describe_crash(stacks[0], lines, file)
    known = f"{file}:" in case.message
    return replace(case, message=f"{case.message}, {where}") if where and not known else case


def _imports(library: Path) -> frozenset[str]:
    """Undefined symbols of the library's object file; empty if it cannot be read."""
    try:
        return frozenset(map(_plain, read_symbols(library.with_suffix(".o")).undefined))
    except ObjectError:
        return frozenset()


def _behind(offset: int) -> range:
    return range(offset + _STEP, offset + _STEP * _STEPS + 1, _STEP)


def describe_crash(stack: Stack, lines: Mapping[int, int], file: str) -> str:
    """`at sum.cc:41`, `in free called at sum.cc:41`; empty if no line is known."""
    line = next((lines[offset] for offset in stack.offsets if offset in lines), None)
    if line is None:
        return ""
    return f"{_inside(stack.called)}at {file}:{line}"


def _inside(called: str) -> str:
    """`in free called `; empty if the thread is in the submission."""
    if not called:
        return ""
    plain = called.lstrip("_") if not called.startswith("_Z") else called
    name = "a library's function" if plain.startswith(("_Z", "?")) else plain
    return f"in {name} called "


def _group(count: int, called: str, place: str) -> str:
    who = f"{count} thread{'s' if count > 1 else ''}"
    be = "are" if count > 1 else "is"
    if not called:
        return f"{who} {be} at {place}"
    plain = _plain(called) if not called.startswith("_Z") else called
    for start, spoken in _WAITS.items():
        if plain.startswith(start):
            wait = "wait" if count > 1 else "waits"
            return f"{who} {wait} in {spoken or plain} called at {place}"
    return f"{who} {be} {_inside(called)}at {place}"
