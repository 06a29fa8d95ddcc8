"""A reader of a student's bytes, to be fuzzed."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """A reader, and the exceptions by which it refuses bytes."""

    name: str
    check: Callable[[bytes], object]
    """Reads the bytes and asserts what holds for any bytes."""
    refusals: tuple[type[Exception], ...] = ()
    """Exceptions by which the reader refuses bytes. Any other one is a finding."""
    format: str = ""
    """Its folder of `corpus` and its entry in words.py; by default the target's name."""
    longest: int = 4096
    """Most bytes of usual data; some data is repeated up to `huge` bytes."""
    huge: int = 256 << 10
