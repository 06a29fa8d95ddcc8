"""Where results are kept."""

from grader.store.store import FILE_NAME, Results, Store

__all__ = ["FILE_NAME", "Results", "Store"]
