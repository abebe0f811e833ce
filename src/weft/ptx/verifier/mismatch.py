"""Why an operand does not fit its place in a signature."""

from __future__ import annotations

from typing import NamedTuple

from weft.dataclass import dataclass
from weft.errors import counted
from weft.isa.compiled import OperandSpec
from weft.isa.target import Window
from weft.ptx.operands import Element, Operand


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Why an operand does not fit: a code of `CODES`, a message, the offending text and a hint."""

    code: str
    message: str
    token: str = ""
    hint: str = ""
    rank: int = 0  # How far the match got: the best variant is the one that fails last.


class Fit(NamedTuple):
    """How operands fit an opcode: the windows of the forms that they fit, why they fit none, what is tolerated.

    `valued` says that values of literals were looked at.
    """

    windows: tuple[Window, ...]
    mismatch: Mismatch | None = None
    tolerated: tuple[Mismatch, ...] = ()
    valued: bool = False


def undeclared(name: str, code: str = "undeclared") -> Mismatch:
    """A name that is not declared: whatever else is wrong, this is said."""
    return Mismatch(code, f"'{name}' is not declared", name, rank=100)


def wrong_kind(spec: OperandSpec, operand: Operand, wanted: str) -> Mismatch:
    """An operand that is something else than what is wanted."""
    return Mismatch("operand-kind", f"operand {spec.name} must be {wanted}, found '{operand}'", str(operand))


def not_an_array(operand: Element) -> Mismatch:
    """An element of what has none."""
    return Mismatch(
        "operand-kind", f"'{operand.array}' is not an array", str(operand), f"its address is {operand.array}"
    )


def wrong_width(spec: OperandSpec, operand: Operand, wanted: int, have: int) -> Mismatch:
    """A vector with another number of elements than wanted."""
    message = f"operand {spec.name} must be a vector of {wanted}, found {counted(have, 'element')}"
    return Mismatch("vector-width", message, str(operand))
