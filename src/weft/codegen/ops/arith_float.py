"""`arith` and `llvm` on floats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Operation

from weft.codegen import floats
from weft.codegen.graph import B32, B64, Const, Value
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, is_vector, scalar
from weft.codegen.vectors import each2, elements, elementwise, is_packed_float, pack
from weft.dialects.arith.predicates import FLOAT_PREDICATES
from weft.isa import opcode

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


def fast(op: Any, flag: str) -> bool:
    """Whether the operation allows what a fast-math flag allows."""
    flags = op.properties.get("fastmath") or op.properties.get("fastmathFlags")
    return flags is not None and any(f.value in (flag, "fast") for f in flags.data)


def packed_or_each(s: Selector, op: Operation, apply: Callable[..., Any]) -> None:
    """Bind the result: on whole packed registers where the type is packed, else for each element."""
    packed = is_packed_float(op.results[0].type)
    if packed is None:
        elementwise(s, op, apply)
        return
    lanes = zip(*(s.get(v) for v in op.operands), strict=True)
    s.values[op.results[0]] = tuple(apply(*lane, packed) for lane in lanes)


def in_pairs(s: Selector, op: Any, stem: str) -> bool:
    """Bind the result by instructions on two f32 each; False where that is not so for the type or the target."""
    (result,) = op.results
    if not is_vector(result.type) or scalar(result.type.element_type) != floats.F32:
        return False
    code = s.module.available(stem, rnd="rn", type="f32x2")
    if code is None:
        return False
    operands = [elements(s, s.get(value), value.type) for value in op.operands]
    count = len(operands[0])
    if count % 2:
        return False
    out: list[Any] = []
    for at in range(0, count, 2):
        pairs = [_pair(s, *parts[at : at + 2]) for parts in operands]
        out += s.pure_many(opcode("mov", type="b64"), (B32, B32), s.pure(code, B64, *pairs))
    s.values[result] = pack(s, out, result.type)
    return True


def _pair(s: Selector, low: floats.Float, high: floats.Float) -> Value:
    if isinstance(low, Const) and isinstance(high, Const):
        return s.register(Const(B64, low.pattern | high.pattern << 32), B64)
    return s.pure(opcode("mov", type="b64"), B64, (s.register(low, B32), s.register(high, B32)))


@handles(*_BINARY)
def select_binary(s: Selector, op: Operation) -> None:
    """An operation on two floats."""
    name = _BINARY[op.name]
    contract, approx = fast(op, "contract"), fast(op, "afn")

    def apply(a: Any, b: Any, kind: Any) -> Any:
        return floats.binary(s, name, a, b, kind, contract=contract, approx=approx)

    if name == "div":
        elementwise(s, op, apply)
    elif contract or name not in ("add", "sub", "mul") or not in_pairs(s, op, name):
        packed_or_each(s, op, apply)


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
def select_compare(s: Selector, op: Any) -> None:
    """A float comparison."""
    index: int = op.properties["predicate"].value.data
    predicate = FLOAT_PREDICATES[index]
    each2(s, op, lambda a, b, kind: floats.compare(s, predicate, a, b, kind))
