"""`and`, `or`, `xor`, `not`, `cnot`, `lop3`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from weft.isa.form import Slots
from weft.sim.abstract import asarray
from weft.sim.lanes import Array
from weft.sim.semantics import Compute, alu


def _binary(operation: Any) -> Callable[[Slots], Compute]:
    return lambda slots: operation


alu("and")(_binary(np.bitwise_and))
alu("or")(_binary(np.bitwise_or))
alu("xor")(_binary(np.bitwise_xor))
alu("not")(_binary(np.bitwise_not))


@alu("cnot")
def cnot(slots: Slots) -> Compute:
    """`d = (a == 0) ? 1 : 0`."""
    return lambda a: np.equal(a, 0)


def lookup(a: Array, b: Array, c: Array, table: int) -> Array:
    """The logical function whose truth table is `table`, bit by bit."""
    result: Any = np.zeros((), asarray(a).dtype)
    for row in range(8):
        if table >> row & 1:
            term = a if row & 4 else ~a
            term = term & (b if row & 2 else ~b)
            result = result | (term & (c if row & 1 else ~c))
    return result


_COMMON: dict[int, Callable[[Any, Any, Any], Any]] = {
    0x80: lambda a, b, c: a & b & c,
    0xFE: lambda a, b, c: a | b | c,
    0x96: lambda a, b, c: a ^ b ^ c,
    0xC0: lambda a, b, c: a & b,
    0xFC: lambda a, b, c: a | b,
    0x3C: lambda a, b, c: a ^ b,
    0xEA: lambda a, b, c: (a & b) | c,
    0xF8: lambda a, b, c: a | (b & c),
    0xE8: lambda a, b, c: (a & b) | (c & (a | b)),
    0xCA: lambda a, b, c: (a & b) | (~a & c),
    0x6A: lambda a, b, c: (a & b) ^ c,
    0x78: lambda a, b, c: a ^ (b & c),
}


@alu("lop3")
def lop3(slots: Slots) -> Compute:
    """A logical function of three words; with a boolop also its zero test joined with a predicate."""
    boolop = slots.get("boolop")

    def run(a: Array, b: Array, c: Array, table: Any, q: Any = None) -> Any:
        number = int(table) & 0xFF
        common = _COMMON.get(number)
        d = common(a, b, c) if common else lookup(a, b, c, number)
        if not boolop:
            return d
        return d, (np.not_equal(d, 0) | q) if boolop == "or" else (np.not_equal(d, 0) & q)

    return run
