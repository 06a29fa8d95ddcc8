"""Tests of counting what a Bazel run did."""

import json
from pathlib import Path

import pytest

from grader.people.release.tally import (
    Count,
    Target,
    count_target,
    main,
    read_targets,
    stub_problem,
)

LINE = (
    "labs/sum/sum.cc: Sum (line 9) is not written yet: replace LAB_NOT_WRITTEN() and run the "
    "test again"
)
HEAD = (
    'exec ${PAGER:-/usr/bin/less} "$0" || exit 1\nExecuting tests from //labs/sum:sum_test\n---\n'
)


def events(folder: Path, *targets: Target) -> Path:
    """A file of build events for these targets."""
    lines = []
    for target in targets:
        identity = {"targetConfigured": {"label": target.label}}
        lines.append({"id": identity, "configured": {"testSize": "SMALL"}})
        outputs = [{"name": name, "uri": path.as_uri()} for name, path in target.files.items()]
        if target.status:
            result = {"status": target.status, "testActionOutput": outputs}
            lines.append({"id": {"testResult": {"label": target.label}}, "testResult": result})
    library = {"id": {"targetConfigured": {"label": "//a:library"}}, "configured": {}}
    path = folder / "events.json"
    text = "\n".join(json.dumps(line) for line in [library, *lines])
    path.write_text(text + "\n", encoding="utf-8")
    return path


def report(folder: Path, *cases: str) -> dict[str, Path]:
    path = folder / "a test.xml"
    body = "".join(f"<testcase name='c'>{case}</testcase>" for case in cases)
    path.write_text(f"<testsuites><testsuite>{body}</testsuite></testsuites>", encoding="utf-8")
    return {"test.xml": path}


def log(folder: Path, text: str) -> dict[str, Path]:
    path = folder / "test.log"
    path.write_text(HEAD + text, encoding="utf-8")
    return {"test.log": path}


def test_counts_the_cases_of_a_report(tmp_path: Path) -> None:
    files = report(tmp_path, "", "<failure/>", "<error/>", "<skipped/>")
    assert count_target(Target("//a", "FAILED", files)) == Count(1, 2, 1)


def test_counts_a_crash_as_a_failure_when_every_reported_case_passed(tmp_path: Path) -> None:
    assert count_target(Target("//a", "FAILED", report(tmp_path, ""))) == Count(1, 1, 0)


@pytest.mark.parametrize("status", ["", "TIMEOUT", "FAILED_TO_BUILD", "FLAKY"])
def test_counts_a_target_without_a_pass_as_failed(status: str) -> None:
    assert count_target(Target("//a", status)) == Count(0, 1, 0)


def test_counts_a_target_without_cases_as_one(tmp_path: Path) -> None:
    assert count_target(Target("//a", "PASSED", {"test.xml": tmp_path / "none"})) == Count(1, 0, 0)


def test_reads_targets_with_their_files_and_leaves_libraries_out(tmp_path: Path) -> None:
    built = Target("//b:test", "PASSED", report(tmp_path, ""))
    unbuilt = Target("//a:test")
    assert read_targets(events(tmp_path, built, unbuilt)) == [unbuilt, built]


def test_leaves_out_what_the_run_was_asked_only_to_build(tmp_path: Path) -> None:
    path = events(tmp_path, Target("//a:slow_test"), Target("//b:test", "PASSED"))
    completed = {"targetCompleted": {"label": "//a:slow_test"}}
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"id": completed, "completed": {"success": True}}) + "\n")
    assert read_targets(path) == [Target("//b:test", "PASSED")]


def test_fails_when_a_target_was_not_built(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["count", str(events(tmp_path, Target("//a"), Target("//b", "PASSED")))]) == 1
    assert capsys.readouterr().out == "1 1 0\n"


def test_fails_when_there_was_nothing_to_count(tmp_path: Path) -> None:
    assert main(["count", str(events(tmp_path))]) == 1


def test_accepts_a_stub_that_fails_with_its_one_line(tmp_path: Path) -> None:
    stub = Target("//labs/sum:sum_test", "FAILED", log(tmp_path, LINE + "\n"))
    assert stub_problem(stub) is None


@pytest.mark.parametrize(
    ("status", "text"),
    [
        ("PASSED", LINE),
        ("", LINE),
        ("FAILED", ""),
        ("FAILED", LINE + "\n" + LINE),
        ("FAILED", LINE + "\n[  FAILED  ] SumTest.AddsUp"),
        ("FAILED", "Segmentation fault"),
    ],
)
def test_rejects_a_stub_that_fails_in_another_way(tmp_path: Path, status: str, text: str) -> None:
    stub = Target("//labs/sum:sum_test", status, log(tmp_path, text))
    problem = stub_problem(stub)
    assert problem is not None
    assert problem.startswith("//labs/sum:sum_test: ")
