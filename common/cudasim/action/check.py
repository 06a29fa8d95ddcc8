"""Builds programs with cudasim-cc -check and runs them; findings become a workflow's annotations.

    check.py CUDASIM-CC       with PROGRAMS, ARGUMENTS and TIME_LIMIT_S in the environment

Exits with 1 if a program does not build, has findings, or fails.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any


def main(compiler: str) -> int:
    lines = [line.strip() for line in os.environ["PROGRAMS"].splitlines() if line.strip()]
    with tempfile.TemporaryDirectory() as folder:
        problems = [(line, _check(compiler, line, Path(folder) / "program")) for line in lines]
    summary = os.environ.get("GITHUB_STEP_SUMMARY", os.devnull)
    with open(summary, "a", encoding="utf-8") as file:  # noqa: PTH123 (or /dev/null)
        file.writelines(f"* `{line}`: {problem or 'no findings'}\n" for line, problem in problems)
    return int(any(problem for _, problem in problems))


def _check(compiler: str, line: str, program: Path) -> str:
    """What is wrong with the program of a line of PROGRAMS; empty if nothing is."""
    print(f"::group::cudasim-cc -check {line}", flush=True)
    build = [compiler, "-check", "-o", str(program), *shlex.split(line)]
    problem = "does not build" if subprocess.run(build).returncode else _run(program)
    print("::endgroup::", flush=True)
    if problem:
        _annotate("error", f"{line}: {problem}", title="cudasim-cc -check")
    return problem


def _run(program: Path) -> str:
    report, limit = program.with_suffix(".json"), float(os.environ["TIME_LIMIT_S"])
    report.unlink(missing_ok=True)
    run = [str(program), *shlex.split(os.environ["ARGUMENTS"])]
    environment = {"CUDASIM_CONTINUE": "1", **os.environ, "CUDASIM_REPORT": str(report)}
    try:
        code = subprocess.run(run, env=environment, timeout=limit).returncode
    except subprocess.TimeoutExpired:
        return f"did not end within {limit:g} s"
    findings = json.loads(report.read_text())["findings"] if report.exists() else []
    for finding in findings:
        _annotate_finding(finding)
    if findings:
        return f"{len(findings)} finding{'s' * (len(findings) > 1)}"
    return f"exit code {code}" if code else ""


def _annotate_finding(finding: dict[str, Any]) -> None:
    accesses = finding.get("accesses") or [{}]
    place = {name: accesses[0][name] for name in ("file", "line") if accesses[0].get(name)}
    text = "\n".join([finding["message"], *finding["details"]])
    _annotate("error", text, **place, title=finding["kind"])


def _annotate(level: str, text: str, **properties: object) -> None:
    """A workflow command; its special characters are escaped as GitHub's toolkit does."""
    shown = ",".join(f"{name}={_escaped(str(it), ':,')}" for name, it in properties.items())
    print(f"::{level} {shown}::{_escaped(text)}", flush=True)


def _escaped(text: str, more: str = "") -> str:
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
