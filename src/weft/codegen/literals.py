"""Literals that an instruction does not take: they go into registers.

Where a number is out of range, the program goes wrong when it comes there, if it does: it still compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from weft.codegen.graph import B16, B32, B64, Const
from weft.isa.compiled import OperandSpec
from weft.isa.form import Slots
from weft.isa.opcode import Opcode
from weft.isa.types import TYPES
from weft.ptx.signature import choose

_CLASSES = {16: B16, 32: B32, 64: B64}
_Place = tuple[tuple[OperandSpec, Slots], ...]
"""What an operand may be, in each form that an opcode can be."""

Register = Callable[[int | Const, str], Any]


def taken(opcode: Opcode, args: tuple[Any, ...], register: Register) -> tuple[Any, ...]:
    """Operands in PTX order with literals that the opcode does not take in registers, which `register` makes."""
    limited = _limited(opcode, len(args))
    if not limited:
        return args
    found = list(args)
    for index, place in limited:
        if type(found[index]) is int and not any(_takes(spec, slots, found[index]) for spec, slots in place):
            spec, slots = next(one for one in place if _is_limited(*one))
            found[index] = register(found[index], _CLASSES[TYPES[spec.type(slots)].bits])
    return tuple(found)


@lru_cache(maxsize=4096)
def _limited(opcode: Opcode, count: int) -> tuple[tuple[int, _Place], ...]:
    """The operands, of so many, that take registers of some width and not every integer, in one form at least."""
    forms = [(choose(v.compiled.operands, v.slots, count), v.slots) for v in opcode.variants]
    known = [(chosen, slots) for chosen, slots in forms if chosen is not None]
    if not known:
        return ()
    places = [tuple((chosen[index], slots) for chosen, slots in known) for index in range(count)]
    return tuple((index, place) for index, place in enumerate(places) if any(_is_limited(*one) for one in place))


def _is_limited(spec: OperandSpec, slots: Slots) -> bool:
    type_ = TYPES.get(spec.type(slots))
    if type_ is None or type_.kind not in "bus" or type_.bits not in _CLASSES:
        return False
    read = spec.kind == "register" and spec.arg.reg is not False and spec.arg.access == "r"
    return read and (not spec.arg.imm or spec.values(slots) is not None)


def _takes(spec: OperandSpec, slots: Slots, value: int) -> bool:
    values = spec.values(slots)
    return bool(spec.arg.imm) and (values is None or value in values)
