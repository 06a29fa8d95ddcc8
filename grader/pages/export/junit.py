"""JUnit XML for CI systems: a suite per student, a case per part and per measurement."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from grader.model.files import replacing, spooling
from grader.model.lab import Lab
from grader.model.lab import Part as LabPart
from grader.model.result import PartResult, Result
from grader.model.verdict import Verdict
from grader.pages.export.place import single_file
from grader.pages.presentation.counter_words import advice_lines, counter_words
from grader.pages.presentation.facts import WHOLE_FILE, is_graded, part_of
from grader.pages.presentation.gpu_words import timing_lines
from grader.pages.presentation.parallelism_words import parallelism_words
from grader.pages.presentation.text import cap, clean, one_line
from grader.pages.presentation.words import PHASES, WORDS, part_words, points_text

_CHARACTERS = 16_000
_LINES = 300
_COUNTS = ("tests", "failures", "errors", "skipped")


def _case(suite: ElementTree.Element, lab: str, name: str) -> ElementTree.Element:
    attributes = {"classname": clean(lab), "name": one_line(name), "time": "0"}
    return ElementTree.SubElement(suite, "testcase", attributes)


def _outcome(case: ElementTree.Element, verdict: Verdict, message: str, text: str) -> None:
    tag = "failure" if verdict.is_final else "error"
    child = ElementTree.SubElement(case, tag, {"type": verdict.value, "message": one_line(message)})
    child.text = cap(text, _CHARACTERS, _LINES)


def _skipped(case: ElementTree.Element, message: str) -> None:
    ElementTree.SubElement(case, "skipped", {"message": one_line(message)})


def _diagnostics(result: Result) -> str:
    return "\n\n".join(f"{PHASES[line.phase]}:\n{line.text}" for line in result.diagnostics)


def _part_case(case: ElementTree.Element, part: PartResult, result: Result) -> None:
    if part.verdict in (Verdict.ACCEPTED, Verdict.TOO_SLOW):
        return
    failure = f"{part.failure.test}\n{part.failure.message}\n\n" if part.failure else ""
    words = part_words(part)
    _outcome(case, part.verdict, f"{words.label}: {words.happened}", failure + _diagnostics(result))


def _timing_case(case: ElementTree.Element, part: PartResult | None) -> None:
    if part is None or part.timing is None:
        if part is not None and part.verdict is Verdict.TOO_SLOW:
            _outcome(case, part.verdict, WORDS[part.verdict].happened, "")
        else:
            _skipped(case, "only parts with right answers are timed")
        return
    words = "\n".join(timing_lines(part.timing))
    if part.timing.decision == "zero":
        _outcome(case, part.verdict, WORDS[part.verdict].happened, words)
    else:
        ElementTree.SubElement(case, "system-out").text = words


def _parallelism_case(case: ElementTree.Element, part: PartResult | None) -> None:
    if part is None or part.parallelism is None:
        _skipped(case, "parallelism is measured only for parts with right answers")
        return
    words = parallelism_words(part.parallelism)
    if part.parallelism.share == 0:
        _outcome(case, Verdict.TOO_SLOW, WORDS[Verdict.TOO_SLOW].happened, words)
    else:
        ElementTree.SubElement(case, "system-out").text = words


def _counters_case(case: ElementTree.Element, part: PartResult | None) -> None:
    if part is None or not part.counters:
        _skipped(case, "the simulator counts only parts with right answers")
        return
    text = "\n".join(
        line
        for counter in part.counters
        for line in (counter_words(counter), *(f"  {said}" for said in advice_lines(counter)))
    )
    if any(counter.points < counter.max_points for counter in part.counters):
        _outcome(case, Verdict.TOO_SLOW, WORDS[Verdict.TOO_SLOW].happened, text)
    else:
        ElementTree.SubElement(case, "system-out").text = cap(text, _CHARACTERS, _LINES)


def _planned_cases(suite: ElementTree.Element, result: Result, planned: LabPart) -> None:
    part = part_of(result, planned.function)
    case = _case(suite, result.lab, planned.title)
    if part is None or result.verdict in WHOLE_FILE:
        _skipped(case, f"not run: {WORDS[result.verdict].happened}")
        part = None
    else:
        _part_case(case, part, result)
    if planned.timing:
        _timing_case(_case(suite, result.lab, f"{planned.title}: timing"), part)
    if planned.parallelism:
        _parallelism_case(_case(suite, result.lab, f"{planned.title}: parallelism"), part)
    if planned.counters:
        _counters_case(_case(suite, result.lab, f"{planned.title}: counters"), part)


def _properties(suite: ElementTree.Element, result: Result) -> None:
    points = points_text(result.points) if is_graded(result) else ""
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in (
        ("verdict", result.verdict.value),
        ("points", points),
        ("max_points", points_text(result.max_points)),
        ("source", result.source),
        ("protections_lost", "; ".join(result.protections_lost)),
        *((name, str(value)) for name, value in result.key.model_dump().items()),
    ):
        ElementTree.SubElement(properties, "property", {"name": name, "value": clean(value)})


def _count(suite: ElementTree.Element) -> Counter[str]:
    cases = suite.findall("testcase")
    found = Counter(child.tag for case in cases for child in case)
    return Counter(
        tests=len(cases), failures=found["failure"], errors=found["error"], skipped=found["skipped"]
    )


def _timestamp(graded_at: str) -> str | None:
    """ISO 8601 in UTC without an offset, as JUnit readers expect; None if it cannot be parsed."""
    try:
        time = datetime.fromisoformat(graded_at)
    except ValueError:
        return None
    return (time.astimezone(UTC) if time.tzinfo else time).strftime("%Y-%m-%dT%H:%M:%S")


def _suite(result: Result, lab: Lab) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", {"name": one_line(result.student)})
    _properties(suite, result)
    whole_file = result.verdict in WHOLE_FILE
    if whole_file or (not result.verdict.is_final and not result.parts):
        name = result.verdict.value if whole_file else "grader"
        words = WORDS[result.verdict]
        _outcome(
            _case(suite, result.lab, name), result.verdict, words.happened, _diagnostics(result)
        )
    for planned in lab.parts:
        _planned_cases(suite, result, planned)
    for name, number in _count(suite).items():
        suite.set(name, str(number))
    suite.set("time", f"{sum(result.seconds.values()):.3f}")
    if timestamp := _timestamp(result.graded_at):
        suite.set("timestamp", timestamp)
    return suite


def _suites(results: Iterable[Result], lab: Lab, totals: Counter[str]) -> Iterator[str]:
    for result in results:
        suite = _suite(result, lab)
        totals.update(_count(suite))
        ElementTree.indent(suite)
        yield ElementTree.tostring(suite, encoding="unicode") + "\n"


def export(results: Iterable[Result], lab: Lab, path: Path) -> list[Path]:
    """Writes `path` (or `junit.xml` in it). A judge error is an `<error>`, never a `<failure>`."""
    target = single_file(path, "junit.xml")
    totals: Counter[str] = Counter()
    with replacing(target) as file, spooling() as (spool, spooled):
        for suite in _suites(results, lab, totals):
            spool.write(suite)
        counts = " ".join(f'{name}="{totals[name]}"' for name in _COUNTS)
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n')
        file.write(f"<testsuites name={quoteattr(one_line(lab.title))} {counts}>\n")
        file.copy_from(spooled)
        file.write("</testsuites>\n")
    return [target]
