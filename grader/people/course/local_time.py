"""Local times of a course's time zone, where a day may have 23 or 25 hours.

A time is written as students read it on a clock and compared as an instant. Twice a year a local
time does not exist, or exists twice (PEP 495).
"""

from datetime import UTC, datetime, timedelta, tzinfo

HOUR = timedelta(hours=1)


def instants(local: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    """The earlier and the later instant (UTC) that a local time may mean; usually the same."""
    bare = local.replace(tzinfo=zone)
    first, second = sorted(bare.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    return first, second


def exists(local: datetime, zone: tzinfo) -> bool:
    """False in the hour that is left out when the clocks go forward."""
    first, _ = instants(local, zone)
    return first.astimezone(zone).replace(tzinfo=None) == local


def days_after(deadline: datetime, days: int, zone: tzinfo) -> datetime:
    """The instant (UTC) at which clocks show the deadline's time, `days` calendar days later.

    Of two such instants the later one. Where clocks skip that time, as many seconds after it.
    """
    if days == 0:
        return deadline
    local = deadline.astimezone(zone).replace(tzinfo=None, fold=0)
    return instants(local + timedelta(days=days), zone)[1]


def days_begun(deadline: datetime, at: datetime, zone: tzinfo) -> int:
    """Calendar days begun after the deadline; 0 up to the last second of the deadline."""
    at = at.replace(microsecond=0)
    days = max(0, (at - deadline).days - 1)
    while at > days_after(deadline, days, zone):
        days += 1
    return days


def hours_begun(start: datetime, at: datetime) -> int:
    """Hours of 60 minutes begun after `start`, on whatever clock."""
    seconds = int((at.replace(microsecond=0) - start).total_seconds())
    return max(0, -(-seconds // 3600))


def seconds_late(deadline: datetime, at: datetime) -> int:
    """Whole seconds after the deadline; 0 if in time."""
    return max(0, int((at.replace(microsecond=0) - deadline).total_seconds()))


def span_text(seconds: int) -> str:
    """A span in its two largest units: `3 d 2 h`, `5 min 1 s`."""
    units = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))
    parts: list[tuple[int, str]] = []
    for name, size in units:
        parts.append((seconds // size, name))
        seconds %= size
    first = next((place for place, (count, _) in enumerate(parts) if count), len(parts) - 1)
    shown = [f"{count} {name}" for count, name in parts[first : first + 2] if count]
    return " ".join(shown) or "0 s"


def time_text(at: datetime, zone: tzinfo) -> str:
    """An instant as the course's clocks show it: `2026-10-25 02:30:00 CEST`."""
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M:%S %Z}"
