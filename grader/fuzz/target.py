"""What a Python fuzz target is."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass

Features = Iterable[Hashable]


@dataclass(frozen=True)
class Target:
    """A reader of a student's bytes, and how it may refuse them."""

    name: str
    check: Callable[[bytes], Features | None]
    """Reads the bytes and asserts what must hold whatever they are. May return features: what it
    saw, for the fuzzer to keep data with new ones. Lines of C, as in `re`, have no coverage."""
    refusals: tuple[type[Exception], ...] = ()
    """By which the reader refuses bytes. Any other exception is a finding."""
    longest: int = 4096
    """Bytes, of most data. Now and then repetition makes some of `huge`."""
    huge: int = 256 << 10
