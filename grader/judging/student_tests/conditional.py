"""Programs whose fault shows with some inputs only: conditional_fault.cc says with which.

Tests that try few sizes and values miss them, whichever the lab.
"""

import subprocess
import tempfile
from pathlib import Path

from grader.judging.kit.assemble import here, run_steps
from grader.judging.student_tests.bench import Bench

CONDITIONS = 10
_TABLE = "/kit/lib/exports.o"


class ConditionalFaults:
    """Of one right program, which is compiled once."""

    def __init__(self, bench: Bench, right: bytes, wrapper: Path) -> None:
        self._bench = bench
        self._out = Path(tempfile.mkdtemp(dir=bench.folder))
        (self._out / bench.file).write_bytes(right)
        self._places = {"/kit": bench.of_lab, "/submission": self._out, "/out": self._out}
        run_steps("the reference", bench.steps[:-1], self._places)
        table = here(_TABLE, self._places)
        renamed = ["--redefine-sym", "LabExports=RightExports", table, f"{self._out}/table.o"]
        public = bench.kit / "public"
        includes = [f"-I{public / 'include'}", "-isystem", f"{public / 'simulator'}"]
        compiled = ["-std=c++20", "-O1", "-fPIC", *includes, "-c", str(wrapper)]
        run_steps(
            "conditional faults",
            [["objcopy", *renamed], ["g++", *compiled, "-o", f"{self._out}/wrapper.o"]],
            {},
        )

    def build(self, function: str, condition: int) -> str:
        """The name of the library in the kit."""
        chosen = self._out / f"{function}_{condition}"
        text = (
            f'const char kFaultyFunction[] = "{function}";\nconst int kCondition = {condition};\n'
        )
        command = ["gcc", "-fPIC", "-x", "c", "-c", "-", "-o", f"{chosen}.o"]
        subprocess.run(command, input=text.encode(), check=True)
        objects = [f"{self._out}/table.o", f"{self._out}/wrapper.o", f"{chosen}.o"]
        link = [word for each in self._bench.steps[-1] for word in self._replaced(each, objects)]
        library = f"/out/{self._bench.library}"
        link = [f"{chosen}.so" if word == library else word for word in link]
        run_steps("conditional faults", [link], self._places)
        return self._bench.keep(Path(f"{chosen}.so"), text.encode())

    @staticmethod
    def _replaced(word: str, objects: list[str]) -> list[str]:
        return objects if word == _TABLE else [word]
