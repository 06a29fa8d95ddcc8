"""Runs a symbolizer on addresses in a submission's library."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.judging.judge.context import GradingContext
from grader.model.errors import JudgeError
from grader.sandbox.run_in_jail import Bounds, run_in_jail

_BOUNDS = Bounds(wall_s=10, memory_mb=1024, output_kb=1024)
_LIBRARY = "/library.so"


def run_symbolizer(
    context: GradingContext,
    tool: str,
    options: Sequence[str],
    library: Path,
    questions: Iterable[str],
    folder: Path,
) -> str:
    """The tool's output. It runs in a jail, because the student controls the library's contents.

    Empty if the jail fails: the verdict is then reported without line numbers.
    """
    try:
        outcome = run_in_jail(
            context.processes,
            context.kit.jail,
            [tool, *options, _LIBRARY, *questions],
            _BOUNDS,
            result=folder / "symbols.json",
            read_only={library: _LIBRARY},
            writable={},
            unjailed=context.kit.unjailed,
        )
    except JudgeError:
        return ""
    return outcome.output
