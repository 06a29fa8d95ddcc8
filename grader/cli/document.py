"""`--json`: one JSON document on standard output, everything else on standard error."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from typing import Any

SCHEMA = 1
"""Rises when a member of a command's document is removed or changes its meaning."""


@contextlib.contextmanager
def document(*, as_json: bool) -> Iterator[dict[str, Any]]:
    """Yields a dictionary that the command fills with facts: what pydantic can write as JSON.

    With as_json, whatever is printed meanwhile, by this program or one that it starts, goes to
    standard error, and the facts are printed at the end; after an exception nothing is.
    """
    facts: dict[str, Any] = {}
    if not as_json:
        yield facts
        return
    with _all_on_standard_error():
        yield facts
    print_document(facts)


def print_document(facts: dict[str, Any]) -> None:
    """Prints facts under the number of their schema, in ASCII: any locale can show it."""
    from pydantic_core import to_jsonable_python

    # NaN and infinity, which JSON does not have, become null.
    plain = to_jsonable_python({"schema": SCHEMA, **facts}, inf_nan_mode="null")
    print(json.dumps(plain, indent=2, allow_nan=False))


@contextlib.contextmanager
def _all_on_standard_error() -> Iterator[None]:
    sys.stdout.flush()
    aside = os.dup(1)
    try:
        os.dup2(2, 1)
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        sys.stderr.flush()
        os.dup2(aside, 1)
        os.close(aside)
