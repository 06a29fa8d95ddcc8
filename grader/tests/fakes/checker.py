"""Stands for the checker: the last lines of fake_kit.py's docstring say what it understands."""

import hashlib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

KIT = Path(sys.argv[0]).parent
CALL_S = 1.5
"""A worker that takes so much longer than it should meets its time limit."""


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
    **{"gpu": "made of paper", "gpu_copy_gb_s": "2000", "gpu_fp32_gflop_s": "60000"},
    **{"work_bytes": "1e9", "work_operations": "5e8"},
}


def main() -> int:
    options = dict(argument[2:].partition("=")[::2] for argument in sys.argv[1:])
    mode, source = options["mode"], Path(options["student"]).read_bytes()
    digest = hashlib.sha256(source).hexdigest()
    with (KIT / "log").open("a", encoding="utf-8") as log:
        log.write(f"{mode}{'_on_gpu' if 'gpu' in options else ''} {digest}\n")
    verdicts = {}
    profiles = {}
    teams = {}
    ended = ""
    for line in source.decode().splitlines():
        if not line.startswith("// fake: "):
            continue
        verb, *rest = line.removeprefix("// fake: ").split(" ")
        if verb == "sleep":
            subprocess.Popen(["/bin/sleep", "300"])
            time.sleep(float(rest[0]))
        elif verb == "worker":
            ended = worker(float(rest[0])) or ended
        elif verb == "killed" and attempts(digest) <= int(rest[0]):
            ended = "killed"
        elif verb == "broken" and attempts(digest) <= int(rest[0]):
            print("error: the machine is on fire", file=sys.stderr)
            return 3
        elif verb == mode:
            verdicts[rest[0]] = rest[1:]
        elif (
            verb == "undecided"
            and mode == "timing"
            and attempts(f"timing {digest}") <= int(rest[1])
        ):
            verdicts[rest[0]] = ["1.4", "2.0", "3.0", "undecided"]
        elif verb == "parallelism":
            teams[rest[0]] = rest[1:]
        elif verb == "profile":
            profiles[rest[0]] = " ".join(rest[1:])
    names = options["suites"].split(",")
    verdicts |= {name: [ended] for name in names} if ended else {}
    suites = [suite(name, mode, verdicts.get(name)) for name in names]
    if mode == "counters":
        for entry in suites:
            entry["testsuite"][0]["profile_0"] = profiles.get(entry["name"], GOOD_PROFILE)
    if "gpu" in options:
        for entry in suites:
            entry["testsuite"][0] |= ON_GPU
    if "parallelism" in options:
        name = options["parallelism"].split(":")[0]
        (test,) = next(entry["testsuite"] for entry in suites if entry["name"] == name)
        test |= team_run(teams.get(name, ["3.1", "3.25", "3.4", "full"]))
    report = {"tests": 1, "name": "AllTests", "testsuites": suites}
    Path(options["output"]).write_text(json.dumps(report), encoding="utf-8")
    return 0


def worker(seconds: float) -> str:
    """A process that takes so long; the verdict on how it ended, if it did not end well."""
    before = time.monotonic()
    code = subprocess.run(["/bin/sleep", str(seconds)], check=False).returncode
    if code == -signal.SIGKILL:
        return "killed"
    return "time_limit" if time.monotonic() - before > seconds + CALL_S else ""


def team_run(said: list[str]) -> dict[str, Any]:
    if len(said) == 1:
        cores = {"parallelism_team": "4", "parallelism_cores": said[0]}
        return cores | {"parallelism_waits": "uncounted"}
    low, value, high, decision = said
    figures = {
        **{"": value, "_low": low, "_high": high, "_decision": decision, "_rounds": "6"},
        **{"_team": "4", "_cores": "2", "_runnable": "3.9", "_inflation": "1.2"},
        **{"_balance": "1.1", "_measured": "1.8", "_alone_ms": "40"},
    }
    return {f"parallelism{name}": text for name, text in figures.items()}


def attempts(line: str) -> int:
    return (KIT / "log").read_text(encoding="utf-8").count(line)


def suite(name: str, mode: str, said: list[str] | None) -> dict[str, Any]:
    test: dict[str, object] = {"name": "Works", "status": "RUN", "result": "COMPLETED"}
    if mode == "timing" and (said is None or len(said) == 4):
        low, ratio, high, decision = said or ["0.9", "1.0", "1.1", "full"]
        test |= {"ratio": ratio, "ratio_low": low, "ratio_high": high, "pairs": "20"}
        test |= {"decision": decision, "student_ms": "2.5", "reference_ms": "2.5"}
    elif said and said[0] != "accepted":
        text = "\n".join(["hidden_test.cc:12", " ".join(said[1:]) or "expected 1, got 2"])
        test["failures"] = [{"failure": text, "type": ""}]
        if said[0] != "wrong_answer":
            test["verdict"] = said[0]
            test["findings"] = "cudasim: data_race: from /submission/sum.cc:7"
    return {"name": name, "testsuite": [test]}


sys.exit(main())
