"""Signs of an attempt to deceive the grader: each rule has its program, honest ones show none."""

from pathlib import Path

import pytest

from grader.model.result import Diagnostic, ParallelismResult, Result, ThreadsMeasurement
from grader.model.verdict import Verdict
from grader.pages.presentation.tests.made_up_class import LAB, make_result
from grader.pages.report.attempts import SAID_RULES, TEXT_RULES, signs
from grader.pages.report.html import Known, write_report

TEXTS = [
    "extern const char __ehdr_start;",
    "auto* at = reinterpret_cast<const long*>(0x7fff'f7dd'0000);",
    'auto* file = fopen("/proc/self/maps", "r");',
    "write(14, forged, sizeof forged);",
]
SAID = [
    "sum.cc:3: q\u0308 (U+0308) outside comments and literals is not allowed",
    "sum.cc:3: __tsan_java_alloc is not allowed in a submission",
    "sum.cc uses dlsym, which this lab does not allow",
    "the program wrote to the grader's own pipe: an unsolicited frame came in SumPartial",
    "the simulator's counters are damaged: the program overwrote memory or files not its own",
    "the program called exit(67) in SumPartial",
]
HONEST = """#include <thread>
// Reads __ehdr_start, "/proc/self/maps" and *(int*)0x7fff0000 in a comment.
constexpr unsigned long kSeed = 0x9e3779b97f4a7c15;
void SumPartial(Log& log) { log.write(1, kSeed); }
"""


def _right() -> Result:
    return make_result("ada", Verdict.ACCEPTED, Verdict.ACCEPTED)


@pytest.mark.parametrize(("rule", "text"), list(zip(TEXT_RULES, TEXTS, strict=True)))
def test_finds_the_line_of_a_text_that_shows_it(rule: object, text: str) -> None:
    (sign,) = signs(_right(), f"{HONEST}{text}\n")
    assert (sign.reason, sign.line, sign.shown) == (getattr(rule, "reason", None), 5, text)


@pytest.mark.parametrize(("rule", "said"), list(zip(SAID_RULES, SAID, strict=True)))
def test_finds_it_in_what_the_grader_said(rule: object, said: str) -> None:
    result = _right()
    result.diagnostics = [Diagnostic(phase="policy", text=f"something else\n{said}")]
    (sign,) = signs(result, HONEST)
    assert (sign.reason, sign.shown) == (getattr(rule, "reason", None), said)
    assert sign.line == (3 if said.startswith("sum.cc:3") else None)


@pytest.mark.parametrize(
    ("figures", "shown"),
    [
        ({"copies": 3.9}, ["SumPartial: the work 3.9 times by 4 threads"]),
        ({"shared_by": 1.0}, ["SumPartial: 3.6 threads ran"]),
        ({"shared_by": 1.0, "runnable": 1.1}, []),
        ({"shared_by": 1.55}, []),
        ({}, []),
    ],
)
def test_finds_speed_that_depends_on_the_team_as_no_honest_ones_does(
    figures: dict[str, float], shown: list[str]
) -> None:
    known = {"team": 4, "runnable": 3.6, "balance": 1, "inflation": 1, "rounds": 6}
    result = _right()
    result.parts[0].parallelism = ParallelismResult(
        value=1,
        full=3,
        zero=1,
        decision="zero",
        share=0,
        points=0,
        max_points=4,
        threads=ThreadsMeasurement.model_validate(known | figures),
    )
    assert [sign.shown for sign in signs(result, HONEST)] == shown


@pytest.mark.parametrize(("first", "is_shown"), [(9.5, True), (2.0, False), (0, False)])
def test_finds_a_first_call_that_prepares_the_next(first: float, is_shown: bool) -> None:
    result = _right()
    timing = result.parts[0].timing
    assert timing
    timing.first, timing.ratio, timing.high = first, 0.9, 1.1
    shown = [sign.shown for sign in signs(result, HONEST)]
    assert shown == ["SumPartial: 9.50 times the reference's time, then 0.90"] * is_shown


def test_finds_what_was_written_in_place_of_a_finding() -> None:
    result = _right()
    result.parts[0].forged_findings = True
    assert [sign.shown for sign in signs(result, HONEST)] == ["in SumPartial"]


@pytest.mark.parametrize("verdict", set(Verdict) - {Verdict.TAMPERING})
def test_finds_nothing_in_an_honest_submission(verdict: Verdict) -> None:
    assert signs(make_result("ada", verdict, Verdict.ACCEPTED), HONEST) == []


def test_the_page_names_student_line_and_text_or_says_that_there_is_none(tmp_path: Path) -> None:
    texts = {"ada": HONEST, "eve": "\nint main() { return *(int*)0x41414141; } // <b>\n"}
    class_ = [make_result(name, Verdict.ACCEPTED, Verdict.ACCEPTED) for name in texts]
    page = write_report(class_, LAB, tmp_path, Known(text=texts.get)).read_text("utf-8")
    assert "Signs of an attempt (1)" in page
    assert '<a href="#s2"><bdi>eve</bdi></a></th><td>makes a pointer of a number</td>' in page
    assert "0x41414141; } // &lt;b&gt;" in page
    assert "No submission shows a sign" in write_report(class_[:1], LAB, tmp_path).read_text(
        "utf-8"
    )
