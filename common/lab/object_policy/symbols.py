"""Reads the symbols of an untrusted object file, with limits on sizes and counts."""

import struct
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from common.lab.object_policy.reach import MAX_REFERENCES, Reach

MAX_OBJECT_BYTES = 256 << 20
MAX_SYMBOLS = 200_000
MAX_NAME = 4096

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_RELOCATION = struct.Struct("<QQq")
_SYMTAB = 2
_STRTAB = 3
_RELA = 4
_INIT_ARRAYS = (14, 16)
_IN_MEMORY = 2
_LOCAL = 0
_WEAK = 2
# In the name of the section of a function that runs a kernel's threads (cudasim/launch.h), which
# includes the kernel.
_RUNS_KERNEL = b"._ZN7cudasim10RunThreadsI"
_DATA = (1, 5, 6)  # variables, common and thread-local ones too


class ObjectError(Exception):
    """The file is not an object file as compilers write it."""


@dataclass(frozen=True)
class Symbols:
    """The mangled names of an object's global symbols."""

    defined: frozenset[str]
    undefined: frozenset[str]
    data: frozenset[str] = frozenset()
    """The variables among the defined symbols."""
    weak: frozenset[str] = frozenset()
    """Those undefined symbols that may stay undefined."""
    reach: Reach = field(default_factory=Reach)

    def used_by(self, function: str) -> frozenset[str]:
        """Undefined symbols that a function can reach; all of the object's if it is not found."""
        names = self.reach.names_from(function)
        return self.undefined if names is None else names


def read_symbols(path: Path) -> Symbols:
    """Reads a 64-bit little-endian ELF's symbol table; ObjectError if it is anything else."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_OBJECT_BYTES + 1)
    except OSError as error:
        raise ObjectError(f"cannot read {path.name}: {error.strerror}") from error
    if len(data) > MAX_OBJECT_BYTES:
        raise ObjectError(f"{path.name} is larger than {MAX_OBJECT_BYTES >> 20} MB")
    try:
        return _parse(memoryview(data))
    except (struct.error, IndexError, ValueError, OverflowError) as error:
        raise ObjectError(f"{path.name} is not a whole object file: {error}") from error


def _parse(data: memoryview) -> Symbols:
    header = _HEADER.unpack_from(data, 0)
    if bytes(header[0][:6]) != b"\x7fELF\x02\x01":
        raise ValueError("no 64-bit little-endian ELF header")
    offset, size, count = header[6], header[11], header[12]
    if size != _SECTION.size:
        raise ValueError(f"section headers of {size} bytes")
    sections = [_SECTION.unpack_from(data, offset + i * size) for i in range(count)]
    tables = [section for section in sections if section[1] == _SYMTAB]
    if len(tables) != 1:
        raise ValueError(f"{len(tables)} symbol tables")
    names = sections[tables[0][6]]
    if names[1] != _STRTAB:
        raise ValueError("symbol names outside a string table")
    entries = _entries(_slice(data, tables[0]), _slice(data, names))
    defined = {entry.name for entry in entries if entry.section and entry.is_shared}
    undefined = {entry.name for entry in entries if not entry.section and entry.is_shared}
    weak = {entry.name for entry in entries if not entry.section and entry.is_weak}
    titles = bytes(_slice(data, sections[header[13]]))
    kernels = [i for i, each in enumerate(sections) if _RUNS_KERNEL in _title(titles, each)]
    reach = _reach(data, sections, entries, kernels)
    variables = {entry.name for entry in entries if entry.is_data}
    return Symbols(
        frozenset(defined), frozenset(undefined), frozenset(variables), frozenset(weak), reach
    )


def _slice(data: memoryview, section: tuple[int, ...]) -> memoryview:
    start, size = section[4], section[5]
    if start + size > len(data):
        raise ValueError("a section reaches past the end of the file")
    return data[start : start + size]


def _title(titles: bytes, section: tuple[int, ...]) -> bytes:
    """A section's name."""
    return titles[section[0] : titles.index(b"\0", section[0], section[0] + MAX_NAME)]


@dataclass(frozen=True)
class _Entry:
    name: str
    is_shared: bool
    """Global and named."""
    is_data: bool
    is_weak: bool
    section: int
    """0 if it is defined in another object."""


def _entries(table: memoryview, names: memoryview) -> list[_Entry]:
    if len(table) % _SYMBOL.size or len(table) // _SYMBOL.size > MAX_SYMBOLS:
        raise ValueError(f"a symbol table of {len(table)} bytes")
    pool = bytes(names)
    entries = []
    for name, info, _, section, _, _ in _SYMBOL.iter_unpack(table):
        is_shared = info >> 4 != _LOCAL and name != 0
        end = pool.index(b"\0", name, name + MAX_NAME) if is_shared else name
        text = pool[name:end].decode("ascii", "backslashreplace")
        is_weak = info >> 4 == _WEAK
        entries.append(_Entry(text, is_shared, info & 0xF in _DATA, is_weak, section))
    return entries


def _reach(
    data: memoryview,
    sections: list[tuple[int, ...]],
    entries: list[_Entry],
    kernels: Iterable[int],
) -> Reach:
    initialisers = (i for i, section in enumerate(sections) if section[1] in _INIT_ARRAYS)
    reach = Reach(before_main=frozenset(initialisers), kernels=frozenset(kernels))
    for entry in entries:
        if entry.is_shared and entry.section:
            reach.homes.setdefault(entry.name, set()).add(entry.section)
    count = 0
    for section in sections:
        target = section[7]
        # Sections that are not loaded, such as debug information, refer to everything.
        if section[1] != _RELA or not sections[target][2] & _IN_MEMORY:
            continue
        relocations = _slice(data, section)
        count += len(relocations) // _RELOCATION.size
        if count > MAX_REFERENCES:
            raise ValueError(f"more than {MAX_REFERENCES} relocations")
        for _, info, _ in _RELOCATION.iter_unpack(relocations):
            entry = entries[info >> 32]
            reach.add(target, entry.section, entry.name)
    return reach
