"""The database of results."""

from grader.store.store import FILE_NAME, Results, Store

__all__ = ["FILE_NAME", "Results", "Store"]
