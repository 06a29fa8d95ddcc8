"""The database of results."""

from grader.store.results import Results
from grader.store.store import FILE_NAME, Store

__all__ = ["FILE_NAME", "Results", "Store"]
