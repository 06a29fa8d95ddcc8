"""The race checker's reports in a student's words: at home and in the grader.

Of a sentence of ThreadSanitizer only the numbers of threads and mutexes are taken over. Needs no
packages: students' machines have none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

BEGIN = "WARNING: ThreadSanitizer: "
MISUSES_OF_MUTEXES = (
    "double lock of a mutex",
    "unlock of an unlocked mutex (or by a wrong thread)",
    "destroy of a locked mutex",
    "read lock of a write locked mutex",
    "read unlock of a write locked mutex",
    "use of an invalid mutex (e.g. uninitialized or destroyed)",
)
KINDS = (
    "data race on vptr (ctor/dtor vs virtual call)",
    "data race",
    "heap-use-after-free (virtual call vs free)",
    "heap-use-after-free",
    "lock-order-inversion (potential deadlock)",
    *MISUSES_OF_MUTEXES,
    "thread leak",
)
ON_STACK = "The memory is on the stack of "
AND = "  and"
"""Between the two stacks of a pause's report, as race_checker_pauses.h says it."""

_THREAD = r"(main thread|thread T\d{1,4})"
_ADDRESS = r"0x[0-9a-f]{1,16}"
_DEED = r"(?:[Pp]revious )?(?:[Aa]tomic )?(?:[Rr]ead|[Ww]rite)"
_ACCESS = re.compile(
    rf"  ({_DEED}) of size \d+ at {_ADDRESS} by {_THREAD}(?: \(mutexes: ([^)]{{1,200}})\))?"
)
_LOCKED = re.compile(rf"  Mutex (M\d{{1,4}}) acquired here while holding mutex M\d+ in {_THREAD}:")
_HELD = re.compile(r"  Mutex (M\d{1,4}) previously acquired by the same thread here:")
_MADE = re.compile(rf"  Mutex (M\d{{1,4}}) \({_ADDRESS}\) created at:")
_HEAP = re.compile(rf"  Location is heap block of size \d+ at {_ADDRESS} allocated by {_THREAD}:")
_STACK = re.compile(rf"  Location is stack of {_THREAD}\.")
_GLOBAL = re.compile(r"  Location is global '[^']*' ")
_STARTED = re.compile(rf"  Thread (T\d{{1,4}}) .*created by {_THREAD} at:")


@dataclass(frozen=True)
class Sentence:
    """One sentence of a report; a stack may follow."""

    text: str
    access: str = ""
    """`write`, `atomic read`; empty unless the sentence describes a memory access."""
    mutex: str = ""
    """`M1`; empty unless the sentence says that a thread locked it."""
    stands_alone: bool = False
    """Whether the sentence is useful without a stack."""
    names_variable: bool = False
    """Whether a variable's name belongs behind it."""
    thread: str = ""
    """`thread T1`: who accesses the memory, or was started."""
    starter: str = ""
    """Who started the thread."""
    is_unlocked: bool = False
    """Whether the thread that accesses the memory holds no lock."""


def kind_of(line: str) -> str | None:
    """The kind of the report that the line begins; None if it begins none."""
    return next((kind for kind in KINDS if line.startswith(f"{BEGIN}{kind} (pid=")), None)


def sentence_of(line: str) -> Sentence | None:
    """None for a sentence that is useless to a student or not one of ThreadSanitizer's."""
    if match := _ACCESS.match(line):
        access = match[1].lower()
        held = re.findall(r"M\d{1,4}", match[3] or "")
        who = f"{access} by {match[2]}, holding {' and '.join(held) or 'no lock'}"
        deed = access.removeprefix("previous ")
        return Sentence(
            who[0].upper() + who[1:],
            access=deed,
            stands_alone=True,
            thread=match[2],
            is_unlocked=not held,
        )
    if match := _LOCKED.fullmatch(line):
        return Sentence(f"{match[1]} was locked by {match[2]}", mutex=match[1])
    if match := _HELD.fullmatch(line):
        return Sentence(f"{match[1]} had been locked by the same thread", mutex=match[1])
    if match := _MADE.fullmatch(line):
        return Sentence(f"{match[1]} was made")
    if match := _HEAP.fullmatch(line):
        return Sentence(f"The memory was allocated by {match[1]}")
    if match := _STACK.fullmatch(line):
        return Sentence(f"{ON_STACK}{match[1]}", stands_alone=True)
    if _GLOBAL.match(line):
        return Sentence("The memory is the variable", names_variable=True)
    if match := _STARTED.fullmatch(line):
        thread = f"thread {match[1]}"
        return Sentence(f"T{thread[1:]} was started by {match[2]}", thread=thread, starter=match[2])
    return None


def sections_in(lines: Iterator[str]) -> Iterator[tuple[Sentence, str, list[str]]]:
    """The known sections of the report whose first line came before: sentence, its line, stack."""
    first, stack = "", list[str]()
    for line in [*takewhile(lambda line: not line.startswith("SUMMARY: "), lines), "  end"]:
        if line.startswith("   "):
            stack.append(line)
        elif line.startswith("  "):
            if said := sentence_of(first):
                # Nobody joins the threads of the OpenMP runtime.
                is_of_openmp = any("(libomp.so" in frame for frame in stack)
                yield replace(said, starter="") if is_of_openmp else said, first, stack
            first, stack = line, []


def finding(kind: str, sections: Sequence[tuple[Sentence, str]]) -> str:
    """A report's sections in a sentence or two, each with its place, `sum.cc:18`; may be empty."""
    if not kind.startswith("data race"):
        return _lock_orders([(said.mutex, place) for said, place in sections if said.mutex])
    race = _race([(said.access, place) for said, place in sections if said.access])
    return "; ".join(filter(None, (race, _not_joined(sections)))) if race else ""


