"""counters_page.py: prints counters.md, the catalogue of counters as a page to read.

python3 -m common.cudasim.profile.counters_page > common/cudasim/counters.md
"""

from collections.abc import Mapping, Sequence
from typing import Any

from common.cudasim.catalogues import counters

_HEAD = """\
# Counters

What profile mode counts for each kernel: the names in its JSON, and those that a lab's `lab.toml`
may set thresholds on. `counters_page.py` generates this page from
[profile/counters.bzl](profile/counters.bzl).

Counts are summed over all launches; of other numbers the worst kernel's is taken. A quotient
divides two such sums. Some counters are of a whole call of the function, kernels and copies
together.

| Counter | What it is | Over several kernels | Not gradable because |
| --- | --- | --- | --- |
"""


def page() -> str:
    """The text of counters.md."""
    return _HEAD + "".join(map(_row, counters()))


def _row(entry: Mapping[str, Any]) -> str:
    cells = (f"`{entry['name']}`", entry["words"], _of_several(entry), _reason(entry))
    return f"| {' | '.join(cells)} |\n"


def _of_several(entry: Mapping[str, Any]) -> str:
    if "over" in entry:
        return f"{_sum(entry['over'])} / {_sum(entry['under'])}"
    if "value_of_call" in entry:
        return "the whole call's"
    return str(entry.get("worst", "each its own" if "is_word" in entry else "sum"))


def _sum(names: Sequence[str]) -> str:
    joined = " + ".join(f"`{name}`" for name in names)
    return f"({joined})" if len(names) > 1 else joined


def _reason(entry: Mapping[str, Any]) -> str:
    reason = "it is a word, not a number" if "is_word" in entry else ""
    return str(entry.get("not_gradable", reason))


if __name__ == "__main__":
    print(page(), end="")
