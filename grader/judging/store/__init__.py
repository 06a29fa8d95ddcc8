"""The database of results."""

from grader.judging.store.results import Results
from grader.judging.store.store import FILE_NAME, Store

__all__ = ["FILE_NAME", "Results", "Store"]
