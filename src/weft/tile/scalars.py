"""Scalars of a traced kernel: Python's operators on them become `arith` operations.

A scalar knows what slices and copies need: what divides it, that it is not negative, and which scalar it is a
constant away from (so that `row + 8 - row` is 8).
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from math import gcd
from typing import TYPE_CHECKING, Any

from weft.dialects.tile.arithmetic import COMPARISONS, FLOAT_FUNCTIONS
from weft.tile.dtypes import boolean, dtype, e8m0, f32, i32, mask, u8
from weft.tile.operators import Operators
from weft.tile.six import SIX, encoded, narrowed, widened
from weft.tile.trace import current, error

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from weft.tile.dtypes import DType

_BITWISE = ("and", "or", "xor")
_NEUTRAL = {"add": 0, "sub": 0, "mul": 1, "div": 1, "shl": 0, "shr": 0}
_LARGEST_DIVISOR = 1 << 20
LONGEST_POWER = 64
"""The largest exponent that is multiplied out."""


class Scalar(Operators):
    """A number that is known only at run time.

    `divisor` is known to divide it (0 for a value that is 0), `nonnegative` says that it is at least 0; it is the
    value `root` plus `shift`.
    """

    __slots__ = ("divisor", "dtype", "nonnegative", "root", "shift", "value")

    def __init__(self, value: SSAValue, kind: DType, *, divisor: int = 1, nonnegative: bool = False) -> None:
        self.value = value
        self.dtype = kind
        self.divisor = divisor
        self.nonnegative = nonnegative
        self.root = value
        self.shift = 0

    def __repr__(self) -> str:
        return f"<{self.dtype} known when the kernel runs>"

    def __bool__(self) -> bool:
        raise error(
            "a condition that is known only at run time cannot be tested here",
            "use it in an `if`, a `while` or `where(...)` in the kernel or in a @weft.tile.function",
        )

    def __index__(self) -> int:
        raise error(
            "a number that is known only at run time cannot be used where Python needs a value",
            "use convert(x, ...) to change its type, and `loop` or `range` in the kernel to count to it",
        )

    __int__ = __index__
    __float__ = __index__  # type: ignore[assignment]

    def _operate(self, name: str, *operands: Any) -> Any:
        if name in ("neg", "abs", "invert"):
            return unary(name, self)
        return binary(name, *operands)

    def to(self, kind: object) -> Scalar:
        """The number in another type."""
        return cast(self, dtype(kind))


def is_number(value: object) -> bool:
    """Whether a value is a scalar or a Python (or NumPy) number."""
    return isinstance(value, Scalar | int | float | numbers.Real)


def plain(value: Any) -> Any:
    """A number, Python's own where it was NumPy's."""
    if isinstance(value, Scalar | int | float) or not isinstance(value, numbers.Real):
        return value
    return int(value) if isinstance(value, numbers.Integral) else float(value)


def scalar(value: Any, kind: DType) -> Scalar:
    """A scalar or a number as a scalar of a type; scalars of another type are converted."""
    if isinstance(value, Scalar):
        return value if value.dtype is kind else cast(value, kind)
    if not is_number(value):
        raise error(f"{value!r} is not a number")
    number = plain(value)
    if kind in SIX:
        return Scalar(current().constant(encoded(number, kind), kind), kind)
    if kind.kind == "bool":
        number = int(bool(number))
    elif kind.is_float:
        number = float(number)
    made = Scalar(current().constant(number, kind), kind, nonnegative=number >= 0)
    if isinstance(number, int):
        made.divisor = abs(number)
    return made


def refuse_opaque(*kinds: DType) -> None:
    """Refuse to compute with what is only moved and multiplied: scales, and two floats in a byte."""
    for kind in kinds:
        if kind is e8m0 or kind.kind == "narrow":
            first = ": .to(f32) first" if kind in SIX else ""
            raise error(f"{kind} supports only moves and dot_scaled", f"compute in f32{first}")


def common(a: object, b: object) -> DType:
    """The type in which two numbers meet: a Python number takes the other's where it can."""
    kinds = [x.dtype for x in (a, b) if isinstance(x, Scalar)]
    floats = [k for k in kinds if k.is_float]
    refuse_opaque(*kinds)
    if len(floats) == 2 and floats[0].bits == floats[1].bits and floats[0] is not floats[1]:
        return f32
    if floats:
        return max(floats, key=lambda k: k.bits)
    if any(isinstance(x, float) for x in (a, b)):
        return f32
    integers = [k for k in kinds if k.kind != "bool"]
    if any(isinstance(x, int) and not isinstance(x, bool) for x in (a, b)) and not integers:
        return i32
    return max(integers, key=lambda k: (k.bits, k.kind == "uint")) if integers else boolean


def binary(name: str, a: Any, b: Any) -> Any:
    """An operation on two numbers, one of which is a scalar."""
    if not (is_number(a) and is_number(b)):
        return NotImplemented
    a, b = plain(a), plain(b)
    if name == "pow":
        return power(a, b, lambda x: unary("sqrt", x))
    kind = _meeting(name, a, b)
    if name in COMPARISONS:
        return _compared(name, scalar(a, kind), scalar(b, kind))
    if name in _NEUTRAL and isinstance(a, Scalar) and a.dtype is kind and not kind.is_float and _is(b, _NEUTRAL[name]):
        return a
    if name in ("div", "rem") and not kind.is_float and _is(b, 0):
        raise error("division by 0")
    x, y = scalar(a, kind), scalar(b, kind)
    if kind.is_float and name in ("div", "rem"):
        quotient = unary("floor", binary("truediv", x, y))
        return quotient if name == "div" else x - quotient * y
    unsigned = not kind.signed or (x.nonnegative and y.nonnegative)
    function = "div" if name == "truediv" else name
    result = Scalar(current().apply(function, [x.value, y.value], unsigned=unsigned), kind)
    _know(name, result, x, y, a, b)
    return result


