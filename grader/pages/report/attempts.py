"""Signs that a submission was meant to deceive the grader: for a person to judge, at no cost.

The rules read what is stored: the text, what was said of it, what it wrote, and its figures.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from common.lab.text_policy.scanner import tokens
from grader.model.result import Result
from grader.pages.presentation.text import cap, one_line

_LONGEST = 160
_MOST_TEXT = 1 << 18
_BUSY = 2.0
"""Threads that ran: fewer are not a team that looks busy."""
_ALONE = 1.1
"""Threads that shared the data: correct parallel programs have at least one and a half."""
_COPIES = 2.0
_FIRST = 4.0
"""Times the calls that count: reference and submission warm up alike, which is divided out."""


class Rule(NamedTuple):
    """A sign, and the lines that show it."""

    reason: str
    pattern: re.Pattern[str]


def _rule(reason: str, pattern: str) -> Rule:
    return Rule(reason, re.compile(pattern, re.MULTILINE))


# Lines of the submission without comments, with a space between tokens.
TEXT_RULES = (
    _rule(
        "reads the headers of loaded programs",
        r"\b(?:Elf(?:32|64)?_\w+|ElfW|__ehdr_start|_DYNAMIC|_GLOBAL_OFFSET_TABLE_|_r_debug|link_map|"
        r"dl_iterate_phdr|e_phoff|p_vaddr|AT_PHDR|__libc_start_main|__executable_start)\b|"
        r"\\(?:x7f|177)\"? ?\"?ELF",
    ),
    _rule("makes a pointer of a number", r"\*(?: const)? [>)] (?:\( )?0[xX][\dA-Fa-f']{5,}"),
    _rule("names a file of the system", r'"/(?:proc|sys|dev|etc)/'),
    _rule(
        "uses a descriptor by its number",
        r"(?<![.>] )\b(?:p?writev?|p?readv?|dprintf|fdopen|dup[23]?|sendto|sendmsg|fcntl|ioctl)"
        r" \( \d",
    ),
)
# Lines of diagnostics and failures, whose words the grader makes.
SAID_RULES = (
    _rule(
        "has text that compilers may read otherwise than the policy",
        r"\(U\+[0-9A-F]{4,6}\) outside comments|suffix R before a string|raw string with #",
    ),
    _rule(
        "names what belongs to the checks",
        r"\b(?:cudasim|CUDASIM_|__[tu]?b?san_|__sanitizer_|_Z|syscall|section)\S* is not allowed",
    ),
    _rule(
        "uses a function that reaches outside the program",
        r" uses (?:dl\w+|p?writev?|p?readv?|open\w*|fdopen|dup\d?|memfd_\w+|mmap|mprotect|ptrace|"
        r"process_vm_\w+|v?fork|exec\w+|kill|prctl|environ), which this lab does not allow",
    ),
    _rule("wrote to the grader's pipe, or closed it", r"the grader's (?:own )?pipe"),
    _rule("wrote over the simulator's counters", r"^the simulator's counters are damaged"),
    _rule("ended the process with an unusual code", r"the program called exit\((?![01]\))\d+\)"),
)
_PLACE = re.compile(r"^\S+?:(\d+)(?=:)")


class Sign(NamedTuple):
    """What a rule found first in a submission."""

    reason: str
    line: int | None
    """Of the student's file."""
    shown: str


def signs(result: Result, text: str | None) -> list[Sign]:
    """At most one sign of each kind; `text` is what was handed in, where it was kept."""
    found = [*_in_text(text or ""), *_in_words(result), *_in_calls(result), *_in_teams(result)]
    return list({sign.reason: sign for sign in reversed(found)}.values())[::-1]


def _in_text(text: str) -> Iterator[Sign]:
    rows = defaultdict[int, list[str]](list)
    for token in tokens(text[:_MOST_TEXT]):
        rows[token.line].append(token.text)
    given = text.splitlines()
    for line, row in rows.items():
        shown = given[line - 1] if line <= len(given) else " ".join(row)
        together = " ".join(row)
        for rule in TEXT_RULES:
            if rule.pattern.search(together):
                yield _sign(rule, line, shown)


def _in_words(result: Result) -> Iterator[Sign]:
    said = [each.text for each in result.diagnostics if each.phase != "judge"]
    said += [part.failure.message for part in result.parts if part.failure]
    text = "\n".join(said)
    for rule in SAID_RULES:
        if match := rule.pattern.search(text):
            row = text[text.rfind("\n", 0, match.start()) + 1 :].partition("\n")[0]
            place = _PLACE.match(row)
            yield _sign(rule, int(place[1]) if place else None, row)


def _sign(rule: Rule, line: int | None, shown: str) -> Sign:
    return Sign(rule.reason, line, cap(one_line(shown), _LONGEST, 1))


def _in_calls(result: Result) -> Iterator[Sign]:
    """What it wrote to the grader, and calls whose time shows that they prepare later ones."""
    for part in result.parts:
        if part.forged_findings:
            reason = "wrote to the simulator's log what is none of its findings"
            yield Sign(reason, None, f"in {part.function}")
        timing = part.timing
        if timing and timing.first >= _FIRST * timing.high:
            figures = f"{timing.first:.2f} times the reference's time, then {timing.ratio:.2f}"
            shown = f"{part.function}: {figures}"
            yield Sign("its first timed call is much slower than the next", None, shown)


def _in_teams(result: Result) -> Iterator[Sign]:
    """Speed that depends on the size of the team as no honest program's does."""
    for part in result.parts:
        threads = part.parallelism.threads if part.parallelism else None
        if threads is None:
            continue
        if threads.copies >= _COPIES:
            shown = (
                f"{part.function}: the work {threads.copies:.1f} times by {threads.team} threads"
            )
            yield Sign(
                "its CPU time grows with the team, as if each thread did everything", None, shown
            )
        alone = threads.shared_by is not None and threads.shared_by <= _ALONE
        if alone and threads.runnable >= _BUSY:
            shown = f"{part.function}: {threads.runnable:.1f} threads ran"
            yield Sign("its threads are busy, and one alone uses the data", None, shown)
