"""cudasim-cc [-check|-profile] [-o PROGRAM] FILE... [OPTION]...

Builds CUDA C++ programs for the CPU simulator. Takes nvcc's options; those that only affect device
code have no effect, unknown ones are ignored with a note.

  -check      find races, wrong accesses and misuse; a finding ends the program with exit code 67
  -profile    count memory transactions, divergence and other costs on a GPU
  (neither)   run at full speed

Files: .cu .cuh (CUDA), .cpp .cc .cxx .c (host), .o .a .so (linked).
Options that matter: -o -c -dc -E -shared -x cu, -I -isystem -D -U -include, -l -L, -O*, -std=,
-rdc=true, -Xcompiler, -Xlinker, -w -Wall -Wextra, -MD -MMD -MF, -v (show the commands).
Environment: CXX names the compiler (g++ 12 or later).
"""

from __future__ import annotations

import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .errors import CommandError, DriverError
from .options import Options, parse
from .steps import Builder
from .toolchain import find_toolchain
from .toolkit import without_toolkit

ROOT = Path(__file__).resolve().parents[2]


def _check(options: Options) -> None:
    if not options.inputs:
        raise DriverError("no input files", "write cudasim-cc -o PROGRAM FILE.cu")
    sources = [path for path, kind in options.inputs if kind != "object"]
    if options.output and options.action in {"compile", "preprocess"} and len(sources) > 1:
        raise DriverError(
            f"-o {options.output} with {len(sources)} sources to compile, limit 1",
            "compile them one by one, or leave -o out",
        )
    if options.output and options.output in {path for path, _ in options.inputs}:
        raise DriverError(
            f"the output would overwrite an input: {options.output}", "choose another -o"
        )

    if options.output:
        _check_output(Path(options.output))


def _check_output(output: Path) -> None:
    folder = output.parent
    if output.is_dir():
        raise DriverError(f"the output is a folder: {output}", "write -o FOLDER/NAME")
    if not folder.is_dir():
        raise DriverError(f"no such folder: {folder}", f"mkdir -p {folder}, or choose another -o")


def _compile_all(builder: Builder) -> None:
    for index, (source, kind) in enumerate(builder.options.inputs):
        if kind != "object":
            target = Path(builder.options.output or Path(source).with_suffix(".o").name)
            builder.object_of(index, source, kind, target)


def _link_all(builder: Builder) -> None:
    sources = [
        (index, source, kind)
        for index, (source, kind) in enumerate(builder.options.inputs)
        if kind != "object"
    ]
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        objects = list(pool.map(lambda one: builder.object_of(*one), sources))
    builder.link(objects, builder.options.output or "a.out")


def _build(options: Options) -> None:
    _check(options)
    tools = find_toolchain(ROOT)
    tools.archives(options.mode)
    with tempfile.TemporaryDirectory(prefix="cudasim-") as scratch:
        builder = Builder(tools, options, Path(scratch), without_toolkit(os.environ))
        if options.action == "preprocess":
            for source, kind in options.inputs:
                builder.preprocess(source, kind)
        elif options.action == "compile":
            _compile_all(builder)
        else:
            _link_all(builder)


def main(arguments: list[str]) -> int:
    """The exit code: 0 success, 1 errors in the program, 2 in the command line or installation."""
    # `bazel run` starts in its own folder; paths are relative to the user's.
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    try:
        options = parse(arguments)
        if options.action == "help":
            print((__doc__ or "").rstrip())
        elif options.action == "version":
            print("cudasim-cc: CUDA C++ for the CPU simulator (runtime API 12.0)")
        else:
            _build(options)
    except DriverError as error:
        print(error, file=sys.stderr)
        return 2
    except CommandError:
        return 1
    return 0