def _is(x: Any, number: int) -> bool:
    return isinstance(x, int) and x == number


def _meeting(name: str, a: Any, b: Any) -> DType:
    """The type in which an operation is done: conditions are counted as numbers but by logic and comparisons."""
    kind = common(a, b)
    if name == "truediv":
        return kind if kind.is_float else f32
    return i32 if kind is boolean and name not in _BITWISE and name not in COMPARISONS else kind


def _compared(name: str, x: Scalar, y: Scalar) -> Scalar:
    unsigned = not x.dtype.signed
    return Scalar(current().apply(name, [x.value, y.value], unsigned=unsigned), boolean)


def _know(name: str, result: Scalar, x: Scalar, y: Scalar, a: object, b: object) -> None:
    """What is known of an integer result."""
    if result.dtype.is_float or result.dtype is boolean:
        return
    constant = b if isinstance(b, int) else None
    result.nonnegative = x.nonnegative and y.nonnegative and name not in ("sub", "xor")
    if name in ("add", "sub"):
        result.divisor = gcd(x.divisor, y.divisor)
        if constant is not None:
            result.root, result.shift = x.root, x.shift + (constant if name == "add" else -constant)
        elif name == "add" and isinstance(a, int):
            result.root, result.shift = y.root, y.shift + a
    elif name == "mul":
        result.divisor = x.divisor * y.divisor
    elif name == "rem":
        result.divisor = gcd(x.divisor, y.divisor)
        result.nonnegative = y.nonnegative
    elif name == "and":
        result.nonnegative = x.nonnegative or y.nonnegative
    elif name in ("max", "min"):
        result.divisor = gcd(x.divisor, y.divisor)
        result.nonnegative |= name == "max" and (x.nonnegative or y.nonnegative)
    elif name == "div" and constant and x.divisor % constant == 0:
        result.divisor = x.divisor // abs(constant)
    elif name == "shl" and constant is not None:
        result.divisor = x.divisor << constant
    if result.divisor > _LARGEST_DIVISOR:
        result.divisor = gcd(result.divisor, _LARGEST_DIVISOR)


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


def power(x: Any, exponent: Any, root: Callable[[Any], Any]) -> Any:
    """x ** exponent, for a constant whole exponent, multiplied out; 0.5 is the square root, which `root` gives."""
    if isinstance(exponent, float) and exponent == 0.5:
        return root(x)
    if not isinstance(exponent, int) or not 1 <= exponent <= LONGEST_POWER:
        raise error(
            f"unsupported exponent {exponent!r}",
            "use a whole number from 1 on or 0.5, or exp2(y * log2(x)) for x ** y",
        )
    result, square = None, x
    while exponent:
        if exponent & 1:
            result = square if result is None else result * square
        exponent >>= 1
        if exponent:
            square = square * square
    return result


def unary(name: str, x: Scalar) -> Scalar:
    """A function of one number."""
    kind = x.dtype
    if name == "invert":
        return binary("xor", x, True if kind is boolean else -1)
    if name in FLOAT_FUNCTIONS and not kind.is_float:
        x = cast(x, f32)
    elif kind is boolean:
        x = cast(x, i32)
    value = current().apply(name, [x.value], unsigned=not x.dtype.signed)
    return Scalar(value, x.dtype, divisor=1 if x.dtype.is_float else x.divisor, nonnegative=name == "abs")


def where(condition: Scalar, a: Any, b: Any) -> Scalar:
    """`a` where the condition holds, `b` otherwise; both are computed."""
    kind = common(plain(a), plain(b))
    x, y = scalar(a, kind), scalar(b, kind)
    value = current().apply("where", [condition.value, x.value, y.value])
    result = Scalar(value, kind, nonnegative=x.nonnegative and y.nonnegative)
    result.divisor = gcd(x.divisor, y.divisor)
    return result


def _applied(name: str, *operands: Any) -> Any:
    """A function of numbers by its name."""
    if name == "where":
        return where(*operands)
    return unary(name, *operands) if len(operands) == 1 else binary(name, *operands)


def cast(x: Scalar, kind: DType) -> Scalar:
    """A number in another type: floats are rounded to nearest even, floats become integers towards zero; as a
    condition, whether it is not 0.
    """
    if x.dtype is kind:
        return x
    if x.dtype in SIX:
        return cast(widened(cast(Scalar(x.value, u8), i32), x.dtype, _applied), kind)
    if kind in SIX:
        return Scalar(cast(narrowed(cast(x, f32), kind, _applied), u8).value, kind)
    refuse_opaque(x.dtype, kind)
    source = boolean if kind is mask and x.dtype is not boolean else x.dtype
    value = x.value if source is x.dtype else cast(x, boolean).value
    integer = kind if source.is_float else source
    unsigned = not integer.signed or (x.nonnegative and not x.dtype.is_float)
    value = current().convert(value, kind.mlir, unsigned=unsigned)
    result = Scalar(value, kind)
    if not kind.is_float and not x.dtype.is_float:
        kept = kind.bits >= x.dtype.bits and kind.kind != "bool"
        result.nonnegative = x.nonnegative and kept
        result.divisor = x.divisor if kept else gcd(x.divisor, 1 << (kind.bits - 1))
    return result
