"""The symbols that a function of an object file can reach, by the references between sections.

With -ffunction-sections each function has a section of its own, and whatever it calls or takes the
address of is a relocation there. Functions that share a section reach what any of them reaches.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

MAX_REFERENCES = 2_000_000


@dataclass
class Reach:
    """References between sections, by number, and from sections to names of other objects."""

    homes: dict[str, set[int]] = field(default_factory=dict)
    """The sections that define each global name."""
    sections: dict[int, set[int]] = field(default_factory=dict)
    names: dict[int, set[str]] = field(default_factory=dict)
    before_main: frozenset[int] = frozenset()
    """Sections that list static initialisers: every function reaches these."""
    kernels: frozenset[int] = frozenset()
    """Sections of the functions by which the simulator runs kernels."""

    def add(self, source: int, target: int, name: str) -> None:
        """A reference from a section to another one or, where `target` is 0, to a name."""
        if target:
            self.sections.setdefault(source, set()).add(target)
        elif name:
            self.names.setdefault(source, set()).add(name)

    def names_from(self, function: str) -> frozenset[str] | None:
        """Names that a global C++ function can reach; None if the object has no such function."""
        reached = self._sections_from(function)
        return self._names_in(reached) if reached else None

    @cached_property
    def names_from_kernels(self) -> frozenset[str]:
        """Names that a kernel can reach; empty if the object has none."""
        return self._names_in(_closure(self.kernels, self.sections))

    def reaches(self, function: str, name: str) -> bool:
        """Whether a global C++ function can reach a name that the object defines."""
        return not self.homes.get(name, set()).isdisjoint(self._sections_from(function))

    def _names_in(self, sections: Iterable[int]) -> frozenset[str]:
        return frozenset(name for section in sections for name in self.names.get(section, ()))

    def _sections_from(self, function: str) -> frozenset[int]:
        """Empty if the object has no such function."""
        mangled = f"_Z{len(function)}{function}"
        homes = [home for name, home in self.homes.items() if name.startswith(mangled)]
        if not homes:
            return frozenset()
        return frozenset(_closure(set(self.before_main).union(*homes), self.sections))


def _closure(start: Iterable[int], edges: Mapping[int, Iterable[int]]) -> Iterator[int]:
    seen = set(start)
    waiting = list(seen)
    while waiting:
        section = waiting.pop()
        yield section
        new = set(edges.get(section, ())) - seen
        seen |= new
        waiting += new
