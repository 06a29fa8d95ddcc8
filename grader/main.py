"""The grader's command line: bazel run //grader -- --help."""

from __future__ import annotations

import sys
from pathlib import Path

_ROOT = str(Path(__file__).parent.parent)
# Run as a plain script, Python puts this folder first, where `grader` itself is not found.
sys.path[0:1] = [_ROOT] if _ROOT not in sys.path[1:] else []

if __name__ == "__main__":
    from grader.cli.app import main

    sys.exit(main())
