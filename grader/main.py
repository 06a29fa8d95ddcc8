"""The grader's command line: bazel run //grader -- --help."""

import os
import signal
import sys
from pathlib import Path
from types import FrameType

_ROOT = str(Path(__file__).parent.parent)
# Run as a plain script, Python puts this folder first, where `grader` itself is not found.
sys.path[0:1] = [_ROOT] if _ROOT not in sys.path[1:] else []

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _end(_number: int, _frame: FrameType | None) -> None:
    os.write(2, b"interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    # A signal ends the program at once while it loads, and is ignored after its work is done.
    for number in _SIGNALS:
        signal.signal(number, _end)
    from grader.cli.app import main

    code = main()
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    sys.exit(code)
