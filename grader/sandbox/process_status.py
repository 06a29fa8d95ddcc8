"""What the kernel says of a process in /proc/PID/status."""

from collections.abc import Mapping
from pathlib import Path


def status_of(pid: int) -> dict[str, str]:
    """The fields by name; none when the process is gone."""
    try:
        text = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (s.partition(":") for s in text.splitlines())}


def has_signal(status: Mapping[str, str], signals: str, number: int) -> bool:
    """Whether the signal is in one of the status's sets of signals, such as "SigCgt"."""
    return bool(int(status.get(signals, "0"), 16) >> (number - 1) & 1)
