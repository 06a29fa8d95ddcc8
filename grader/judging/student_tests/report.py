"""What GoogleTest says of a run: a student's program wrote it, so nothing in it is trusted."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MAX_REPORT_BYTES = 4 << 20
MAX_MESSAGE = 400


@dataclass(frozen=True)
class Report:
    """The tests that ran to their end."""

    ran: int
    failures: tuple[tuple[str, str], ...] = ()
    """Tests that failed, as SUITE.TEST, each with its first failure."""

    def failed(self, suite: str) -> str:
        """The first test of a suite that failed; empty if none did."""
        names = (name for name, _ in self.failures)
        return next((name for name in names if suite in name.partition(".")[0].split("/")), "")


def filter_of(*suites: str) -> str:
    """GoogleTest's filter for suites, as the checker has it: also for those with parameters."""
    forms = ("{0}.*", "{0}/*.*", "*/{0}.*", "*/{0}/*.*")
    return ":".join(form.format(suite) for suite in suites for form in forms)


def read_report(path: Path) -> Report | None:
    """None if there is none, because the program ended before it was written, or a broken one."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_REPORT_BYTES:
        return None
    try:
        tests = list(_tests(json.loads(path.read_text(encoding="utf-8", errors="replace"))))
        failed = [
            (_plain(name), _plain(test["failures"][0]["failure"], MAX_MESSAGE))
            for name, test in tests
            if test.get("failures")
        ]
        ran = sum(test.get("result") == "COMPLETED" for _, test in tests)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        return None
    return Report(ran, tuple(failed))


def _tests(whole: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for suite in whole["testsuites"]:
        for test in suite["testsuite"]:
            yield f"{suite['name']}.{test['name']}", test


def _plain(text: object, limit: int = 120) -> str:
    """Printable lines without the paths of a jail."""
    lines = str(text).replace("/submission/", "").splitlines()
    kept = [re.sub(r"[^\x20-\x7e\u00a0-\ud7ff]", "?", line) for line in lines if line.strip()]
    whole = "\n".join(kept)
    return whole if len(whole) <= limit else whole[: limit - 1] + "…"
