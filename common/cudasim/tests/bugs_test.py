"""Programs with bugs: the simulator's reports, as bugs/*.txt lists them.

In front of a program's name stands a mode: plain, both for plain and check mode, eager for check
mode with CUDASIM_STREAMS=eager. Without one it is check mode. A report of each kind stands in full.
"""

import json
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from common.cudasim.tests.simulated import (
    FOLDER,
    assert_reported,
    expected_reports,
    reported,
    start,
)

FINDING = 67
REPORTS = expected_reports("bugs")
MODES = {"": ["check"], "both": ["check", "plain"], "eager": ["eager"], "plain": ["plain"]}
CASES = [
    (mode, case.split()[-1], case) for case in REPORTS for mode in MODES[case.rpartition(" ")[0]]
]


def run(mode: str, bug: str, **environment: str) -> subprocess.CompletedProcess[str]:
    if mode == "eager":
        return run("check", bug, CUDASIM_STREAMS="eager", **environment)
    return start(f"bugs_{mode}", bug, **environment)


usual = cache(run)


@pytest.mark.parametrize(("mode", "bug", "case"), CASES)
def test_names_the_bug_its_line_and_its_numbers(mode: str, bug: str, case: str) -> None:
    done = usual(mode, bug)
    expected = [line for line in REPORTS[case] if mode != "plain" or not line.startswith("  ")]
    assert_reported(done, "bugs", expected)
    warns = expected[0].startswith("warning: ") if expected else True
    assert done.returncode == (0 if warns or mode == "plain" else FINDING)


def test_every_program_has_its_reports() -> None:
    sources = "".join(path.read_text() for path in FOLDER.glob("bugs/*.cu"))
    checked = {bug for mode, bug, _ in CASES if mode == "check"}
    assert checked == set(re.findall(r"PROGRAM\((\w+)\)", sources))


def kind_of(report: list[str]) -> str:
    return report[0].removeprefix("warning: ").split(":")[0]


@pytest.mark.parametrize(
    "kind", sorted({kind_of(REPORTS[case]) for mode, _, case in CASES if mode == "check"})
)
def test_a_report_of_each_kind_is_known_to_its_last_line(kind: str) -> None:
    bugs = [(bug, case) for mode, bug, case in CASES if mode == "check"]
    assert any(
        reported(usual("check", bug), "bugs") == REPORTS[case]
        for bug, case in bugs
        if kind_of(REPORTS[case]) == kind
    )


def test_reports_all_findings_when_started_with_cudasim_continue() -> None:
    done = run("check", "TwoFindings", CUDASIM_CONTINUE="1")
    assert done.stderr.count("cudasim: invalid_launch: ") == 2
    assert done.returncode == 67


def test_finds_a_race_behind_an_access_out_of_bounds() -> None:
    done = run("check", "RaceBehindOutOfBounds", CUDASIM_CONTINUE="1")
    kinds = re.findall(r"^cudasim: (\w+): kernel", done.stderr, flags=re.MULTILINE)
    assert kinds == ["out_of_bounds", "out_of_bounds", "data_race"]
    assert "cudasim: out_of_bounds: and 2 times more: kernel WritePastEnd" in done.stderr
    assert done.returncode == 67


def test_undoes_an_invalid_write_before_it_goes_on() -> None:
    done = run("check", "WriteToHostVariable", CUDASIM_CONTINUE="1")
    assert done.stdout == "the host's variable holds 5\n"
    assert done.stderr.count("cudasim: host_pointer: ") == 1
    assert done.returncode == 67


def test_writes_findings_as_json_where_cudasim_report_says(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = run("check", "MissingBarrier", CUDASIM_REPORT=str(report))
    [finding] = json.loads(report.read_text())["findings"]
    assert finding["kind"] == "data_race"
    assert f"cudasim: data_race: {finding['message']}\n" in done.stderr
    assert all(f"  {detail}\n" in done.stderr for detail in finding["details"])


def test_json_names_threads_accesses_memory_and_places(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    run("check", "MissingBarrier", CUDASIM_REPORT=str(report))
    [finding] = json.loads(report.read_text())["findings"]
    first, second = finding["accesses"]
    assert (finding["kernel"], finding["variable"], finding["index"]) == ("Reverse", "tile", 32)
    assert finding["count"] == 1
    assert finding["thread"] == first["thread"] == "(32, 0, 0)"
    assert (first["operation"], second["operation"]) == ("write", "read")
    assert second["line"] == first["line"] + 1
    assert first["file"] == second["file"] == "common/cudasim/tests/bugs/races.cu"


def test_folds_repeated_findings_into_a_line_with_a_count(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = run("check", "SharedCounter", CUDASIM_CONTINUE="1", CUDASIM_REPORT=str(report))
    findings = json.loads(report.read_text())["findings"]
    assert [finding["count"] for finding in findings] == [63, 63]
    for finding in findings:
        again = f"cudasim: data_race: and 62 times more: {finding['message']}\n"
        assert done.stderr.count(again) == 1


def test_stops_where_shadow_memory_reaches_its_limit() -> None:
    done = run("check", "WriteWhereverAsked", CUDASIM_SHADOW_MB="1")
    assert done.returncode == 1
    assert done.stderr.startswith("error: out of shadow memory: kernel Touch ")
    assert "limit 1 MB\n  next: " in done.stderr
    assert "CUDASIM_SHADOW_MB=N" in done.stderr


def test_adds_findings_to_the_log_in_place_of_standard_error(tmp_path: Path) -> None:
    log = tmp_path / "log"
    plain = run("check", "MissingBarrier")
    for runs in (1, 2):
        done = run("check", "MissingBarrier", CUDASIM_LOG=str(log))
        assert done.returncode == 67
        assert "cudasim: " not in done.stderr
        assert log.read_text() == runs * plain.stderr


def test_says_that_a_report_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "no" / "report.json"
    done = run("check", "MissingBarrier", CUDASIM_REPORT=str(path))
    assert f"error: cannot write the report: {path}\n  next: set CUDASIM_REPORT" in done.stderr
    assert done.returncode == 67