def _race(accesses: Sequence[tuple[str, str]]) -> str:
    """The first two accesses, each with its place; empty if neither is known."""
    if len(accesses) < 2:
        return ""
    (deed, place), (other, where) = sorted(accesses[:2], key=lambda access: not access[1])
    if not place:
        return ""
    at = f" at {where}" if where else ""
    return f"data race: the {deed} at {place} races with the {other} of another thread{at}"


def _not_joined(sections: Sequence[tuple[Sentence, str]]) -> str:
    """Where one of a race's two threads was started, if the other one did that and has no lock.

    A join before its access would have ordered the two.
    """
    accesses = [section for section in sections if section[0].access][:2]
    for started, start in sections:
        for (said, place), (other, _) in zip(accesses, reversed(accesses), strict=True):
            threads = (started.starter, started.thread)
            if start and said.is_unlocked and (said.thread, other.thread) == threads:
                # What came before may have lost its stack.
                nowhere = "the other access" if "Previous" in said.text else "the function returned"
                return (
                    f"the thread that was started at {start} was not joined before "
                    f"{place or nowhere}: join it first; one that is detached cannot be joined"
                )
    return ""


def _lock_orders(locked: Sequence[tuple[str, str]]) -> str:
    """The order in which each thread takes its locks; empty unless all places are known.

    The report names a mutex, then the one that its thread held already, and so on.
    """
    if len(locked) < 4 or len(locked) % 2 or not all(place for _, place in locked):
        return ""
    orders = [
        f"{first} at {first_place} and then {second} at {second_place}"
        for (second, second_place), (first, first_place) in zip(
            locked[::2], locked[1::2], strict=True
        )
    ]
    who = "two" if len(orders) == 2 else "as many"
    waits = f"{who} threads can wait for each other forever"
    return f"deadlock: locks {', elsewhere '.join(orders)}: {waits}"


@dataclass(frozen=True)
class Pause:
    """What a failed call may owe to a place where the race checker paused a thread."""

    said: str
    """How race_checker_pauses.h begins the report; stacks follow."""
    title: str
    stacks: tuple[str, ...]
    words: str

    def stacks_in(self, text: str) -> list[list[str]]:
        """The lines of each stack where a text reports it last; empty if it does not."""
        _, begin, after = text.rpartition(f"{self.said}\n")
        lines = iter(after.splitlines() if begin else [])
        # takewhile() takes the line behind a stack, too.
        found = [list(takewhile(lambda line: line.startswith("    #"), lines)) for _ in self.stacks]
        return found if all(found) else []

    def told(self, places: Sequence[str]) -> str:
        """With the places of the stacks, `sum.cc:18`; empty unless all are known."""
        return self.words.format(*places) if all(places) else ""


_BOTH = "Before another thread came", "After"
_CHANGED = (
    "between the atomic read at {} and the write at {} another thread changed the value, and the "
    "write %s. Make both one atomic operation, or hold a lock over both"
)
LOST_SIGNAL = Pause(
    "WARNING: lost signal",
    "Lost signal",
    ("The signal",),
    "the signal at {} was lost: it came after a thread had looked at its condition and before it "
    "waited. Change the condition with the mutex locked",
)
WOKEN = Pause(
    "WARNING: spurious wake-up",
    "Spurious wake-up",
    ("The wait",),
    "the wait at {} returned without a signal, as waits may, and the thread went on: let it look "
    "at its condition again, in a loop (while for if), or give wait() the predicate",
)
STORED = Pause(
    "WARNING: changed before a store",
    "Another thread came between",
    _BOTH,
    _CHANGED % "undoes that",
)
EXCHANGED = Pause(
    "WARNING: changed before an exchange",
    "Another thread came between",
    _BOTH,
    _CHANGED % "is made all the same",
)
LOCKED = Pause(
    "WARNING: locked by another thread",
    "Another thread came between",
    _BOTH,
    "between the unlock at {} and the lock at {} another thread had the lock: if what is written "
    "after rests on what was read before, hold it from the read to the write",
)
ENDED = Pause(
    "WARNING: ended with a lock",
    "Lock not released",
    ("The lock that a thread held when it ended",),
    "the thread that locked at {} ended without unlocking, so no other thread gets that lock: "
    "unlock on every way out, as std::lock_guard does",
)
TWICE = Pause(
    "WARNING: locked twice",
    "Lock not released",
    ("The lock", "The same thread locks it again"),
    "the thread that locked at {} has not unlocked when it locks the same at {}: it waits for "
    "itself",
)
KEPT = Pause(
    "WARNING: lock not released",
    "Lock not released",
    ("The lock", "Another thread waits for it"),
    "the lock that a thread took at {} was not released while another thread waited for it at {}: "
    "unlock on every way out",
)
JOINED = Pause(
    "WARNING: joined with a lock",
    "Lock not released",
    ("The lock", "The join"),
    "the thread that locked at {} has not unlocked when it waits for a thread to end at {}: one "
    "that needs the lock cannot end. Unlock first",
)
AFTER_TIME_LIMIT = (TWICE, ENDED, KEPT, LOST_SIGNAL, JOINED, WOKEN)
AFTER_CRASH = (ENDED, WOKEN)
AFTER_WRONG_ANSWER = (WOKEN, STORED, EXCHANGED, LOCKED)
"""What explains such an end, the clearest first."""
