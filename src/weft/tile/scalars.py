"""Scalars of a traced kernel: Python's operators on them become `arith` operations.

A scalar knows what slices and copies need: what divides it, that it is not negative, and which scalar it is a
constant away from (so that `row + 8 - row` is 8).
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, Any

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IntegerAttr, i1, i64
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation, SSAValue

from weft.tile.dtypes import boolean, dtype, f32, i32
from weft.tile.trace import current, error

if TYPE_CHECKING:
    from weft.tile.dtypes import DType

Number = "Scalar | int | float"

_FLAGS = arith.FastMathFlagsAttr((FastMathFlag.ALLOW_CONTRACT,))
_WRAP = arith.IntegerOverflowAttr("none")
_INTEGER: dict[str, type[Operation]] = {
    "add": arith.AddiOp, "sub": arith.SubiOp, "mul": arith.MuliOp, "and": arith.AndIOp, "or": arith.OrIOp,
    "xor": arith.XOrIOp, "shl": arith.ShLIOp,
}  # fmt: skip
_SIGNED: dict[str, type[Operation]] = {
    "div": arith.FloorDivSIOp, "shr": arith.ShRSIOp, "max": arith.MaxSIOp, "min": arith.MinSIOp,
}  # fmt: skip
_UNSIGNED: dict[str, type[Operation]] = {
    "div": arith.DivUIOp, "rem": arith.RemUIOp, "shr": arith.ShRUIOp, "max": arith.MaxUIOp, "min": arith.MinUIOp,
}  # fmt: skip
_FLOAT: dict[str, type[Operation]] = {
    "add": arith.AddfOp, "sub": arith.SubfOp, "mul": arith.MulfOp, "truediv": arith.DivfOp, "max": arith.MaxnumfOp,
    "min": arith.MinnumfOp,
}  # fmt: skip
_INT_PREDICATES = {"eq": (0, 0), "ne": (1, 1), "lt": (2, 6), "le": (3, 7), "gt": (4, 8), "ge": (5, 9)}
_FLOAT_PREDICATES = {"eq": 1, "gt": 2, "ge": 3, "lt": 4, "le": 5, "ne": 13}
_MIRRORED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq", "ne": "ne"}
UNARY: dict[str, type[Operation]] = {
    "exp": math.ExpOp, "exp2": math.Exp2Op, "log": math.LogOp, "log2": math.Log2Op, "sqrt": math.SqrtOp,
    "rsqrt": math.RsqrtOp, "tanh": math.TanhOp, "abs": math.AbsFOp, "neg": arith.NegfOp, "sin": math.SinOp,
    "cos": math.CosOp, "erf": math.ErfOp,
}  # fmt: skip
"""The functions of one float that there are, each an operation."""
_APPROXIMATE = arith.FastMathFlagsAttr((FastMathFlag.ALLOW_CONTRACT, FastMathFlag.APPROX_FUNC))


class Scalar:
    """A number that is known when the kernel runs.

    `divisor` divides it (0 for a value that is 0), `nonnegative` says that it is not below zero; it is `shift` more
    than the scalar `root`.
    """

    __slots__ = ("divisor", "dtype", "nonnegative", "root", "shift", "value")
    __array_priority__ = 100

    def __init__(self, value: SSAValue, kind: DType, *, divisor: int = 1, nonnegative: bool = False) -> None:
        self.value = value
        self.dtype = kind
        self.divisor = divisor
        self.nonnegative = nonnegative
        self.root: Scalar = self
        self.shift = 0

    def __repr__(self) -> str:
        return f"<{self.dtype} known when the kernel runs>"

    def __bool__(self) -> bool:
        raise error(
            "a condition that is known only when the kernel runs cannot decide here",
            "use it in an `if`, a `while` or `where(...)` of the kernel itself, not of a function it calls",
        )

    def __index__(self) -> int:
        raise error("a number that is known only when the kernel runs cannot stand where Python needs an integer")

    __hash__ = object.__hash__

    # -- operators ----------------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        return binary("add", self, other)

    def __radd__(self, other: Any) -> Any:
        return binary("add", other, self)

    def __sub__(self, other: Any) -> Any:
        return binary("sub", self, other)

    def __rsub__(self, other: Any) -> Any:
        return binary("sub", other, self)

    def __mul__(self, other: Any) -> Any:
        return binary("mul", self, other)

    def __rmul__(self, other: Any) -> Any:
        return binary("mul", other, self)

    def __truediv__(self, other: Any) -> Any:
        return binary("truediv", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return binary("truediv", other, self)

    def __floordiv__(self, other: Any) -> Any:
        return binary("div", self, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return binary("div", other, self)

    def __mod__(self, other: Any) -> Any:
        return binary("rem", self, other)

    def __rmod__(self, other: Any) -> Any:
        return binary("rem", other, self)

    def __and__(self, other: Any) -> Any:
        return binary("and", self, other)

    def __rand__(self, other: Any) -> Any:
        return binary("and", other, self)

    def __or__(self, other: Any) -> Any:
        return binary("or", self, other)

    def __ror__(self, other: Any) -> Any:
        return binary("or", other, self)

    def __xor__(self, other: Any) -> Any:
        return binary("xor", self, other)

    def __rxor__(self, other: Any) -> Any:
        return binary("xor", other, self)

    def __lshift__(self, other: Any) -> Any:
        return binary("shl", self, other)

    def __rshift__(self, other: Any) -> Any:
        return binary("shr", self, other)

    def __neg__(self) -> Any:
        return unary("neg", self) if self.dtype.is_float else binary("sub", 0, self)

    def __invert__(self) -> Any:
        return binary("xor", self, True if self.dtype is boolean else -1)

    def __abs__(self) -> Any:
        return unary("abs", self)

    def __lt__(self, other: Any) -> Any:
        return compare("lt", self, other)

    def __le__(self, other: Any) -> Any:
        return compare("le", self, other)

    def __gt__(self, other: Any) -> Any:
        return compare("gt", self, other)

    def __ge__(self, other: Any) -> Any:
        return compare("ge", self, other)

    def __eq__(self, other: object) -> Any:
        return compare("eq", self, other)

    def __ne__(self, other: object) -> Any:
        return compare("ne", self, other)

    def to(self, kind: object) -> Scalar:
        """The number in another type."""
        return cast(self, dtype(kind))


def is_number(value: object) -> bool:
    """Whether a value is a scalar or a Python number."""
    return isinstance(value, Scalar | int | float)


def scalar(value: Any, kind: DType) -> Scalar:
    """A scalar or a number as a scalar of a type; scalars of another type are converted."""
    if isinstance(value, Scalar):
        return value if value.dtype is kind else cast(value, kind)
    if not is_number(value):
        raise error(f"{getattr(value, 'unbound', repr(value))} is no number")
    number = int(value) if kind.kind == "bool" else value
    if kind.is_float:
        number = float(value)
    made = Scalar(current().constant(number, kind), kind, nonnegative=number >= 0)
    if isinstance(number, int):
        made.divisor = abs(number)
    return made


def common(a: object, b: object, *, division: bool = False) -> DType:
    """The type in which two operands meet: a Python number takes the other's."""
    kinds = [x.dtype for x in (a, b) if isinstance(x, Scalar)]
    floats = [k for k in kinds if k.is_float]
    if any(isinstance(x, float) for x in (a, b)) or division:
        return max(floats, key=lambda k: k.bits) if floats else f32
    if floats:
        return max(floats, key=lambda k: k.bits)
    return max(kinds, key=lambda k: (k.bits, k.kind == "uint")) if kinds else i32


