"""Runs the attacks on a GPU's clock and prints the result of each as a table.

attacks_on_gpu.py FOLDER [--only TEXT] [--unjailed]

`bazel run --config=gpu //grader/proof/attacks:on_gpu -- FOLDER` writes FOLDER. The checker times
each attack beside the reference, and an honest submission after each. An attack is contained if it
gets one of its allowed verdicts, the interval of its ratio does not lie below the honest one's, and
the honest one gets all points afterwards; the exit code is 1 if one is not. Needs only Python.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_LIMIT_S = 180


@dataclass(frozen=True)
class Timed:
    """The checker's result for one program."""

    verdict: str
    detail: str
    seconds: float
    decision: str = ""
    ratio: float = math.nan
    low: float = math.nan
    high: float = math.nan
    reference_ms: float = math.nan


def measure(plan: dict[str, Any], folder: Path, library: Path, more: Sequence[str]) -> Timed:
    """Runs the checker once."""
    with tempfile.TemporaryDirectory() as place:
        output = Path(place) / "result.json"
        names = {"folder": folder, "library": library, "output": output}
        command = [word.format(**names) for word in plan["command"]] + list(more)
        before = time.monotonic()
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=_LIMIT_S, check=False
            )
        except subprocess.TimeoutExpired:
            return Timed("no end", f"after {_LIMIT_S} s", _LIMIT_S)
        seconds = time.monotonic() - before
        if done.returncode != 0:
            return Timed("judge_error", " ".join(done.stderr.split())[-200:], seconds)
        return _read(json.loads(output.read_text(encoding="utf-8")), seconds)


def _read(report: dict[str, Any], seconds: float) -> Timed:
    (test,) = report["cases"]
    timed = test["timed"] or {}
    verdict, decision = test["verdict"], timed.get("decision", "")
    if verdict == "accepted" and decision == "zero":
        verdict = "too_slow"
    figures = (timed.get(name, math.nan) for name in ("ratio", "low", "high", "reference_ms"))
    return Timed(verdict, test["message"], seconds, decision, *figures)


def _problem(attack: dict[str, Any], got: Timed, usual: Timed, after: Timed) -> str:
    if got.verdict not in attack["allowed"]:
        return f"{got.verdict}: {got.detail}"
    if got.high < usual.low:
        return f"ratio at most {got.high:.2f}, the honest one's is at least {usual.low:.2f}"
    if after.verdict != "accepted" or after.decision != "full":
        return f"the honest one afterwards: {after.verdict}, {after.decision}: {after.detail}"
    return ""


def _row(name: str, got: Timed, remark: str) -> str:
    figures = f"{_interval(got)} | {got.reference_ms:.3f}" if got.decision else " | "
    return f"| `{name}` | {got.verdict} | {figures} | {got.seconds:.0f} | {remark} |"


def _interval(got: Timed) -> str:
    return f"{got.low:.2f} to {got.high:.2f}"


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="what //grader/proof/attacks:on_gpu wrote")
    parser.add_argument("--only", default="", help="attacks whose names hold this")
    parser.add_argument("--unjailed", action="store_true", help="where no jail can be made")
    given = parser.parse_args(arguments)
    folder = given.folder.absolute()
    try:
        plan = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        print(
            f"error: no attacks in {folder}: {error}\n"
            "  next: bazel run --config=gpu //grader/proof/attacks:on_gpu -- FOLDER",
            file=sys.stderr,
        )
        return 2
    more = ["--allow-unjailed"] if given.unjailed else []
    chosen = [attack for attack in plan["attacks"] if given.only in attack["name"]]
    usual = measure(plan, folder, folder / "honest.so", more)
    print("| Program | Verdict | Ratio | Reference, ms | Seconds | |")
    print("| --- | --- | ---: | ---: | ---: | --- |")
    print(_row("honest", usual, usual.detail), flush=True)
    if usual.decision != "full":
        return 1
    failed = 0
    for attack in chosen:
        got = measure(plan, folder, folder / f"{attack['name']}.so", more)
        after = measure(plan, folder, folder / "honest.so", more)
        problem = _problem(attack, got, usual, after)
        failed += bool(problem)
        remark = f"**{problem}**" if problem else f"contained; honest then {_interval(after)}"
        print(_row(attack["name"], got, remark), flush=True)
    print(f"{len(chosen) - failed} of {len(chosen)} attacks contained, on {os.uname().nodename}")
    return 1 if failed or not chosen else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
