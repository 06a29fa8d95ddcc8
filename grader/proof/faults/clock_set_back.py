"""Runs the grader with a wall clock that goes back by a day after SECONDS.

    python3 clock_set_back.py SECONDS grade …

Only this process sees it, because a test must not set the machine's clock. The monotonic clock
never goes back and is not changed.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from typing import TypeVar

from grader.cli.app import main
from grader.judging.judge import grading

_DAY_S = 86_400
_start = time.monotonic()
_seconds = float(sys.argv[1])
_Number = TypeVar("_Number", int, float)


def _is_back() -> bool:
    return time.monotonic() - _start > _seconds


def _set_back(clock: Callable[[], _Number], day: _Number) -> Callable[[], _Number]:
    return lambda: clock() - day if _is_back() else clock()


class _Datetime(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> _Datetime:
        now = super().now(tz)
        return now - timedelta(days=1) if _is_back() else now


if __name__ == "__main__":
    time.time = _set_back(time.time, _DAY_S)
    time.time_ns = _set_back(time.time_ns, _DAY_S * 1_000_000_000)
    vars(grading)["datetime"] = _Datetime
    sys.exit(main(sys.argv[2:]))
