"""Module variables and parameters in memory: sizes, alignment, and the bytes of initialisers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np

from weft.isa.types import TYPES
from weft.ptx.ast import Parameter, Variable
from weft.ptx.constants import evaluate, literal
from weft.sim.types import DTYPES

_NAME = re.compile(r"(?<![\w$%.])[A-Za-z_$%][\w$]*")


def _element_size(variable: Variable | Parameter) -> int:
    lanes = int(variable.vector[1:]) if variable.vector else 1
    return TYPES[variable.type].bytes * lanes


def size_of(variable: Variable | Parameter) -> int:
    """Bytes of a variable; an unsized array counts what its initialiser lists."""
    count = 1
    for extent in variable.dims:
        count *= extent if extent >= 0 else _listed(variable)
    return count * _element_size(variable)


def _listed(variable: Variable | Parameter) -> int:
    text = variable.initializer if isinstance(variable, Variable) else ""
    if not text:
        return 0
    inner = 1
    for extent in variable.dims[1:]:
        inner *= extent
    return -(-sum(1 for _ in _leaves(text)) // inner)


def alignment_of(variable: Variable | Parameter) -> int:
    """Alignment in bytes: what is written, else that of the type."""
    return variable.align or _element_size(variable)


def names_in(initializer: str) -> Iterator[str]:
    """The names of variables and functions that an initialiser mentions."""
    for match in _NAME.finditer(initializer):
        if match.group() != "generic":
            yield match.group()


def _leaves(text: str) -> Iterator[str]:
    """The scalar items of a braced list, in order."""
    depth, item = 0, ""
    for character in text:
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        if depth == 0 and character in "{},":
            if item.strip():
                yield item.strip()
            item = ""
        else:
            item += character
    if item.strip():
        yield item.strip()


_MASKED = re.compile(r"(0[xX][0-9a-fA-F]+|\d+)[uU]?\s*\((.*)\)$", re.DOTALL)


def initial_bytes(variable: Variable, address_of: Callable[[str], int]) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """The bytes that an initialiser gives: listed values first, zeros after; nested braces fill whole rows."""
    size = size_of(variable)
    out = np.zeros(size, np.uint8)
    dtype = DTYPES[variable.type]
    for offset, item in _placed(variable.initializer.strip(), list(variable.dims)):
        value = _scalar(item, dtype.kind == "f", address_of)
        if isinstance(value, int):
            word = value & ((1 << 8 * dtype.itemsize) - 1)
            data = word.to_bytes(dtype.itemsize, "little")
        else:
            data = np.array(value).astype(dtype).tobytes()
        start = offset * dtype.itemsize
        out[start : start + dtype.itemsize] = np.frombuffer(data, np.uint8)
    return out


def _placed(text: str, dims: list[int]) -> Iterator[tuple[int, str]]:
    """Element offsets and texts of the items; braces of inner dimensions start at a row each."""
    if not text.startswith("{") or len(dims) < 2:
        yield from enumerate(_leaves(text))
        return
    inner = 1
    for extent in dims[1:]:
        inner *= extent
    for row, part in enumerate(_rows(text)):
        for offset, item in _placed(part, dims[1:]):
            yield row * inner + offset, item


def _rows(text: str) -> Iterator[str]:
    depth, start = 0, 1
    for at, character in enumerate(text):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if (character == "," and depth == 1) or (character == "}" and depth == 0):
            if text[start:at].strip():
                yield text[start:at].strip()
            start = at + 1


def _scalar(item: str, floating: bool, address_of: Callable[[str], int]) -> int | float | np.generic:
    """A number, or an address: `name`, `name+8`, `generic(name)`, `0xFF00(name)` (a byte of it)."""
    masked = _MASKED.match(item)
    if masked and masked[2].strip()[0] not in "0123456789":
        mask = int(masked[1], 0)
        return (_address(masked[2].strip(), address_of) & mask) >> ((mask & -mask).bit_length() - 1)
    if re.match(r"generic\s*\(|[A-Za-z_$%]", item):
        return _address(item, address_of)
    if item[:2].lower() == "0f":
        return np.uint32(int(item[2:], 16)).view(np.float32)
    if item[:2].lower() == "0d":
        return np.uint64(int(item[2:], 16)).view(np.float64)
    number = evaluate(item)
    return float(number) if floating else int(number)


def _address(item: str, address_of: Callable[[str], int]) -> int:
    inner = re.match(r"generic\s*\((.*)\)\s*(.*)$", item, re.DOTALL)
    text = inner[1] + inner[2] if inner else item
    name, _, offset = text.replace(" ", "").partition("+")
    return address_of(name) + (int(literal(offset).value) if offset else 0)
