"""What is taken away unless it is too much, as in sums modulo a number: the lesser of a number and the difference."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation, SSAValue

from weft.codegen.constants import constant_of
from weft.codegen.linear import Lin
from weft.codegen.selector import Selector
from weft.dialects.arith.predicates import INTEGER_PREDICATES

DIFFERENCES = frozenset(("arith.subi", "llvm.sub", "index.sub"))


def reduced(s: Selector, op: Operation, a: Lin) -> Lin | None:
    """`x - (x < m ? 0 : m)` of unsigned numbers: the lesser of x and x - m, which is huge where m is more than x."""
    number, taken = op.operands
    choice: Any = taken.owner
    if getattr(choice, "name", "") not in ("arith.select", "llvm.select") or not taken.has_one_use():
        return None
    test, first, second = choice.operands
    compared = test.owner
    if getattr(compared, "name", "") not in ("arith.cmpi", "llvm.icmp") or compared.operands[0] is not number:
        return None
    relation, bound = INTEGER_PREDICATES[int(compared.properties["predicate"].value.data)], compared.operands[1]
    if relation == "ult" and constant_of(first) == 0 and _same(second, bound, 0):
        return s.extreme("min", a, s.sub(a, s.int(second)), signed=False)
    more = {"uge": 0, "ugt": 1}.get(relation)
    if more is not None and constant_of(second) == 0 and _same(first, bound, more):
        return s.extreme("min", a, s.sub(a, s.int(first)), signed=False)
    return None


def _same(value: SSAValue, bound: SSAValue, more: int) -> bool:
    """Whether a value is a bound, or as much more."""
    if value is bound:
        return not more
    numbers = constant_of(value), constant_of(bound)
    return None not in numbers and numbers[0] == (numbers[1] or 0) + more
