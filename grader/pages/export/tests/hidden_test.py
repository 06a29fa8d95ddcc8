"""Every export for students shows only what the lab allows of a hidden test."""

import json
from pathlib import Path

import pytest

from grader.model.lab import Feedback, Lab
from grader.model.result import Diagnostic, Result
from grader.model.verdict import Verdict
from grader.pages.export import prairielearn
from grader.pages.export.github import check_run
from grader.pages.export.gradescope import document
from grader.pages.presentation.feedback import write_feedback
from grader.pages.presentation.tests.made_up_class import LAB, make_result

_VALUES = ("element 16 of 17", "3.5", "tolerance")
_CASE = ("SumPartialTest", "input size 17, 4 threads")
_REPORT = ("write at sum.cc:7",)


def _result() -> Result:
    result = make_result("student01", Verdict.WRONG_ANSWER, Verdict.ACCEPTED)
    result.diagnostics = [
        Diagnostic(phase="compile", text="sum.cc:3: warning: unused"),
        Diagnostic(phase="races", text="write at sum.cc:7"),
        Diagnostic(phase="judge", text="the worker of student02"),
    ]
    return result


def _handed_back(lab: Lab, folder: Path) -> list[str]:
    feedback = write_feedback(_result(), lab, folder).read_text(encoding="utf-8")
    documents = (make(_result(), lab) for make in (document, check_run, prairielearn.document))
    texts = (json.dumps(value, ensure_ascii=False) for value in documents)
    return [text.replace("\\", "") for text in (feedback, *texts)]


@pytest.mark.parametrize(
    ("level", "shown", "kept"),
    [
        ("first_difference", (*_VALUES, *_CASE, *_REPORT), ()),
        ("case", (*_CASE, *_REPORT), _VALUES),
        ("verdict", (), (*_VALUES, *_CASE, *_REPORT)),
    ],
)
def test_shows_of_a_hidden_case_only_what_the_lab_allows(
    tmp_path: Path, level: str, shown: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    lab = LAB.model_copy(update={"feedback": Feedback.model_validate({"hidden": level})})
    for text in _handed_back(lab, tmp_path):
        assert [words for words in shown if words not in text] == []
        assert [words for words in kept if words in text] == []
        assert "sum.cc:3: warning" in text
        assert "student02" not in text
