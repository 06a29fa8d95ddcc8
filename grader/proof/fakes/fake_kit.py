"""A kit whose jail and checker are small scripts that follow instructions in the submission.

In a submission, one instruction per line:
  // fake: compile OUTCOME CODE TEXT…    the jail's result for each step
  // fake: lost TEXT…                    a protection that the jail lacks
  // fake: refused LIBRARY TEXT…         what is built for it does not compile
  // fake: reads BUILD TEXT…             the last line of one build's preprocessed text
  // fake: compiling SECONDS             the jail starts a process that takes that long
  // fake: uses NAME | defines NAME      symbols of the object file
  // fake: tests|races SUITE VERDICT TEXT…
  // fake: counters SUITE VERDICT TEXT…
  // fake: profile SUITE JSON            the profile of one counted call, instead of a good one
  // fake: timing SUITE LOW RATIO HIGH DECISION
  // fake: undecided SUITE TIMES         the decision of the first TIMES measurements
  // fake: disturbed SUITE TIMES HIGH    the first TIMES measurements find a slow program, and the
                                         reference in its place takes up to HIGH times its time
  // fake: locked SUITE TIMES            threads lock each other out, and TIMES looks do not see why
  // fake: misuse SUITE VERDICT LOOKS    ThreadSanitizer reports a misused mutex; where that is not
                                         reported, VERDICT after so many looks
  // fake: parallelism SUITE LOW VALUE HIGH DECISION, or FREE-CORES if it cannot be measured
  // fake: broken TIMES                  the checker fails at the tests that many times
  // fake: killed TIMES                  the worker is killed that many times
  // fake: worker SECONDS                the checker starts a process that takes that long; if it
                                         is killed or takes 1.5 s longer, the verdict says so
  // fake: sleep SECONDS                 the checker takes that long, and starts a child
Every run of the checker adds a line `MODE FILE-DIGEST CALL-SECONDS SUITES` to the kit's `log`, with
`but misuses` behind it where misused mutexes are not reported.
"""

import json
import sys
from pathlib import Path
from typing import Any

_SCRIPTS = Path(__file__).parent

LAB = """
title = "Fake sum"
file = "sum.cc"
model = "cpu"
[limits]
source_kb = 16
[policy]
includes = ["vector", "sys/*"]
needed = [["pthread_create", "_ZNSt6thread*"]]
forbidden = ["GOMP_*"]
[[parts]]
function = "SumA"
title = "First"
suite = "SumATest"
points = 40
[parts.timing]
suite = "SumATiming"
points = 20
full = 1.5
zero = 3.5
budget_s = 1
[[parts]]
function = "SumB"
title = "Second"
suite = "SumBTest"
points = 40
"""
COUNTERS = """
[[parts.counters]]
suite = "SumBCounted"
kernel = "*"
counter = "global_efficiency"
at_least = 0.9
zero = 0.5
points = 8
why = "let neighbouring threads use neighbouring elements"
[[parts.counters]]
suite = "SumBCounted"
counter = "global_store_sectors"
at_most = 100
points = 2
why = "write each element once"
"""
PARALLELISM = """
[parts.parallelism]
suite = "SumATiming"
points = 8
full = 2.2
zero = 1.2
budget_s = 1
"""
GOOD = "// fake: uses pthread_create\n"


def make_kit(
    folder: Path,
    *,
    lab: str = "fake_sum",
    races: bool = True,
    memory: bool = False,
    counters: bool = False,
    parallelism: bool = False,
    gpu: bool = False,
) -> Path:
    """Writes the kit and returns its folder."""
    counters = counters or gpu
    text = counted_lab() if counters else parallel_lab() if parallelism else LAB
    kit = folder / f"{lab}_kit"
    include = kit / "public" / "include"
    for header in (f"labs/{lab}/sum.h", "common/lab/not_written.h", "common/lab/exports/exports.h"):
        path = include / header
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#pragma once\n", encoding="utf-8")
    names = {"tests": "student", "races": "student_races"} if races else {"tests": "student"}
    if memory:
        names["memory"] = "student_memory"
    if counters:
        names["counters"] = "student_counters"
    if gpu:
        names["gpu"] = "student_gpu"
    manifest: dict[str, Any] = {
        "schema": 1,
        "lab": lab,
        "file": "sum.cc",
        "model": "cuda" if counters else "cpu",
        "digest": "0" * 64,
        "builds": {
            build: {
                "steps": [
                    ["cc", "-E", "/submission/sum.cc", "-o", f"/out/{name}.ii"],
                    ["cc", "-x", "ir", "-c", f"/out/{name}.ii", "-o", f"/out/{name}.o"],
                    ["cc", "-shared", "-o", f"/out/{name}.so", f"/out/{name}.o"],
                ],
                "library": f"{name}.so",
                "worker": "public/worker",
            }
            for build, name in names.items()
        },
    }
    (kit / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (kit / "lab.toml").write_text(text, encoding="utf-8")
    for script in ("jail", "checker"):
        text = (_SCRIPTS / f"{script}.py").read_text(encoding="utf-8")
        (kit / script).write_text(f"#!{sys.executable} -SE\n{text}", encoding="utf-8")
        (kit / script).chmod(0o755)
    return kit


def counted_lab() -> str:
    """The lab with ten of its second part's points on counters; programs may start threads."""
    counted = LAB.replace('model = "cpu"', 'model = "cuda"')
    counted = counted.replace("forbidden =", 'allowed = ["pthread_create"]\nforbidden =')
    head, tail = counted.rsplit("points = 40", 1)
    return f"{head}points = 30{tail}{COUNTERS}"


def parallel_lab() -> str:
    """The lab with eight of its first part's points on parallelism."""
    first, second = LAB.replace("points = 20", "points = 12").rsplit("[[parts]]", 1)
    return f"{first}{PARALLELISM}[[parts]]{second}"


def log(kit: Path) -> list[str]:
    """One `MODE DIGEST` for each run of the checker so far."""
    path = kit / "log"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
