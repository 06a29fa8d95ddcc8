"""Measures time and memory of a run on 1,000 stored results when nothing has changed.

    bazel run //grader/proof/bench:stored_results

Makes a class of 1,000 different submissions and their results, then times whole runs of the
program: `grade`, `report`, `feedback`, `leaderboard` and each `export`. Where there is Chromium,
it also times how long the class page takes to sort its table.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from grader.cli.kits import find_kit
from grader.cli.places import lab_names
from grader.judging.collect import collect
from grader.judging.store import Store
from grader.model.manifest import Kit
from grader.model.result import Diagnostic, Failure, Key, PartResult, Result, TimingResult
from grader.model.verdict import Verdict
from grader.sandbox.machine import machine_class

COUNT = 1000
LIMIT_S = 2.0
LIMIT_MB = 200
LIMIT_PAGE_S = 60.0
LIMIT_SORT_MS = 200.0
_MAIN = Path(__file__).parents[2] / "main.py"
_VERDICTS = (Verdict.ACCEPTED, Verdict.WRONG_ANSWER, Verdict.DATA_RACE, Verdict.TOO_SLOW)


def _make_class(kit: Kit, folder: Path) -> None:
    for number in range(COUNT):
        path = folder / f"student{number:04}" / kit.manifest.file
        path.parent.mkdir(parents=True)
        text = f"#include <vector>\n// {number}\n" + "int Filler(int x) { return x + 1; }\n" * 60
        path.write_text(text, encoding="utf-8")


def _store_results(kit: Kit, submissions: Path, out: Path) -> None:
    limit = kit.lab.limits.source_kb << 10
    found = collect(submissions, kit.manifest.file, kit.manifest.lab, limit)
    with Store(out, create=True) as store:
        store.bind(kit.manifest.lab, kit.lab)
        seed = store.seed(1)
        for number, submission in enumerate(found.submissions):
            verdict = _VERDICTS[number % len(_VERDICTS)]
            key = Key(
                kit=kit.manifest.digest,
                submission=submission.digest,
                seed=seed,
                machine=machine_class(),
            )
            store.put(
                _result(kit, submission.student, key, verdict, 1 + number % 50 / 20),
                [(submission.student, submission.source)],
            )


def _result(kit: Kit, student: str, key: Key, verdict: Verdict, ratio: float) -> Result:
    report = "WARNING: ThreadSanitizer: data race (pid=2)\n" + "    #1 Sum sum.cc:41\n" * 100
    parts = [
        PartResult(
            function=part.function,
            title=part.title,
            verdict=verdict,
            points=part.max_points if verdict is Verdict.ACCEPTED else 0,
            max_points=part.max_points,
            tests_passed=9,
            tests_total=10,
            failure=Failure(test="SumTest.Adds", message="element 17 of 1000: expected 3.5"),
            timing=TimingResult(
                ratio=ratio,
                low=ratio - 0.1,
                high=ratio + 0.1,
                pairs=15,
                full=1.6,
                zero=5,
                decision="full",
                student_ms=3,
                reference_ms=3,
                points=10,
                max_points=10,
            ),
        )
        for part in kit.lab.parts
    ]
    return Result(
        lab=kit.manifest.lab,
        student=student,
        source=student,
        key=key,
        verdict=verdict,
        points=sum(part.points for part in parts),
        max_points=100,
        parts=parts,
        diagnostics=[Diagnostic(phase="races", text=report)],
        graded_at="2025-01-01T00:00:00+00:00",
    )


def _measure(arguments: list[str | Path]) -> tuple[float, float]:
    """Seconds and megabytes of one run of the program, in a process of its own."""
    code = (
        "import resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)\n"
        "sys.exit(done.returncode)"
    )
    command = [sys.executable, "-c", code, sys.executable, _MAIN, *arguments]
    before = time.monotonic()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return time.monotonic() - before, float(done.stdout.splitlines()[-1])


_SORT = """
const done = arguments[0], heads = [...document.querySelectorAll("#results .sort")], times = [];
const table = document.getElementById("results");
function next() {
  if (table.querySelector(".far")) return void setTimeout(next, 1);
  table.getBoundingClientRect();
  if (times.length) times.at(-1).push(performance.now() - times.at(-1).shift());
  const head = heads.shift();
  if (!head) return void done(times);
  const start = performance.now();
  head.click();
  table.getBoundingClientRect();
  times.push([start, performance.now() - start]);
  setTimeout(next, 1);
}
next();
"""
"""For each column: milliseconds until the first rows stand in their places, and until all do."""


def _sorting_ms(page: Path) -> tuple[float, float]:
    """The slowest column, by the first rows and by all."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        driver.get(page.as_uri())
        times = driver.execute_async_script(_SORT)
        return max(first for first, _ in times), max(whole for _, whole in times)
    finally:
        driver.quit()


def _time_sorting(page: Path) -> bool:
    """Prints the times; whether that of the rows on the screen exceeds its limit."""
    if not (shutil.which("chromium") and shutil.which("chromedriver")):
        print("sorting: not timed, no Chromium here: apt-get install chromium chromium-driver")
        return False
    first, whole = min(_sorting_ms(page) for _ in range(3))
    size = page.stat().st_size / 1e6
    limit = f"limit {LIMIT_SORT_MS:.0f} ms"
    print(f"sorting: {first:.0f} ms, {limit}; all rows {whole:.0f} ms; the page has {size:.1f} MB")
    return first > LIMIT_SORT_MS


def main() -> int:
    """Returns 1 if a limit is exceeded."""
    kit = find_kit(lab_names()[0])
    lab = kit.manifest.lab
    missed = False
    with tempfile.TemporaryDirectory(prefix="grader-bench-") as name:
        folder = Path(name)
        submissions, out = folder / "class", folder / "out"
        _make_class(kit, submissions)
        _store_results(kit, submissions, out)
        grade: list[str | Path] = ["grade", "--lab", lab, "--submissions", submissions]
        runs: dict[str, list[str | Path]] = {
            "first report": ["report", "--out", out],
            "grade again": [*grade, "--kit", kit.root, "--out", out],
            "report": ["report", "--out", out],
            "feedback": ["feedback", "--out", out],
            "leaderboard": ["leaderboard", "--out", out],
        }
        for kind in ("csv", "json", "junit", "gradescope", "canvas", "feedback"):
            runs[f"export {kind}"] = ["export", "--out", out, "--format", kind]
        for what, arguments in runs.items():
            seconds, megabytes = min(_measure(arguments) for _ in range(3))
            most = LIMIT_S if what == "grade again" else LIMIT_PAGE_S
            missed |= seconds > most or megabytes > LIMIT_MB
            limit = f", limit {most:g} s"
            print(f"{what}: {seconds:.2f} s{limit}; {megabytes:.0f} MB, limit {LIMIT_MB} MB")
        missed |= _time_sorting(out / "report" / "index.html")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
