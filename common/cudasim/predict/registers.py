"""How many registers threads have: what nvcc's assembler says, where there is a toolkit."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

_ENTRY = re.compile(r"Compiling entry function '(\S+)'")
_USED = re.compile(r"Used (\d+) registers")
_OPTIONS = ("-std=c++20", "-O3", "-gencode=arch=compute_90,code=sm_90")


def nvcc() -> str | None:
    """The compiler on PATH, or where toolkits install it; None if there is none."""
    return shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


def plain_name(demangled: str) -> str:
    """`Kernel` of `void space::Kernel<(int)3>(float*)`."""
    name = demangled.replace("(anonymous namespace)::", "")
    name = re.split(r"[<(]", name, maxsplit=1)[0]
    return re.split(r"[: ]", name)[-1]


def parsed(log: str) -> dict[str, list[int]]:
    """The registers of each mangled kernel name in the output of `nvcc -Xptxas -v`."""
    found: dict[str, list[int]] = {}
    name = ""
    for line in log.splitlines():
        if entry := _ENTRY.search(line):
            name = entry[1]
        elif name and (used := _USED.search(line)):
            found.setdefault(name, []).append(int(used[1]))
            name = ""
    return found


def registers_of(source: Path, includes: Sequence[str] = ()) -> dict[str, list[int]]:
    """Kernels' names, without namespaces and template arguments, with each version's registers.
    Empty without a toolkit; raises CalledProcessError if the file does not compile."""
    compiler = nvcc()
    if compiler is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        cubin = ["-cubin", "-Xptxas", "-v", "-o", f"{folder}/out.cubin"]
        command = [compiler, *_OPTIONS, *(f"-I{path}" for path in includes), *cubin, str(source)]
        log = subprocess.run(command, capture_output=True, check=True, text=True).stderr
    return named(log)


def named(log: str) -> dict[str, list[int]]:
    """The same from the compiler's output."""
    mangled = parsed(log)
    if not mangled:
        return {}
    names = subprocess.run(
        ["c++filt"], capture_output=True, check=True, input="\n".join(mangled), text=True
    ).stdout.splitlines()
    found: dict[str, list[int]] = {}
    for name, registers in zip(names, mangled.values(), strict=True):
        found.setdefault(plain_name(name), []).extend(registers)
    return {name: sorted(set(registers)) for name, registers in found.items()}
