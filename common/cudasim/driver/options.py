"""The command line of cudasim-cc: the options of nvcc that apply to a CPU."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from .errors import DriverError, note
from .spelling import (
    ALIASES,
    FLAGS_WITHOUT_MEANING,
    REFUSED,
    TOOLKIT_LIBRARIES,
    VALUES_WITHOUT_MEANING,
    WITH_VALUE,
)
from .text import require_text
from .toolkit import is_toolkit

MODES = ("plain", "check", "profile")
KINDS = {
    ".cu": "cuda",
    ".cuh": "cuda",
    ".c": "c",
    ".cc": "c++",
    ".cpp": "c++",
    ".cxx": "c++",
    ".C": "c++",
    ".c++": "c++",
    ".o": "object",
    ".obj": "object",
    ".a": "object",
    ".so": "object",
}


@dataclass
class Options:
    """The action, its inputs and the options of its tools."""

    inputs: list[tuple[str, str]] = field(default_factory=list)  # (path, kind)
    output: str | None = None
    mode: str = "plain"
    action: str = "link"  # or "compile", "preprocess", "shared", "help", "version"
    preprocessor: list[str] = field(default_factory=list)  # -I, -D, -include, -MD ...
    compiler: list[str] = field(default_factory=list)  # for every compilation
    linker: list[str] = field(default_factory=list)  # libraries, in the order given
    optimisation: list[str] = field(default_factory=list)  # plain mode only
    warnings: list[str] = field(default_factory=list)
    standard: str | None = None  # of host files
    whole_program: bool = True  # no -rdc=true
    verbose: bool = False


class _Parser:
    def __init__(self, arguments: list[str]) -> None:
        self.rest = list(arguments)
        self.options = Options()
        self.language: str | None = None

    def run(self) -> Options:
        while self.rest:
            argument = self.rest.pop(0)
            if argument.startswith("-") and argument != "-":
                self._option(argument)
            else:
                self._input(argument)
        return self.options

    def _input(self, path: str) -> None:
        if Path(path).is_dir():
            raise DriverError(f"is a folder: {path}", "name the files in it")
        suffix = Path(path).suffix
        kind = KINDS.get(suffix)
        if kind is None and ".so." in Path(path).name:
            kind = "object"
        if self.language and kind != "object":
            kind = self.language
        if kind is None:
            known = " ".join(sorted(KINDS))
            raise DriverError(
                f"unknown kind of file: {path}", f"use one of {known}, or -x cu in front of it"
            )
        if not Path(path).is_file():
            next_step = "check the path; it is relative to the current folder"
            raise DriverError(f"no such file: {path}", next_step)
        if kind != "object":
            require_text(path)
        self.options.inputs.append((path, kind))
        if kind == "object":
            self.options.linker.append(path)

    def _option(self, argument: str) -> None:
        name, value = self._split(argument)
        if name in REFUSED:
            raise DriverError(f"not simulated: {argument}: {REFUSED[name]}", "leave it out")
        if self._mode(name) or self._action(name):
            return
        if name in VALUES_WITHOUT_MEANING or name in FLAGS_WITHOUT_MEANING:
            return
        handler = getattr(self, "_on_" + name.lstrip("-").replace("-", "_"), None)
        if name in WITH_VALUE and handler:
            handler(value)
        elif not self._passed_on(name, argument):
            note(f"ignored, no option of the simulator: {argument}")

    def _split(self, argument: str) -> tuple[str, str]:
        """The option's short name, and its value: joined, after `=`, or the next argument."""
        name, equals, value = argument.partition("=")
        name = ALIASES.get(name, name)
        if name in WITH_VALUE or name in VALUES_WITHOUT_MEANING:
            return name, value if equals else self._next(argument)
        if name in FLAGS_WITHOUT_MEANING:  # -lineinfo is no library
            return name, value
        for short in ("-I", "-D", "-U", "-L", "-l", "-o", "-x"):
            if argument.startswith(short) and argument != short and not name.startswith("--"):
                return short, argument[len(short) :]
        return name, value

    def _next(self, option: str) -> str:
        if not self.rest:
            raise DriverError(f"no value after {option}", f"write {option} VALUE")
        return self.rest.pop(0)

    def _mode(self, name: str) -> bool:
        if name.lstrip("-") not in MODES or name == "--plain":
            return False
        self.options.mode = name.lstrip("-")
        return True

    def _action(self, name: str) -> bool:
        actions = {
            "-c": "compile",
            "-dc": "compile",
            "-dw": "compile",
            "-E": "preprocess",
            "-shared": "shared",
            "--help": "help",
            "--version": "version",
        }
        if name not in actions:
            return False
        self.options.action = actions[name]
        if name == "-dc":
            self.options.whole_program = False
        return True

    def _passed_on(self, name: str, argument: str) -> bool:
        """Handles options that mean the same to g++. False for any other option."""
        if name.startswith("-O"):
            self.options.optimisation.append("-O3" if name == "-Ofast-compile" else name)
        elif name in {"-Wall", "-Wextra", "-w"} or name.startswith(("-Wno-", "-Werror")):
            self.options.warnings.append(argument)
        elif name in {"-MD", "-MMD", "-MP", "-M", "-MM"}:
            self.options.preprocessor.append(name)
            if name in {"-M", "-MM"}:
                self.options.action = "preprocess"
        elif name in {"-fopenmp", "-pthread", "-fPIC", "-fpic", "-fPIE", "-static-libstdc++"}:
            self.options.compiler.append(name)
            self.options.linker.append(name)
        elif name in {"-v", "--dryrun"}:
            self.options.verbose = True
        elif name == "--use_fast_math":
            # The less precise intrinsics that it selects are not simulated.
            pass
        else:
            return False
        return True

    def _on_o(self, value: str) -> None:
        self.options.output = value

    def _on_x(self, value: str) -> None:
        languages = {"cu": "cuda", "c": "c", "c++": "c++", "none": None}
        if value not in languages:
            raise DriverError(f"unknown language: -x {value}", "write -x cu, -x c++ or -x c")
        self.language = languages[value]

    def _on_std(self, value: str) -> None:
        self.options.standard = value

    def _on_rdc(self, value: str) -> None:
        self.options.whole_program = value != "true"

    def _on_O(self, value: str) -> None:  # noqa: N802
        self.options.optimisation.append("-O" + value)

    def _on_I(self, value: str) -> None:  # noqa: N802
        self.options.preprocessor += [f"-I{folder}" for folder in _own_folders(value)]

    def _on_D(self, value: str) -> None:  # noqa: N802
        self.options.preprocessor.append("-D" + value)

    def _on_U(self, value: str) -> None:  # noqa: N802
        self.options.preprocessor.append("-U" + value)

    def _on_isystem(self, value: str) -> None:
        # As -I, because the rewriter skips system headers, and these may have kernels.
        self.options.preprocessor += [f"-I{folder}" for folder in _own_folders(value)]

    def _on_include(self, value: str) -> None:
        self.options.preprocessor += ["-include", value]

    def _on_MF(self, value: str) -> None:  # noqa: N802
        self.options.preprocessor += ["-MF", value]

    def _on_MT(self, value: str) -> None:  # noqa: N802
        self.options.preprocessor += ["-MT", value]

    def _on_MQ(self, value: str) -> None:  # noqa: N802
        self.options.preprocessor += ["-MQ", value]

    def _on_L(self, value: str) -> None:  # noqa: N802
        self.options.linker += [f"-L{folder}" for folder in value.split(",")]

    def _on_l(self, value: str) -> None:
        for library in value.split(","):
            reason = TOOLKIT_LIBRARIES.get(library)
            if reason is None:
                self.options.linker.append("-l" + library)
            elif reason:
                raise DriverError(
                    f"not simulated: -l{library}: {reason}", "use the runtime API alone"
                )

    def _on_Xcompiler(self, value: str) -> None:  # noqa: N802
        for flag in value.replace('"', "").replace(",", " ").split():
            if flag.startswith(("-I", "-D")):
                getattr(self, "_on_" + flag[1])(flag[2:])
            elif flag.startswith("-O"):
                self.options.optimisation.append(flag)
            elif flag.startswith("-W") and not flag.startswith("-Wl"):
                self.options.warnings.append(flag)
            elif flag.startswith(("-fopenmp", "-pthread", "-static", "-Wl")):
                self.options.compiler += [flag] if not flag.startswith("-Wl") else []
                self.options.linker.append(flag)
            else:
                self.options.compiler.append(flag)

    def _on_Werror(self, value: str) -> None:  # noqa: N802
        self.options.warnings += ["-Werror"] if "all-warnings" in value.split(",") else []

    def _on_Xlinker(self, value: str) -> None:  # noqa: N802
        for flag in filter(None, value.split(",")):
            self.options.linker += ["-Xlinker", flag]


def _own_folders(folders: str) -> list[str]:
    """The folders of a list without those of a CUDA toolkit, whose headers would shadow ours."""
    own = []
    for folder in folders.split(","):
        if is_toolkit(Path(folder)):
            note(f"ignored, headers of a CUDA toolkit: -I{folder}")
        else:
            own.append(folder)
    return own


def parse(arguments: list[str]) -> Options:
    """Parses a command line. Raises DriverError; prints a note for each ignored option."""
    return _Parser(arguments).run()
