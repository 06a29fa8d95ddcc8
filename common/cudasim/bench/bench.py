"""Measures the simulator's speed: bazel run //common/cudasim/bench [-- ROUNDS].

Prints the CPU time of a launch in plain mode on one core, and how many times as long check mode and
profile mode take. The modes take turns, so that other load on the machine slows all of them.
"""

import os
import statistics
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

MODES = ("plain", "check", "profile")


def microseconds(mode: str) -> dict[str, tuple[float, str]]:
    """The least time of each kernel, and the sum of what it computed."""
    printed = subprocess.run(
        [Path(__file__).with_name(f"kernels_{mode}")],
        capture_output=True,
        check=True,
        env=os.environ | {"CUDASIM_THREADS": "1", "CUDASIM_PROFILE": os.devnull},
        text=True,
    ).stdout
    rows = (line.split(",") for line in printed.splitlines())
    return {name: (float(us), computed) for name, us, computed in rows}


def main(arguments: Sequence[str]) -> int:
    least: dict[str, dict[str, float]] = defaultdict(dict)
    sums: dict[str, set[str]] = defaultdict(set)
    for _ in range(int(arguments[0]) if arguments else 5):
        for mode in MODES:
            for name, (us, computed) in microseconds(mode).items():
                least[name][mode] = min(us, least[name].get(mode, us))
                sums[name].add(computed)
    print(f"{'kernel':18}{'plain, us':>12}{'check':>9}{'profile':>9}")
    for name, times in least.items():
        ratios = "".join(f"{times[mode] / times['plain']:9.1f}" for mode in MODES[1:])
        print(f"{name:18}{times['plain']:12,.0f}{ratios}")
    means = "".join(
        f"{statistics.geometric_mean(t[mode] / t['plain'] for t in least.values()):9.1f}"
        for mode in MODES[1:]
    )
    print(f"{'geometric mean':30}{means}")
    if wrong := [name for name, computed in sums.items() if len(computed) > 1]:
        print(f"error: results differ between the modes: {', '.join(wrong)}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
