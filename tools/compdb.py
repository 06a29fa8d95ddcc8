#!/usr/bin/env python3
"""Writes compile_commands.json for clangd and other editors' helpers; builds nothing.

    tools/compdb.py [BAZEL-OPTION]...       for example: tools/compdb.py --config=gpu

Build once before, so that generated headers exist. CUDA files are parsed as CUDA with the
simulator's headers in every mode, so that neither a toolkit nor a clang that supports it is needed.
With --config=gpu headers that only the toolkit has are found there.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

_QUERY = 'mnemonic("CppCompile|CudasimPreprocess|CudaCompile", //...)'
# clang does not know this option of g++.
_UNKNOWN = {"-fno-canonical-system-headers"}
_SIMULATOR = "common/cudasim/include"
# clang's CUDA mode, with the simulator's headers in place of a toolkit's.
_CUDA = [
    "clang++",
    *("-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version"),
    *("-Xclang", "-fcuda-allow-variadic-functions"),
    *("-std=c++20", "-pthread", "-D__CUDACC__", "-include", "cuda_runtime.h"),
]

# OpenCL's host code is C++, and its kernels a string.
_OPENCL = ["clang++", "-x", "c++", "-std=c++20", "-pthread"]

Entry = dict[str, Any]


def source_of(action: dict[str, Any]) -> str | None:
    """The file that an action compiles, unless it is generated or belongs to a library."""
    arguments: list[str] = action.get("arguments", [])
    for argument in arguments:
        outside = argument.startswith(("-", "/", "bazel-out/", "external/", "../"))
        if not outside and argument.endswith((".cc", ".cpp", ".cu", ".cxx")):
            return argument
    return None


def _folders(arguments: list[str]) -> list[str]:
    """The -I, -iquote and -isystem of a command; a toolkit's come after the simulator's."""
    found = ["-isystem", _SIMULATOR]
    for option, value in pairwise(arguments):
        if option in {"-I", "-iquote", "-isystem"} and value != _SIMULATOR:
            found += ["-idirafter" if "local_cuda" in value else option, value]
        elif option.startswith(("-I", "-D")) and len(option) > 2 and "CUDA" not in option:
            found.append(option)
    return found


def entry(root: str, source: str, arguments: list[str]) -> Entry:
    """One entry. Of a simulated file's command, which is not clang's, only the folders are kept."""
    if source.endswith((".cu", ".cxx")):
        clang = _CUDA if source.endswith(".cu") else _OPENCL
        kept = [*clang, *_folders(arguments), "-fsyntax-only", source]
    else:
        kept = [argument for argument in arguments if argument not in _UNKNOWN]
    return {"directory": root, "file": source, "arguments": kept}


def entries(root: str, actions: Iterable[dict[str, Any]]) -> list[Entry]:
    """One entry per source: the first action that compiles it."""
    found: dict[str, Entry] = {}
    for action in actions:
        source = source_of(action)
        if source and source not in found:
            found[source] = entry(root, source, action["arguments"])
    return [found[source] for source in sorted(found)]


def _bazel(*arguments: str) -> str:
    done = subprocess.run(["bazel", *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stderr.strip(), file=sys.stderr)
        print(f"error: bazel {arguments[0]} failed: exit code {done.returncode}", file=sys.stderr)
        print("  next: fix what it reports above", file=sys.stderr)
        sys.exit(1)
    return done.stdout


def _link_libraries(root: Path) -> None:
    """Headers of libraries are named external/…, so that folder must be there."""
    link = root / "external"
    if not link.is_symlink() and not link.exists():
        link.symlink_to(Path(_bazel("info", "output_base").strip()) / "external")


def main(options: list[str]) -> int:
    """Writes the file at the workspace's root and says how many entries it has."""
    if {"-h", "--help"} & set(options):
        print(__doc__.rstrip())
        return 0
    root = Path(_bazel("info", "workspace").strip())
    answer = json.loads(_bazel("aquery", *options, "--output=jsonproto", _QUERY))
    database = entries(str(root), answer.get("actions", []))
    _link_libraries(root)
    target = root / "compile_commands.json"
    target.write_text(json.dumps(database, indent=1) + "\n", encoding="utf-8")
    print(f"{target}: {len(database)} entries")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
