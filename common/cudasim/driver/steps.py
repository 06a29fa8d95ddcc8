"""The build steps: preprocess, rewrite, compile, link."""

from __future__ import annotations

import platform
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from .errors import CommandError, DriverError, note
from .hints import hint
from .options import Options
from .toolchain import Toolchain

_WARNINGS = {"-Wall", "-Wextra"}


@dataclass(frozen=True)
class Builder:
    """Runs the steps of one command line in `environment`; `scratch` is an empty folder."""

    tools: Toolchain
    options: Options
    scratch: Path
    environment: dict[str, str]

    def object_of(self, index: int, source: str, kind: str, target: Path | None = None) -> Path:
        """Compiles one source. Raises CommandError."""
        made = target or self.scratch / f"{index}.o"
        if kind == "cuda":
            self._compile_cuda(index, source, made)
        else:
            self._run([*self._host_command(kind), "-c", source, "-o", str(made)])
        return made

    def preprocess(self, source: str, kind: str) -> None:
        """Preprocesses to the output of -o, or to stdout."""
        where = ["-o", self.options.output] if self.options.output else []
        if kind == "cuda":
            self._run([*self._preprocessor(), source, *where])
        else:
            self._run([*self._host_command(kind), "-E", source, *where])

    def link(self, objects: list[Path], output: str) -> None:
        """Links with the runtime of the mode. Raises CommandError."""
        flags = self.tools.flags
        shared = ["-shared"] if self.options.action == "shared" else []
        self._run(
            [
                self.tools.compiler,
                *flags.link,
                *shared,
                *map(str, objects),
                *self.options.linker,
                "-Wl,--start-group",  # the runtime and the library of its mode call each other
                *map(str, self.tools.archives(self.options.mode)),
                "-Wl,--end-group",
                *flags.libraries,
                "-o",
                output,
            ]
        )

    def _compile_cuda(self, index: int, source: str, made: Path) -> None:
        text, rewritten = (self.scratch / f"{index}{suffix}" for suffix in (".ii", ".sim.ii"))
        # Dependency files name the object, not the preprocessed file.
        target = [] if "-MT" in self.options.preprocessor else ["-MT", str(made)]
        makes_dependencies = any(flag in self.options.preprocessor for flag in ("-MD", "-MMD"))
        if makes_dependencies and "-MF" not in self.options.preprocessor:
            target += ["-MF", str(made.with_suffix(".d"))]
        dependencies = target if makes_dependencies else []
        self._run([*self._preprocessor(), *dependencies, source, "-o", str(text)])
        linkage = ["--one-file"] if self.options.whole_program else []
        self._run([str(self.tools.rewriter), *linkage, str(text), str(rewritten)])
        self._run([*self._cuda_command(), "-c", str(rewritten), "-o", str(made)])

    def _preprocessor(self) -> list[str]:
        flags = self.tools.flags
        return [
            self.tools.compiler,
            *flags.preprocess,
            *flags.define[self.options.mode],
            *self.options.preprocessor,
            "-isystem",
            str(self.tools.include),
        ]

    def _cuda_command(self) -> list[str]:
        """The labs' command, with the user's warning options in place of the labs'."""
        mode = self.options.mode
        flags = self.tools.flags
        kept = [flag for flag in flags.compile[mode] if flag not in _WARNINGS]
        if platform.machine() == "x86_64":
            kept += flags.x86_64[mode]
        # Check and profile mode rely on the optimisation level of their own flags.
        optimisation = self.options.optimisation if mode == "plain" else []
        return [
            str(self.tools.compile),
            self.tools.compiler,
            *kept,
            *optimisation,
            "-Wno-volatile",  # a warning of C++20, which is not nvcc's default standard
            *(self.options.warnings or ["-Wno-attributes"]),
            *self.options.compiler,
        ]

    def _host_command(self, kind: str) -> list[str]:
        standard = self.options.standard
        language = ["-x", "c"] if kind == "c" else ["-x", "c++"]
        if standard and kind == "c++":
            language.append("-std=" + standard)
        return [
            self.tools.compiler,
            *language,
            "-g",
            "-fPIC",
            "-pthread",
            *self.options.preprocessor,
            "-isystem",
            str(self.tools.include),
            *self.options.optimisation,
            *self.options.warnings,
            *self.options.compiler,
        ]

    def _run(self, command: list[str]) -> None:
        if self.options.verbose:
            print(shlex.join(command), file=sys.stderr)
        environment = {**self.environment, "LC_ALL": "C"}  # hints match English messages
        try:
            done = subprocess.run(
                command,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                env=environment,
                check=False,
            )
        except OSError as error:
            raise DriverError(
                f"cannot run: {command[0]}: {error}", "check the installation"
            ) from error
        sys.stderr.write(done.stderr)
        if done.returncode == 0:
            return
        advice = hint(done.stderr)
        if advice:
            print(f"  next: {advice}", file=sys.stderr)
        elif done.returncode < 0 and not re.search("error", done.stderr):
            note(f"{Path(command[0]).name} was ended by signal {-done.returncode}")
        raise CommandError
