"""`complex` numbers: two floats side by side, as a struct of them; arithmetic on the parts is `arith`'s by then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation

from weft.codegen.bitcast import recast
from weft.codegen.constants import constant
from weft.codegen.selector import Selector, handles
from weft.codegen.vectors import elements, pack

if TYPE_CHECKING:
    from xdsl.dialects.complex import ConstantOp


@handles("complex.create")
def select_create(s: Selector, op: Operation) -> None:
    """A number of its parts: no code."""
    s.values[op.results[0]] = tuple(s.get(operand) for operand in op.operands)


@handles("complex.re", "complex.im")
def select_part(s: Selector, op: Operation) -> None:
    """A part: no code."""
    s.values[op.results[0]] = s.get(op.operands[0])[op.name == "complex.im"]


@handles("complex.constant")
def select_constant(s: Selector, op: ConstantOp) -> None:
    """A constant."""
    s.values[op.results[0]] = constant(op.value, op.results[0].type)


@handles("complex.bitcast")
def select_bitcast(s: Selector, op: Operation) -> None:
    """The same bits as a number of another kind."""
    value = s.get(op.operands[0])
    source, target = (_as_vector(type_) for type_ in (op.operands[0].type, op.results[0].type))
    if source != op.operands[0].type:
        value = pack(s, value, source)
    value = recast(s, value, source, target)
    s.values[op.results[0]] = value if target == op.results[0].type else tuple(elements(s, value, target))


def _as_vector(type_: Any) -> Any:
    return VectorType(type_.element_type, [2]) if type_.name == "complex" else type_
