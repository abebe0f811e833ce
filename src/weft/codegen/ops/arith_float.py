"""`arith` and `llvm` on floats."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation, SSAValue

from weft.codegen import floats
from weft.codegen.pairs import in_pairs
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar
from weft.codegen.vectors import each2, elementwise, is_packed_float
from weft.dialects import narrow
from weft.dialects.arith.predicates import FLOAT_PREDICATES

if TYPE_CHECKING:
    from weft.dialects.rows import arith, llvm

_BINARY = {
    "arith.addf": "add",
    "arith.subf": "sub",
    "arith.mulf": "mul",
    "arith.divf": "div",
    "arith.maxnumf": "maxnum",
    "arith.minnumf": "minnum",
    "arith.maximumf": "maximum",
    "arith.minimumf": "minimum",
    "llvm.fadd": "add",
    "llvm.fsub": "sub",
    "llvm.fmul": "mul",
    "llvm.fdiv": "div",
    "llvm.intr.maxnum": "maxnum",
    "llvm.intr.minnum": "minnum",
    "llvm.intr.maximum": "maximum",
    "llvm.intr.minimum": "minimum",
}


def fast(op: Operation, flag: str) -> bool:
    """Whether the operation allows what a fast-math flag allows."""
    flags = op.properties.get("fastmath") or op.properties.get("fastmathFlags")
    return flags is not None and not {flag, "fast"}.isdisjoint(narrow.words(flags))


def packed_or_each(s: Selector, op: Operation, apply: Callable[..., Any]) -> None:
    """Bind the result: on whole packed registers where the type is packed, else for each element."""
    packed = is_packed_float(op.results[0].type)
    if packed is None:
        elementwise(s, op, apply)
        return
    lanes = zip(*(s.get(v) for v in op.operands), strict=True)
    s.values[op.results[0]] = tuple(apply(*lane, packed) for lane in lanes)


def _product(value: SSAValue) -> Operation | None:
    """The operation of a product that may become part of the sum that is its only use."""
    owner = value.owner
    if not isinstance(owner, Operation) or _BINARY.get(owner.name) != "mul" or not value.has_one_use():
        return None
    return owner if fast(owner, "contract") else None


@handles(*_BINARY)
def select_binary(s: Selector, op: Operation) -> None:
    """An operation on two floats."""
    name = _BINARY[op.name]
    contract, approx, nsz = fast(op, "contract"), fast(op, "afn"), fast(op, "nsz")
    products = tuple(map(_product, op.operands)) if contract and name in ("add", "sub") else ()

    def apply(a: Any, b: Any, kind: Any) -> Any:
        fused = floats.fused(s, name, a, b, kind, products) if any(products) else None
        return fused or floats.binary(s, name, a, b, kind, contract=contract, approx=approx, either_zero=nsz)

    if name == "div":
        elementwise(s, op, apply)
    elif name not in ("add", "sub", "mul") or not (_fused_pairs(s, op, name, products) or in_pairs(s, op, name)):
        packed_or_each(s, op, apply)


def _fused_pairs(s: Selector, op: Operation, name: str, products: tuple[Operation | None, ...]) -> bool:
    """Bind a sum and the product in it by instructions on two f32 each, where that is so."""
    at = next((at for at, product in enumerate(products) if product is not None), -1)
    if at < 0 or (product := products[at]) is None:
        return False
    negated = None if name == "add" else 2 - 2 * at
    return in_pairs(s, op, "fma", (*product.operands, op.operands[1 - at]), negated)


@handles("arith.remf", "llvm.frem")
def select_remainder(s: Selector, op: Operation) -> None:
    """The remainder with the sign of the dividend."""
    from weft.codegen.remainder import remainder

    each2(s, op, lambda a, b, kind: remainder(s, a, b, kind))


def _sign(s: Selector, op: Operation, name: str) -> None:
    def apply(a: Any, kind: Scalar) -> Any:
        return floats.unary(s, name, a, kind)

    packed_or_each(s, op, apply)


@handles("arith.negf", "llvm.fneg")
def select_negation(s: Selector, op: Operation) -> None:
    """The sign flipped."""
    _sign(s, op, "neg")


@handles("math.absf", "llvm.intr.fabs")
def select_absolute(s: Selector, op: Operation) -> None:
    """The sign cleared."""
    _sign(s, op, "abs")


@handles("math.fma", "llvm.intr.fma", "llvm.intr.fmuladd", "vector.fma")
def select_fma(s: Selector, op: Operation) -> None:
    """a * b + c with one rounding."""

    def apply(a: Any, b: Any, c: Any, kind: Scalar) -> Any:
        return floats.fma(s, a, b, c, kind)

    if not in_pairs(s, op, "fma"):
        packed_or_each(s, op, apply)


@handles("arith.cmpf", "llvm.fcmp")
def select_compare(s: Selector, op: arith.CmpfOp | llvm.FcmpOp) -> None:
    """A float comparison."""
    index: int = op.predicate.value.data
    predicate = FLOAT_PREDICATES[index]
    each2(s, op, lambda a, b, kind: floats.compare(s, predicate, a, b, kind))
