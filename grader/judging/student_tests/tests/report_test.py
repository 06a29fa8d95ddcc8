"""What is read of a report that a student's program wrote."""

import json
from pathlib import Path
from typing import Any

import pytest

from grader.judging.student_tests.report import MAX_MESSAGE, Report, read_report


def written(folder: Path, *tests: dict[str, Any]) -> Path:
    path = folder / "report.json"
    suite = {"name": "SumTest", "testsuite": list(tests)}
    path.write_text(json.dumps({"testsuites": [suite]}), encoding="utf-8")
    return path


def case(name: str, *failures: str) -> dict[str, Any]:
    return {
        "name": name,
        "result": "COMPLETED",
        "failures": [{"failure": text} for text in failures],
    }


def test_tests_that_were_left_out_do_not_count(tmp_path: Path) -> None:
    left_out = {"name": "Other", "result": "SUPPRESSED"}
    report = read_report(written(tmp_path, case("Adds"), left_out))
    assert report == Report(1)


def test_the_first_failure_is_told_without_paths_of_the_jail(tmp_path: Path) -> None:
    failed = case("Adds", "/submission/my_test.cc:7\nExpected: 1\n\n  got: 2", "later")
    report = read_report(written(tmp_path, case("Fine"), failed))
    assert report == Report(2, (("SumTest.Adds", "my_test.cc:7\nExpected: 1\n  got: 2"),))


def test_a_message_is_cut_and_printable(tmp_path: Path) -> None:
    report = read_report(written(tmp_path, case("Adds", "\x1b[31m" + "x" * 2 * MAX_MESSAGE)))
    assert report is not None
    ((_, message),) = report.failures
    assert message.startswith("?[31mx")
    assert len(message) == MAX_MESSAGE


@pytest.mark.parametrize(
    "name", ["SumTest.A", "SumTest/Any.A/0", "All/SumTest.A/1", "P/SumTest/0.A"]
)
def test_a_failure_belongs_to_its_suite(name: str) -> None:
    report = Report(1, ((name, ""),))
    assert report.failed("SumTest") == name
    assert not report.failed("Sum")


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", '{"testsuites": 3}', '{"testsuites": [{"testsuite": [{"failures": [1]}]}]}'],
)
def test_a_forged_report_is_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "report.json"
    path.write_text(text, encoding="utf-8")
    assert read_report(path) is None


def test_neither_a_missing_report_nor_a_link_is_read(tmp_path: Path) -> None:
    assert read_report(tmp_path / "report.json") is None
    (tmp_path / "link").symlink_to(written(tmp_path, case("Adds")))
    assert read_report(tmp_path / "link") is None
