"""Counts the test cases of a Bazel run, from the file of --build_event_json_file.

tally.py count EVENTS    prints "PASSED FAILED SKIPPED"; a target without a result has failed
tally.py stubs EVENTS    checks that every lab's test fails with its one line, and counts those
"""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlparse

NOT_WRITTEN = re.compile(r"^labs/\S+: .+ not written yet: replace LAB_NOT_WRITTEN\(\)")
# Bazel's own lines at the head of a test's log, and the rule that follows them.
_LOG_HEAD = re.compile(r"^(exec .*|Executing tests from .*|-+|)$")


@dataclass
class Target:
    """One test target; `status` is Bazel's word, or "" where it gave no result."""

    label: str
    status: str = ""
    files: dict[str, Path] = field(default_factory=dict)


@dataclass(frozen=True)
class Count:
    """Test cases, or targets that tell of no cases."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(
            self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped
        )


def read_targets(events: Path) -> list[Target]:
    """Every test target that the run was asked for, but those that it was asked only to build."""
    targets: dict[str, Target] = {}
    built: set[str] = set()
    for line in events.read_text(encoding="utf-8").splitlines():
        event = json.loads(line)
        identity = event["id"]
        if "targetConfigured" in identity and event.get("configured", {}).get("testSize"):
            label = identity["targetConfigured"]["label"]
            targets.setdefault(label, Target(label))
        elif "targetCompleted" in identity and event.get("completed", {}).get("success"):
            built.add(identity["targetCompleted"]["label"])
        elif "testResult" in identity:
            result = event.get("testResult", {})
            label = identity["testResult"]["label"]
            target = targets.setdefault(label, Target(label))
            target.status = result.get("status", "")
            for output in result.get("testActionOutput", []):
                target.files[output["name"]] = Path(unquote(urlparse(output.get("uri", "")).path))
    # A run that ends early says so by its exit code.
    counted = [target for target in targets.values() if target.status or target.label not in built]
    return sorted(counted, key=lambda target: target.label)


def count_target(target: Target) -> Count:
    """The cases of the target's report; one failure at least unless Bazel says it passed."""
    passed = target.status == "PASSED"
    cases = _cases(target.files.get("test.xml"))
    if not passed and cases.failed == 0:
        cases += Count(failed=1)
    return cases if cases != Count() else Count(passed=1)


def _cases(report: Path | None) -> Count:
    try:
        root = ET.fromstring(report.read_bytes()) if report else None  # noqa: S314  # our own tests
    except (OSError, ET.ParseError):
        root = None
    total = Count()
    for case in root.iter("testcase") if root is not None else ():
        # GoogleTest marks a disabled or filtered test by its status.
        if case.find("failure") is not None or case.find("error") is not None:
            total += Count(failed=1)
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            total += Count(skipped=1)
        else:
            total += Count(passed=1)
    return total


def stub_problem(target: Target) -> str | None:
    """Why an untouched stub did not fail as it should: with one line, and nothing else."""
    if target.status != "FAILED":
        return f"{target.label}: should fail, is {target.status or 'without a result'}"
    log = target.files.get("test.log")
    text = log.read_text(encoding="utf-8", errors="replace") if log else ""
    lines = [line for line in text.splitlines() if not _LOG_HEAD.match(line)]
    if len(lines) != 1 or not NOT_WRITTEN.match(lines[0]):
        return f"{target.label}: one 'not written yet' line is due, its log has:\n{text.rstrip()}"
    return None


def count_stubs(targets: Iterable[Target]) -> Count:
    """Counts stubs that fail as they should; says on stderr what is wrong with the others."""
    total = Count()
    for target in targets:
        problem = stub_problem(target)
        if problem:
            print(f"error: {problem}\n  next: see the lab's test", file=sys.stderr)
        total += Count(failed=1) if problem else Count(passed=1)
    return total


def main(arguments: list[str]) -> int:
    """Prints the count; exit code 0 says that nothing failed and something was counted."""
    command, events = arguments
    targets = read_targets(Path(events))
    if command == "stubs":
        total = count_stubs(targets)
    else:
        total = sum((count_target(target) for target in targets), Count())
    print(total.passed, total.failed, total.skipped)
    return 1 if total.failed or not total.passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
