"""Replaces the checker in tests; fake_kit.py's docstring lists the instructions.

Tests start it thousands of times: what it imports decides what it costs.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LOG = os.path.join(os.path.dirname(sys.argv[0]), "log")
CALL_S = 1.5
"""A worker that takes this much longer than expected exceeds its time limit."""


GOOD_PROFILE = json.dumps(
    {
        "schema": 1,
        "kernels": [
            {
                "kernel": "Sum",
                "launches": 1,
                "counters": {
                    **{"global_load_sectors": 8, "global_load_ideal_sectors": 8},
                    **{"global_store_sectors": 4, "global_store_ideal_sectors": 4},
                },
            }
        ],
    }
)


ON_GPU = {
    **{"name": "fake GPU", "copy_gb_s": 2000, "fp32_gflop_s": 60000},
    **{"bytes": 1e9, "operations": 5e8},
}


class Said:
    """What the submission's instructions ask for, by suite."""

    def __init__(self) -> None:
        self.verdicts: dict[str, list[str]] = {}
        self.profiles: dict[str, str] = {}
        self.teams: dict[str, list[str]] = {}
        self.disturbed: dict[str, float] = {}
        self.locked: list[str] = []


def main() -> int:
    options = dict(argument[2:].partition("=")[::2] for argument in sys.argv[1:])
    mode = options["mode"]
    with open(options["student"], "rb") as library:
        source = library.read()
    if os.path.splitext(options["student"])[0].endswith("_memory"):
        mode = "memory"
    digest = hashlib.sha256(source).hexdigest()
    place = "_on_gpu" if "gpu" in options else ""
    overlooks = any("report_mutex_bugs=0" in argument for argument in sys.argv)
    said_of = f"{options['suites']}{' but misuses' if overlooks else ''}"
    run = f"{mode}{place} {digest} {options['call-seconds']} {said_of}\n"
    with open(LOG, "a", encoding="utf-8") as log:
        log.write(run)
    said = Said()
    ended = ""
    is_timed = mode == "timing"
    for line in source.decode().splitlines():
        if not line.startswith("// fake: "):
            continue
        verb, *rest = line.removeprefix("// fake: ").split(" ")
        if verb == "sleep":
            os.spawnv(os.P_NOWAIT, "/bin/sleep", ["/bin/sleep", "300"])
            time.sleep(float(rest[0]))
        elif verb == "worker":
            ended = worker(float(rest[0])) or ended
        elif verb == "killed" and attempts(digest) <= int(rest[0]):
            ended = "killed"
        elif verb == "broken" and mode == "tests" and attempts(run) <= int(rest[0]):
            print("error: the fake checker failed", file=sys.stderr)
            return 3
        elif verb == mode:
            said.verdicts[rest[0]] = rest[1:]
        elif verb == "undecided" and is_timed and attempts(f"timing {digest}") <= int(rest[1]):
            said.verdicts[rest[0]] = ["1.4", "2.0", "3.0", "undecided"]
        elif verb == "disturbed" and is_timed and attempts(f"timing {digest}") <= int(rest[1]):
            said.verdicts[rest[0]] = ["4", "5", "6", "zero"]
            said.disturbed[rest[0]] = float(rest[2])
        elif verb == "locked":
            look = f"races {digest} {options['call-seconds']} {rest[0]}\n"
            is_seen = mode == "races" and attempts(look) > int(rest[1])
            said.verdicts[rest[0]] = ["deadlock" if is_seen else "time_limit"]
            said.locked.append(rest[0])
        elif verb == "misuse" and mode == "races":
            behind = rest[1] if attempts(run) > int(rest[2]) else "accepted"
            said.verdicts[rest[0]] = [behind if overlooks else "misuse"]
        elif verb == "parallelism":
            said.teams[rest[0]] = rest[1:]
        elif verb == "profile":
            said.profiles[rest[0]] = " ".join(rest[1:])
    report = {"schema": 1, "protections_lost": [], "cases": cases_of(options, mode, said, ended)}
    with open(options["output"], "w", encoding="utf-8") as file:
        json.dump(report, file)
    return 0


