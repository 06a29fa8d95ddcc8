"""A class's stored results as a sequence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, overload

from grader.model.result import Result

if TYPE_CHECKING:
    from grader.judging.store.store import Store


class Results(Sequence[Result]):
    """Stored results, read on access: a class's diagnostics are never all in memory."""

    def __init__(self, store: Store, texts: bool) -> None:
        self._store = store
        self._texts = texts
        self._students = store.students()

    def __len__(self) -> int:
        return len(self._students)

    def __iter__(self) -> Iterator[Result]:
        return self._store.stream(texts=self._texts)

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> list[Result]: ...
    def __getitem__(self, index: int | slice) -> Result | list[Result]:
        if isinstance(index, slice):
            return [self._store.load(s, texts=self._texts) for s in self._students[index]]
        return self._store.load(self._students[index], texts=self._texts)
