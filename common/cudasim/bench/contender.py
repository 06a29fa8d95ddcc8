"""The benchmarked programs, and the build of the same benchmark with HIP-CPU."""

from __future__ import annotations

import os
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Sample:
    """Times of one launch in milliseconds: elapsed time, and CPU time of all threads."""

    elapsed: float
    cpu: float


@dataclass
class Contender:
    """A running program; it launches the row that it reads and prints the times."""

    name: str
    program: Path
    rounds: int
    environment: dict[str, str] = field(default_factory=dict)
    samples: dict[str, list[Sample]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._process = subprocess.Popen(
            [self.program],
            env=os.environ | self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def measure(self, row: str) -> Sample:
        """Runs a row once. Raises SystemExit if its result is wrong."""
        process = self._process
        assert process.stdin
        assert process.stdout
        process.send_signal(signal.SIGCONT)
        print(row, file=process.stdin, flush=True)
        answer = process.stdout.readline()
        process.send_signal(signal.SIGSTOP)  # HIP-CPU's idle threads would keep a core busy
        try:
            elapsed, cpu = (int(part) / 1e6 for part in answer.split())
        except ValueError:
            raise SystemExit(f"error: {self.name}: {row}: {answer.strip() or 'ended'}") from None
        return Sample(elapsed, cpu)

    def stop(self) -> None:
        """Ends the program."""
        self._process.send_signal(signal.SIGCONT)
        self._process.communicate()


def build_hip(checkout: Path, folder: Path) -> Path:
    """Builds rows.cu with HIP-CPU, with the flags of its own CMake file and -O2."""
    program = folder / "rows_hip"
    command = ["g++", "-std=c++20", "-O2", "-fopenmp-simd", "-pthread", "-w", "-DBENCH_HIP"]
    command += ["-x", "c++", "-I", str(HERE.parents[2]), "-isystem", str(checkout / "include")]
    command += [str(HERE / "rows.cu"), "-o", str(program), "-ltbb", "-ldl"]
    done = subprocess.run(command, check=False)
    if done.returncode:
        raise SystemExit(
            f"error: HIP-CPU does not build: {checkout}\n"
            "  next: give a checkout of ROCm/HIP-CPU and install libtbb-dev"
        )
    return program
