"""What the driver says before it gives up, and what it leaves out."""

from __future__ import annotations

import sys


class DriverError(Exception):
    """Nothing more can be done. The message is complete: what, and the next step."""

    def __init__(self, message: str, next_step: str) -> None:
        super().__init__(f"error: {message}\n  next: {next_step}")


class CommandError(Exception):
    """A compiler or the rewriter failed, and has said why."""


def note(message: str) -> None:
    """Tells of something that was left out; the program is built all the same."""
    print(f"note: {message}", file=sys.stderr)
