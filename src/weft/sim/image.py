"""Module variables and parameters in memory: sizes, alignment, and the bytes of initialisers."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from weft.isa.types import TYPES
from weft.ptx.ast import Parameter, Variable
from weft.ptx.operands import Expression, Float, Integer, Symbol
from weft.ptx.values import Address, AddressByte, GenericAddress, Value, ValueList
from weft.sim.constants import float_word
from weft.sim.faults import SimulationError
from weft.sim.types import DTYPES


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
    value = variable.initializer if isinstance(variable, Variable) else None
    if value is None:
        return 0
    inner = 1
    for extent in variable.dims[1:]:
        inner *= extent
    return -(-sum(1 for _ in _leaves(value)) // inner)


def alignment_of(variable: Variable | Parameter) -> int:
    """Alignment in bytes: what is written, else that of the type."""
    return variable.align or _element_size(variable)


def _leaves(value: Value) -> Iterator[Value]:
    """The scalars of a value, in order."""
    return value.leaves() if isinstance(value, ValueList) else iter((value,))


def initial_bytes(variable: Variable, address_of: Callable[[str], int]) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """The bytes that an initialiser gives: listed values first, zeros after; nested braces fill whole rows.

    Raises SimulationError for one of more values than the variable has, which ptxas refuses.
    """
    size = size_of(variable)
    out = np.zeros(size, np.uint8)
    dtype = DTYPES[variable.type]
    for offset, item in _placed(variable.initializer, list(variable.dims)):
        if (offset + 1) * dtype.itemsize > size:
            hint = f"list {size // dtype.itemsize} at most"
            raise SimulationError(f"the initialiser of '{variable.name}' has too many values", hint=hint)
        bits = 8 * dtype.itemsize
        value = item if isinstance(item, Float) else _scalar(item, address_of)
        if dtype.kind == "f" or not isinstance(value, int):
            value = float_word(value, bits)
        data = (value & ((1 << bits) - 1)).to_bytes(dtype.itemsize, "little")
        start = offset * dtype.itemsize
        out[start : start + dtype.itemsize] = np.frombuffer(data, np.uint8)
    return out


def _placed(value: Value | None, dims: list[int]) -> Iterator[tuple[int, Value]]:
    """Element offsets and values of the items; braces of inner dimensions start at a row each."""
    if not isinstance(value, ValueList) or len(dims) < 2:
        yield from enumerate(() if value is None else _leaves(value))
        return
    inner = 1
    for extent in dims[1:]:
        inner *= extent
    for row, part in enumerate(value):
        for offset, item in _placed(part, dims[1:]):
            yield row * inner + offset, item


def _scalar(item: Value, address_of: Callable[[str], int]) -> int | float:
    """A number, or an address: `name`, `name+8`, `generic(name)`, `0xFF00(name)` (a byte of it)."""
    if isinstance(item, AddressByte):
        mask = item.mask.value
        return (_address(item.address, address_of) & mask) >> ((mask & -mask).bit_length() - 1)
    if isinstance(item, Symbol | GenericAddress):
        return _address(item, address_of)
    if not isinstance(item, Integer | Expression):
        raise TypeError(f"{item!r} is not a scalar")
    return item.value


def _symbol(address: Address) -> Symbol:
    return address.symbol if isinstance(address, GenericAddress) else address


def _address(address: Address, address_of: Callable[[str], int]) -> int:
    symbol = _symbol(address)
    return address_of(symbol.name) + symbol.offset
