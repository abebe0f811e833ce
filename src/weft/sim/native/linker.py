"""Links objects into memory where they can run: what LLVM writes for functions of ours, on Linux and x86-64.

Code that was compiled by an earlier process runs without LLVM, whose library takes 40 ms and 50 MB to load.  Objects
that hold anything else than what is known here are left to LLVM's own linker.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import struct
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

# ELF-64 object files: https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html; relocations: the x86-64 psABI.
_IDENTITY = b"\x7fELF\x02\x01\x01"
_RELOCATABLE, _X86_64 = 1, 62
_HEADER, _SECTION = struct.Struct("<16x2H20xQ10x3H"), struct.Struct("<2I4Q2I2Q")
_SYMBOL, _RELOCATION = struct.Struct("<IBBHQQ"), struct.Struct("<QQq")
_PROGBITS, _SYMTAB, _RELA = 1, 2, 4
_WRITABLE, _ALLOCATED, _EXECUTABLE = 1, 2, 4
_UNDEFINED, _LOCAL = 0, 0
_ABSOLUTE, _PC32, _PLT32 = 1, 2, 4
_UNWINDING, _FIXED = ".eh_frame", ".data.rel.ro"
"""Sections that are not needed, and that are only read once they are linked."""


class _Section(NamedTuple):
    """A section header; `at` and `size` say where its bytes lie in the object."""

    name: int
    type: int
    flags: int
    address: int
    at: int
    size: int
    link: int
    info: int
    align: int
    entry: int


class _Unknown(Exception):
    """An object holds something that this linker does not know."""


class _Object:
    """The parts of an object that are loaded, and where they have come to lie."""

    def __init__(self, data: bytes) -> None:
        if not data.startswith(_IDENTITY):
            raise _Unknown
        words: tuple[int, ...] = _HEADER.unpack_from(data)
        kind, machine, at, entry, count, names = words
        if (kind, machine, entry) != (_RELOCATABLE, _X86_64, _SECTION.size):
            raise _Unknown
        self.data = data
        self.sections: list[_Section] = [_Section(*_SECTION.unpack_from(data, at + entry * n)) for n in range(count)]
        titles: list[str] = [self._text(self.sections[names], one.name) for one in self.sections]
        self.loaded: dict[int, _Section] = {}
        for number, (one, title) in enumerate(zip(self.sections, titles, strict=True)):
            if not one.flags & _ALLOCATED or title == _UNWINDING:
                continue
            self.loaded[number] = one
            fixed = title.startswith(_FIXED)
            if one.type != _PROGBITS or (one.flags & _WRITABLE and not fixed):
                raise _Unknown
        self.places: dict[int, int] = {}
        table = next((one for one in self.sections if one.type == _SYMTAB), None)
        if table is None:
            raise _Unknown
        each = range(table.at, table.at + table.size, _SYMBOL.size)
        lines = (_SYMBOL.unpack_from(data, place) for place in each)
        strings = self.sections[table.link]
        self.symbols: list[tuple[str, int, int, int]] = [
            (self._text(strings, name), info >> 4, home, value) for name, info, _, home, value, _ in lines
        ]

    def _text(self, strings: _Section, offset: int) -> str:
        first = strings.at + offset
        return self.data[first : self.data.index(0, first)].decode()

    def exported(self) -> dict[str, int]:
        """Where the functions lie that others may call."""
        return {
            name: self.places[home] + value
            for name, binding, home, value in self.symbols
            if binding != _LOCAL and home in self.places
        }

    def address(self, symbol: int, others: dict[str, int]) -> int:
        """Where a symbol lies."""
        name, _, home, value = self.symbols[symbol]
        if home in self.places:
            return self.places[home] + value
        if home != _UNDEFINED or name not in others:
            raise _Unknown
        return others[name]

    def relocations(self) -> list[tuple[int, int, int, int]]:
        """What is to be filled in: the kind, where, for which symbol, and what is added to its address."""
        found: list[tuple[int, int, int, int]] = []
        for table in self.sections:
            if table.type != _RELA or table.info not in self.places:
                continue
            for place in range(table.at, table.at + table.size, _RELOCATION.size):
                offset, info, addend = _RELOCATION.unpack_from(self.data, place)
                found.append((info & 0xFFFF_FFFF, self.places[table.info] + offset, info >> 32, addend))
        return found


class Image:
    """Objects in memory that can be executed; they lie there as long as this lives."""

    def __init__(self, memory: mmap.mmap, functions: dict[str, int]) -> None:
        self._memory = memory
        self._functions = functions

    def __getitem__(self, name: str) -> int:
        """The address of a function."""
        return self._functions[name]


def known() -> bool:
    """Whether this linker knows the system and the processor."""
    return _protect() is not None


def link(parts: Sequence[bytes]) -> Image | None:
    """Objects, of which the first may call functions of the others; None where only LLVM's linker can do it."""
    if not known():
        return None
    try:
        return _linked([_Object(part) for part in parts])
    except (_Unknown, OSError):
        return None


def _linked(objects: list[_Object]) -> Image:
    """Objects laid out: data that is only read, then, on pages of its own, code."""
    size = begins = 0
    for executable in (0, _EXECUTABLE):
        if executable:
            size = begins = -(-size // mmap.PAGESIZE) * mmap.PAGESIZE
        for one in objects:
            for number, section in one.loaded.items():
                if section.flags & _EXECUTABLE == executable:
                    size = -(-size // max(section.align, 1)) * max(section.align, 1)
                    one.places[number] = size
                    size += section.size
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    memory = mmap.mmap(-1, max(size, 1), flags=flags, prot=mmap.PROT_READ | mmap.PROT_WRITE)
    for one in objects:
        for number, place in one.places.items():
            section = one.sections[number]
            memory[place : place + section.size] = one.data[section.at : section.at + section.size]
    functions = {name: place for one in objects for name, place in one.exported().items()}
    base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for one in objects:
        for kind, place, symbol, addend in one.relocations():
            value = one.address(symbol, functions) + addend
            if kind == _ABSOLUTE:
                struct.pack_into("<Q", memory, place, base + value)
            elif kind in (_PC32, _PLT32):
                struct.pack_into("<i", memory, place, value - place)
            else:
                raise _Unknown
    _seal(base, begins, mmap.PROT_READ)
    _seal(base + begins, size - begins, mmap.PROT_READ | mmap.PROT_EXEC)
    return Image(memory, {name: base + place for name, place in functions.items()})


def _seal(address: int, size: int, access: int) -> None:
    """Let memory be only read, or executed."""
    protect = _protect()
    if size and protect is not None and protect(address, size, access):
        raise OSError(ctypes.get_errno(), "mprotect")


@cache
def _protect() -> Any:
    """The function of the system that does so; None on systems and processors that this linker does not know."""
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        return None
    found = ctypes.CDLL(None, use_errno=True).mprotect
    found.argtypes = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    return found
