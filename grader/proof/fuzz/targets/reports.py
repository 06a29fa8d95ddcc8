"""Readers of a submission's output: sanitizers' reports, stacks, error output."""

import re

from grader.judging.judge.evidence import evidence, own_failure
from grader.judging.judge.located import questions, read_names
from grader.judging.judge.race_report import parse_race_report, told
from grader.judging.judge.retold import MAX_BITS, Readable, with_findings
from grader.judging.judge.stacks import describe, lines_of, parse_stacks, read_places
from grader.model.verdict import Verdict
from grader.proof.fuzz.target import Target
from grader.sandbox.checker_report import Case

_FILE = "sum.cc"
_STUDENT = Readable(["int Add;"], frozenset({"int", "Add"}), {_FILE: 9})
_BETWEEN = "\n=====\n"
_MOST_ANSWER = 30_000
_MOST_STACKS = 4_000


def _halves(data: bytes) -> tuple[str, str]:
    """The process's output, and the symbolizer's answer about its library."""
    printed, _, answer = data.decode("utf-8", "replace").partition(_BETWEEN)
    return printed, answer


def _race_report(data: bytes) -> None:
    printed, answer = _halves(data)
    names = read_names(answer, _FILE)
    report = parse_race_report(printed)
    if report is None:
        return
    asked = questions(report.sections)
    case = told(Case("Sum", "Works", Verdict.DATA_RACE, stderr=printed), report, names, _FILE)
    assert len(asked) <= 12 * 41
    assert case.message
    assert len(case.report) < _MOST_ANSWER + len(answer) * 500


def _stacks(data: bytes) -> None:
    printed, answer = _halves(data)
    stacks = parse_stacks(printed)
    places = read_places(answer, _FILE)
    words = describe(stacks, lines_of(stacks, places), _FILE)
    assert len(words) < _MOST_STACKS


def _evidence(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    findings, printed = _halves(data)
    assert len(evidence(findings, printed)) <= len(text)
    case = Case("Sum", "Works", Verdict.RUNTIME_ERROR, printed[:500], findings=findings)
    numbers = re.findall(r"\d{10,}", with_findings(case, lambda: _STUDENT).findings)
    assert len(set(numbers)) * 30 <= MAX_BITS
    assert len(own_failure(text)) <= len(text)


TARGETS = [
    Target("race_report", _race_report),
    Target("stacks", _stacks),
    Target("evidence", _evidence),
]
