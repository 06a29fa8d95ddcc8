"""Tells what the checkers with a build of their own found, case by case."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from grader.judging.judge.context import GradingContext
from grader.judging.judge.located import located
from grader.judging.judge.memory_report import with_memory_report
from grader.judging.judge.race_report import with_race_report
from grader.sandbox.run_checker import Mode, Report

_TELL = {"memory": with_memory_report, "races": with_race_report}


def with_reports(
    context: GradingContext, mode: Mode, report: Report, library: Path, folder: Path
) -> Report:
    """The report of a phase, with the findings of its sanitizer, if it has one, as messages."""
    tell = _TELL.get(mode)
    symbolizer = context.kit.manifest.builds[mode].symbolizer if tell else ""
    if not tell or not symbolizer:
        return report
    at = located(context, symbolizer, library, folder)
    return replace(report, cases=[tell(case, at) for case in report.cases])
