"""The symbols of an object file that a hostile source may have shaped: bounded, never trusting."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path

MAX_OBJECT_BYTES = 256 << 20
MAX_SYMBOLS = 200_000
MAX_NAME = 4096

_HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMTAB = 2
_STRTAB = 3
_LOCAL = 0


class ObjectError(Exception):
    """Not an object file that a compiler writes."""


@dataclass(frozen=True)
class Symbols:
    """Names that are not local to the object, mangled."""

    defined: frozenset[str]
    undefined: frozenset[str]


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
    return _split(_slice(data, tables[0]), _slice(data, names))


def _slice(data: memoryview, section: tuple[int, ...]) -> memoryview:
    start, size = section[4], section[5]
    if start + size > len(data):
        raise ValueError("a section reaches past the end of the file")
    return data[start : start + size]


def _split(table: memoryview, names: memoryview) -> Symbols:
    if len(table) % _SYMBOL.size or len(table) // _SYMBOL.size > MAX_SYMBOLS:
        raise ValueError(f"a symbol table of {len(table)} bytes")
    pool = bytes(names)
    defined: set[str] = set()
    undefined: set[str] = set()
    for name, info, _, section, _, _ in _SYMBOL.iter_unpack(table):
        if info >> 4 == _LOCAL or name == 0:
            continue
        end = pool.index(b"\0", name, name + MAX_NAME)
        text = pool[name:end].decode("ascii", "backslashreplace")
        (defined if section else undefined).add(text)
    return Symbols(frozenset(defined), frozenset(undefined))
