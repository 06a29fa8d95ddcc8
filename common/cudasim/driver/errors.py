"""The driver's errors and notes."""

from __future__ import annotations

import sys


class DriverError(Exception):
    """Ends the driver. The message has the error and the next step."""

    def __init__(self, message: str, next_step: str) -> None:
        super().__init__(f"error: {message}\n  next: {next_step}")


class CommandError(Exception):
    """A compiler or the rewriter failed and has printed the reason."""


def note(message: str) -> None:
    """Prints a note on an ignored option; the build goes on."""
    print(f"note: {message}", file=sys.stderr)