def cases_of(options: dict[str, str], mode: str, said: Said, ended: str) -> list[dict[str, Any]]:
    """One test of each suite; `ended` is how the worker died."""
    names = options["suites"].split(",")
    verdicts = {name: [ended] for name in names} if ended else said.verdicts
    cases = {name: case(name, mode, verdicts.get(name)) for name in names}
    for name, high in said.disturbed.items():
        cases[name]["timed"]["control"] = {"low": 0.4, "high": high, "decision": "undecided"}
    for name in said.locked:
        if name in cases:
            cases[name]["stacks"] = "pthread_mutex_lock 10\n? 20\npthread_mutex_lock 30"
    if mode == "counters":
        for name, test in cases.items():
            test["profiles"] = [said.profiles.get(name, GOOD_PROFILE)]
    if "gpu" in options:
        for test in cases.values():
            test["timed"]["device"] = ON_GPU
    if "parallelism" in options:
        name = options["parallelism"].split(":")[0]
        cases[name]["team_run"] = team_run(said.teams.get(name, ["3.1", "3.25", "3.4", "full"]))
    return list(cases.values())


def worker(seconds: float) -> str:
    """Runs a process for that long; returns the verdict if it failed, else an empty string."""
    before = time.monotonic()
    code = os.spawnv(os.P_WAIT, "/bin/sleep", ["/bin/sleep", str(seconds)])
    if code == -signal.SIGKILL:
        return "killed"
    return "time_limit" if time.monotonic() - before > seconds + CALL_S else ""


def team_run(said: list[str]) -> dict[str, Any]:
    run: dict[str, Any] = {"team": 4, "cores": 2, "waits_counted": True, "measured": None}
    if len(said) == 1:
        return run | {"cores": int(said[0]), "waits_counted": False}
    low, value, high, decision = said
    figures = {"low": float(low), "value": float(value), "high": float(high)}
    figures |= {"rounds": 6, "runnable": 3.9, "inflation": 1.2, "copies": 1, "balance": 1.1}
    figures |= {"shared_by": 3.7, "speedup": 1.8, "alone_ms": 40, "shortest_ms": 5}
    return run | {"measured": figures | {"decision": decision, "short_calls": False}}


def attempts(line: str) -> int:
    with open(LOG, encoding="utf-8") as log:
        return log.read().count(line)


def case(suite: str, mode: str, said: list[str] | None) -> dict[str, Any]:
    test: dict[str, Any] = {"suite": suite, "name": "Works", "verdict": "accepted", "message": ""}
    if mode == "timing" and (said is None or len(said) == 4):
        low, ratio, high, decision = said or ["0.9", "1.0", "1.1", "full"]
        figures = {"ratio": float(ratio), "low": float(low), "high": float(high), "pairs": 20}
        figures |= {"student_ms": 2.5, "reference_ms": 2.5, "shortest_ms": 1}
        test["timed"] = figures | {"decision": decision, "short_calls": False}
    elif said and said[0] == "misuse":
        kind = "unlock of an unlocked mutex (or by a wrong thread)"
        test["verdict"], test["stderr"] = (
            "runtime_error",
            f"WARNING: ThreadSanitizer: {kind} (pid=1)",
        )
    elif said and said[0] != "accepted":
        test["verdict"] = "runtime_error" if said[0] == "killed" else said[0]
        test["killed"] = said[0] == "killed"
        test["message"] = " ".join(said[1:]) or "expected 1, got 2"
        if said[0] != "wrong_answer":
            test["findings"] = (
                "cudasim: trap: kernel uses, /submission/sum.cc:1: __trap() ended the launch"
            )
    return test


sys.exit(main())
