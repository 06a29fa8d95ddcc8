"""Random mutations of bytes, as in AFL and libFuzzer: several small ones at once."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

_NUMBERS = (0, 1, 16, 32, 64, 100, 127, 128, 255, 256, 512, 1000, 1024, 4096, 32767, 32768, 65535)
_LARGE = (65536, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1)
_MOST_CHANGES = 8


class Mutator:
    """Mutates data. The same random stream makes the same mutations."""

    def __init__(self, stream: random.Random, words: Sequence[bytes], longest: int) -> None:
        self._random = stream
        self._words = words
        self._longest = longest
        self._changes: list[Callable[[bytearray, bytes], None]] = []
        self._changes += [
            self._flip,
            self._set,
            self._insert,
            self._erase,
            self._repeat,
            self._move,
        ]
        self._changes += [self._number, self._digits, self._splice]
        self._changes += [self._word] * (4 if words else 0)

    def mutate(self, data: bytes, other: bytes) -> bytes:
        """`data` mutated, perhaps with a part of `other`; at most `longest` bytes."""
        changed = bytearray(data)
        for _ in range(self._random.randint(1, _MOST_CHANGES)):
            self._random.choice(self._changes)(changed, other)
        return bytes(changed[: self._longest])

    def blow_up(self, data: bytes, size: int) -> bytes:
        """`data` with one short piece of it repeated until there are `size` bytes."""
        start, end = self._range(data, 16)
        piece = data[start:end] or b"a"
        count = max(1, (size - len(data)) // len(piece))
        return (data[:start] + piece * count + data[start:])[:size]

    def _at(self, data: bytes | bytearray) -> int:
        return self._random.randint(0, len(data))

    def _range(self, data: bytes | bytearray, most: int) -> tuple[int, int]:
        start = self._at(data)
        return start, min(len(data), start + self._random.randint(1, most))

    def _flip(self, data: bytearray, _: bytes, /) -> None:
        if data:
            data[self._random.randrange(len(data))] ^= 1 << self._random.randrange(8)

    def _set(self, data: bytearray, _: bytes, /) -> None:
        if data:
            data[self._random.randrange(len(data))] = self._random.randrange(256)

    def _insert(self, data: bytearray, _: bytes, /) -> None:
        start = self._at(data)
        data[start:start] = self._random.randbytes(self._random.choice((1, 1, 2, 4)))

    def _erase(self, data: bytearray, _: bytes, /) -> None:
        start, end = self._range(data, self._random.choice((2, 16, 256)))
        del data[start:end]

    def _repeat(self, data: bytearray, _: bytes, /) -> None:
        start, end = self._range(data, 32)
        data[start:start] = data[start:end] * self._random.choice((1, 1, 2, 8, 40))

    def _move(self, data: bytearray, _: bytes, /) -> None:
        start, end = self._range(data, 64)
        piece = data[start:end]
        del data[start:end]
        at = self._at(data)
        data[at:at] = piece

    def _number(self, data: bytearray, _: bytes, /) -> None:
        size = self._random.choice((1, 2, 4, 8))
        value = self._random.choice(_NUMBERS + _LARGE) + self._random.randint(-1, 1)
        start = self._at(data)
        order = self._random.choice(("little", "little", "big"))
        new = (value % (1 << 8 * size)).to_bytes(size, "little" if order == "little" else "big")
        data[start : start + size] = new

    def _digits(self, data: bytearray, _: bytes, /) -> None:
        start = self._at(data)
        text = str(self._random.choice(_NUMBERS + _LARGE)).encode()
        data[start : start + self._random.choice((0, 1, len(text)))] = text

    def _splice(self, data: bytearray, other: bytes, /) -> None:
        start, end = self._range(other, max(1, len(other)))
        at, until = self._range(data, 64)
        data[at : self._random.choice((at, until))] = other[start:end]

    def _word(self, data: bytearray, _: bytes, /) -> None:
        start = self._at(data)
        word = self._random.choice(self._words)
        data[start : start + self._random.choice((0, 0, len(word)))] = word