def _unknown(a: object, b: object) -> bool:
    """Whether the operators of scalars do not cover an operand."""
    return not (is_number(a) and is_number(b))


def binary(name: str, a: Any, b: Any) -> Any:
    """An operation on two numbers, one of which is a scalar."""
    if _unknown(a, b):
        return NotImplemented
    kind = common(a, b, division=name == "truediv")
    folded = _trivial(name, a, b, kind)
    if folded is not None:
        return folded
    x, y = scalar(a, kind), scalar(b, kind)
    nonnegative = x.nonnegative and y.nonnegative
    if kind.is_float:
        value = _float(name, x, y)
    elif name == "rem" and not (nonnegative or not kind.signed):
        return x - (x // y) * y
    else:
        value = _integer(name, x, y, unsigned=nonnegative or not kind.signed)
    result = Scalar(value, kind)
    _know(name, result, x, y, b)
    return result


def _trivial(name: str, a: Any, b: Any, kind: DType) -> Any:
    """`a` where the operation changes nothing."""
    if kind.is_float or not isinstance(a, Scalar) or a.dtype is not kind or not isinstance(b, int):
        return None
    neutral = {"add": 0, "sub": 0, "mul": 1, "div": 1, "shl": 0, "shr": 0}
    return a if name in neutral and b == neutral[name] else None


def _float(name: str, x: Scalar, y: Scalar) -> SSAValue:
    made = _FLOAT.get(name)
    if made is None:
        raise error(f"there is no '{name}' of floating-point numbers")
    op = made.create(operands=[x.value, y.value], result_types=[x.value.type], properties={"fastmath": _FLAGS})
    return current().value(op)


def _integer(name: str, x: Scalar, y: Scalar, *, unsigned: bool) -> SSAValue:
    made = _INTEGER.get(name) or (_UNSIGNED if unsigned else _SIGNED).get(name)
    if made is None:
        raise error(f"there is no '{name}' of integers", "// divides integers")
    properties = {"overflowFlags": _WRAP} if name in ("add", "sub", "mul", "shl") else {}
    op = made.create(operands=[x.value, y.value], result_types=[x.value.type], properties=properties)
    return current().value(op)


def _know(name: str, result: Scalar, x: Scalar, y: Scalar, b: object) -> None:
    """What is known of an integer result."""
    if result.dtype.is_float or result.dtype is boolean:
        return
    constant = b if isinstance(b, int) else None
    result.nonnegative = x.nonnegative and y.nonnegative and name not in ("sub", "xor")
    if name in ("add", "sub"):
        result.divisor = gcd(x.divisor, y.divisor)
        if constant is not None:
            result.root, result.shift = x.root, x.shift + (constant if name == "add" else -constant)
    elif name == "mul":
        result.divisor = x.divisor * y.divisor
    elif name == "rem":
        result.divisor = gcd(x.divisor, y.divisor)
        result.nonnegative = y.nonnegative
    elif name == "div" and constant and x.divisor % constant == 0:
        result.divisor = x.divisor // constant
    elif name == "shl" and constant is not None:
        result.divisor = x.divisor << constant
    if result.divisor > 1 << 20:
        result.divisor = gcd(result.divisor, 1 << 20)


def known(x: Any) -> tuple[int, bool]:
    """What divides a number, and whether it is not negative."""
    if isinstance(x, Scalar):
        return x.divisor, x.nonnegative
    return (abs(x) if isinstance(x, int) else 1), x >= 0


def difference(a: Any, b: Any) -> int | None:
    """a - b where that is a constant."""
    if isinstance(a, int) and isinstance(b, int):
        return a - b
    if isinstance(a, Scalar) and isinstance(b, Scalar) and a.root is b.root:
        return a.shift - b.shift
    return None


def compare(name: str, a: Any, b: Any) -> Any:
    """A comparison of two numbers."""
    if _unknown(a, b):
        return NotImplemented
    kind = common(a, b)
    x, y = scalar(a, kind), scalar(b, kind)
    if kind.is_float:
        made: type[Operation] = arith.CmpfOp
        number = _FLOAT_PREDICATES[name]
        properties: dict[str, Any] = {"predicate": IntegerAttr(number, i64), "fastmath": _FLAGS}
    else:
        made = arith.CmpiOp
        properties = {"predicate": IntegerAttr(_INT_PREDICATES[name][not kind.signed], i64)}
    value = current().value(made.create(operands=[x.value, y.value], result_types=[i1], properties=properties))
    return Scalar(value, boolean)


def unary(name: str, x: Scalar) -> Scalar:
    """A function of one number."""
    if not x.dtype.is_float:
        if name == "abs":
            return where(x < 0, -x, x)
        x = cast(x, f32)
    op = UNARY[name].create(operands=[x.value], result_types=[x.value.type], properties={"fastmath": _APPROXIMATE})
    return Scalar(current().value(op), x.dtype)


def where(condition: Scalar, a: Any, b: Any) -> Scalar:
    """`a` where the condition holds, `b` otherwise; both are computed."""
    kind = common(a, b)
    x, y = scalar(a, kind), scalar(b, kind)
    op = arith.SelectOp.create(operands=[condition.value, x.value, y.value], result_types=[x.value.type])
    result = Scalar(current().value(op), kind, nonnegative=x.nonnegative and y.nonnegative)
    result.divisor = gcd(x.divisor, y.divisor)
    return result


def cast(x: Scalar, kind: DType) -> Scalar:
    """A number in another type: floats are rounded to nearest even, floats become integers towards zero."""
    if x.dtype is kind:
        return x
    made = _conversion(x, kind)
    value = x.value
    if made is not None:
        op = made.create(operands=[x.value], result_types=[kind.mlir])
        value = current().value(op)
    result = Scalar(value, kind, nonnegative=x.nonnegative and not kind.is_float)
    if not kind.is_float and not x.dtype.is_float:
        result.divisor = x.divisor
    return result


def _conversion(x: Scalar, kind: DType) -> type[Operation] | None:
    source = x.dtype
    unsigned = x.nonnegative or not source.signed
    if source.is_float and kind.is_float:
        if source.bits == kind.bits:
            raise error(f"there is no conversion of {source} to {kind}", "go through f32")
        return arith.ExtFOp if kind.bits > source.bits else arith.TruncFOp
    if source.is_float:
        return arith.FPToSIOp if kind.signed else arith.FPToUIOp
    if kind.is_float:
        return arith.UIToFPOp if unsigned else arith.SIToFPOp
    if kind.bits == source.bits:
        return None
    if kind.bits > source.bits:
        return arith.ExtUIOp if unsigned else arith.ExtSIOp
    return arith.TruncIOp
