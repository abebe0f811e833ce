"""Float arithmetic on scalars and on packed pairs of 16-bit floats."""

from __future__ import annotations

from typing import Any

from weft.codegen import linear
from weft.codegen.constants import number
from weft.codegen.graph import B16, B32, B64, BITS, PRED, Const, Inst, Value
from weft.codegen.integers import Test
from weft.codegen.linear import Lin
from weft.codegen.ops.arith_cast import refloated, widened_bf16
from weft.codegen.selector import Selector
from weft.codegen.types import Scalar, UnsupportedTypeError
from weft.isa import opcode

F32 = Scalar("float", B32, 32, "f32")
F64 = Scalar("float", B64, 64, "f64")
Float = Value | Const


def ptx_type(kind: Scalar) -> str:
    """The PTX type of a float or of a packed pair: `f16x2`."""
    return f"{kind.name}x2" if kind.kind == "packed" else kind.name


def source(s: Selector, a: Float, kind: Scalar) -> Float:
    """A float as an operand: 16-bit and packed instructions take no immediates."""
    if isinstance(a, Const) and (kind.width == 16 or kind.kind == "packed"):
        return s.register(a, kind.cls)
    return a


def constant(value: float, kind: Scalar) -> Const:
    """A number as a float, or as a pair of equal ones."""
    if kind.kind == "packed":
        one = number(value, Scalar("float", B16, 16, kind.name)).pattern
        return Const(B32, one | one << 16)
    return number(value, kind)


_ROUNDED = {"add", "sub", "mul"}
_FLOATS = frozenset({"f16", "bf16", "f32", "f64"})
_PAIRS = frozenset({"f16x2", "bf16x2", "f32x2"})
_EXTREMES = {"maxnum": ("max", False), "minnum": ("min", False), "maximum": ("max", True), "minimum": ("min", True)}
"""The instruction, and whether NaNs pass through it."""


def binary(
    s: Selector, name: str, a: Float, b: Float, kind: Scalar, *, contract: bool = False, approx: bool = False,
    either_zero: bool = False,
) -> Any:  # fmt: skip
    """`add`, `sub`, `mul`, `div`, `maxnum`, `minnum`, `maximum` or `minimum` of two floats.

    `contract` lets a product and a sum fuse; `approx` allows an approximate division; with `either_zero` the sign of a
    zero does not matter.
    """
    if kind.kind == "float" and kind.name == "tf32":
        raise UnsupportedTypeError("tf32 arithmetic")
    if kind.kind == "int":
        return _small(s, name, a, b, kind)
    known = _without_instruction(s, name, a, b, kind, either_zero=either_zero)
    if known is not None:
        return known
    if name in ("add", "sub") and not contract and kind == F32 and (mixed := _mixed(s, name, a, b)) is not None:
        return mixed
    type_ = ptx_type(kind)
    if name == "div":
        return _divide(s, a, b, kind, approx=approx)
    if name in _ROUNDED:
        # Without a rounding mode ptxas may fuse a product and a sum into an fma.
        found = s.module.available(name, rnd="" if contract and kind.width >= 32 else "rn", type=type_)
        if found is None:
            return _by_fma(s, name, a, b, kind)
        return s.pure(found, kind.cls, source(s, a, kind), source(s, b, kind))
    stem, propagates = _EXTREMES[name]
    found = s.module.available(stem, NaN=propagates, type=type_)
    if found is not None:
        return s.pure(found, kind.cls, source(s, a, kind), source(s, b, kind))
    if kind.width == 16 and kind.kind == "float":
        return _through_f32(s, name, a, b, kind)
    if name in ("maximum", "minimum"):
        return _nan_aware(s, name, a, b, kind)
    raise UnsupportedTypeError(f"'{name}' of {type_} on {s.module.target}")


def _small(s: Selector, name: str, a: Any, b: Any, kind: Scalar) -> Any:
    """An operation on floats of 8 bits and fewer, which are integers: an f32 is rounded once more without harm.

    The larger and the smaller are chosen by it, for an infinity does not come back from f32 (`small_floats`).
    """
    x, y = (refloated(s, v, kind, F32) for v in (a, b))
    found = binary(s, name, x, y, F32)
    if name not in _EXTREMES:
        return refloated(s, found, F32, kind)
    bits, first, second = (linear.of(s.register(v, B32)) for v in (found, x, y))
    unknown = compare(s, "uno", x, x, F32)
    rest = s.choose(s.compare("eq", bits, second), b, s.choose(unknown, a, b))
    return s.choose(s.compare("eq", bits, first), a, rest)


def _mixed(s: Selector, name: str, a: Float, b: Float) -> Value | None:
    """The sum or difference by an instruction that widens one operand itself, if that is a widened half."""
    for one, other in ((a, b), (b, a)) if name == "add" else ((a, b),):
        half, type_ = s.halves.get(one, (None, "")) if isinstance(one, Value) else (None, "")
        found = s.module.available(name, rnd="rn", type="f32", atype=type_) if half is not None else None
        if found is not None:
            return s.pure(found, B32, half, s.register(other, B32))
    return None


def fused(s: Selector, name: str, a: Float, b: Float, kind: Scalar, products: tuple[Any, ...]) -> Any:
    """The sum or difference with the product that an operand is (of one of `products`) in one instruction, or None.

    ptxas fuses them too, but only after it has decided by the number of instructions how often to unroll.
    """
    if s.module.available("fma", rnd="rn", type=ptx_type(kind)) is None:
        return None
    for at, one in enumerate((a, b)):
        inst = one.inst if products[at] and isinstance(one, Value) else None
        if inst is not None and inst.source is products[at] and inst.opcode.stem == "mul":
            x, y = inst.args[1:]
            if name == "sub":
                x, b = (unary(s, "neg", x, kind), b) if at else (x, unary(s, "neg", b, kind))
            return fma(s, x, y, a if at else b, kind)
    return None


def _without_instruction(s: Selector, name: str, a: Float, b: Float, kind: Scalar, *, either_zero: bool) -> Any:
    """What a constant operand leaves of an operation: the other operand, or that with its sign flipped."""
    if name in ("add", "mul") and isinstance(a, Const):
        a, b = b, a
    if name == "sub" and a == constant(-0.0, kind):
        return unary(s, "neg", b, kind)
    if not isinstance(b, Const) or isinstance(a, Const):
        return None
    neutral = {"add": -0.0, "sub": 0.0, "mul": 1.0, "div": 1.0}.get(name)
    if neutral is None:
        return None
    if b == constant(neutral, kind):
        return a
    if name in ("add", "sub") and b == constant(-neutral, kind) and (either_zero or _is_no_negative_zero(a)):
        return a
    return unary(s, "neg", a, kind) if name in ("mul", "div") and b == constant(-1.0, kind) else None


_SUMMANDS = 32
"""Numbers that sums are followed through to."""


def _is_no_negative_zero(a: Any) -> bool:
    """Whether a float is known not to be -0: a square, a magnitude, what was an integer, a sum with one of these."""
    work, seen = [a], 0
    while work and seen < _SUMMANDS:
        one = work.pop()
        seen += 1
        inst = one.inst if isinstance(one, Value) else None
        if inst is None or inst.opcode.get("sat"):
            continue
        op, get = inst.opcode, inst.opcode.get
        if op.stem == "add" and get("type") in _FLOATS and get("rnd") == "rn" and not get("ftz") and not get("atype"):
            # Two numbers that cancel leave +0: -0 comes of -0 and -0 alone.  (A negative sum that is flushed is -0.)
            work += inst.args[1:]
            if any(isinstance(read, Const) and _is_other_than_negative_zero(read) for read in inst.args[1:]):
                return True
        elif _is_never_negative_zero(inst):
            return True
    return False


def _is_other_than_negative_zero(a: Const) -> bool:
    return a.pattern != 1 << BITS[a.cls] - 1


def _is_never_negative_zero(inst: Inst) -> bool:
    op, get, read = inst.opcode, inst.opcode.get, inst.args[1:]
    if op.stem == "mul" and get("type") in _FLOATS | _PAIRS:
        return get("rnd") in ("", "rn") and read[0] is read[1]
    if op.stem == "cvt":
        return get("type") in _FLOATS and get("rnd") in ("rn", "rz") and get("atype")[:1] in ("s", "u")
    return op.stem == "abs" and get("type") in _FLOATS | _PAIRS


def _by_fma(s: Selector, name: str, a: Float, b: Float, kind: Scalar) -> Any:
    """add, sub, mul where only fma exists (bf16 before sm_90): a * 1 + b, b * -1 + a, a * b + -0."""
    if s.module.available("fma", rnd="rn", type=ptx_type(kind)) is None:
        return _through_f32(s, name, a, b, kind)
    if name == "add":
        return fma(s, a, constant(1.0, kind), b, kind)
    if name == "sub":
        return fma(s, b, constant(-1.0, kind), a, kind)
    return fma(s, a, b, constant(-0.0, kind), kind)


def _through_f32(s: Selector, name: str, a: Float, b: Float, kind: Scalar) -> Any:
    if kind.kind == "packed":
        raise UnsupportedTypeError(f"'{name}' of {ptx_type(kind)} on {s.module.target}")
    x, y = (refloated(s, v, kind, F32) for v in (a, b))
    return refloated(s, binary(s, name, x, y, F32), F32, kind)


def _nan_aware(s: Selector, name: str, a: Float, b: Float, kind: Scalar) -> Any:
    """maximum or minimum where the instruction ignores NaNs: a NaN if either operand is one, and -0 below +0."""
    found = s.pure(opcode(_EXTREMES[name][0], type=ptx_type(kind)), kind.cls, a, b)
    unordered = s.pure(opcode("setp", cmp="nan", type=ptx_type(kind)), PRED, a, b)
    nan = s.pure(opcode("add", rnd="rn", type=ptx_type(kind)), kind.cls, a, b)
    return s.pure(opcode("selp", type=kind.cls), kind.cls, nan, found, unordered)


def _divide(s: Selector, a: Float, b: Float, kind: Scalar, *, approx: bool) -> Any:
    if kind.kind == "packed":
        raise UnsupportedTypeError("packed division")
    if kind.width == 16:
        x, y = (refloated(s, v, kind, F32) for v in (a, b))
        return refloated(s, _divide(s, x, y, F32, approx=approx), F32, kind)
    inverse = _inverse(b, kind)
    if inverse is not None:
        return s.pure(opcode("mul", rnd="rn", type=kind.name), kind.cls, a, inverse)
    one = constant(1.0, kind)
    if kind.name == "f32" and approx:
        return (
            s.pure(opcode("rcp", rnd="approx", type="f32"), B32, b)
            if a == one
            else s.pure(opcode("div", rnd="approx", type="f32"), B32, a, b)
        )
    if a == one and isinstance(b, Value):
        return s.pure(opcode("rcp", rnd="rn", type=kind.name), kind.cls, b)
    return s.pure(opcode("div", rnd="rn", type=kind.name), kind.cls, a, b)


def _inverse(b: Float, kind: Scalar) -> Const | None:
    """1 / b where that is exact: of a power of 2 whose inverse is a normal number too."""
    if not isinstance(b, Const) or kind.name not in ("f32", "f64"):
        return None
    fraction = 23 if kind.name == "f32" else 52
    exponent, most = b.pattern >> fraction & (1 << kind.width - 1 - fraction) - 1, (1 << kind.width - fraction) // 2 - 2
    if b.pattern & (1 << fraction) - 1 or not 0 < exponent < most:
        return None
    sign = b.pattern >> kind.width - 1 << kind.width - 1
    return Const(b.cls, sign | most - exponent << fraction)


def fma(s: Selector, a: Float, b: Float, c: Float, kind: Scalar) -> Any:
    """a * b + c with one rounding; of 8 bits and fewer in f32, as MLIR extends them."""
    if kind.kind == "int":
        x, y, z = (refloated(s, v, kind, F32) for v in (a, b, c))
        return refloated(s, fma(s, x, y, z, F32), F32, kind)
    if kind == F32 and isinstance(a, Value) and isinstance(b, Value):
        (x, first), (y, second) = s.halves.get(a, (None, "")), s.halves.get(b, (None, " "))
        if first == second and (found := s.module.available("fma", rnd="rn", type="f32", atype=first)) is not None:
            return s.pure(found, B32, x, y, s.register(c, B32))
    found = s.module.available("fma", rnd="rn", type=ptx_type(kind))
    if found is None:
        raise UnsupportedTypeError(f"'fma' of {ptx_type(kind)} on {s.module.target}")
    return s.pure(found, kind.cls, *(source(s, v, kind) for v in (a, b, c)))


def sign_of(kind: Scalar) -> int:
    """The bit that is the sign; floats of 8 bits and fewer are kept as integers, of which bytes are made in memory."""
    if kind.kind != "int":
        return 1 << kind.width - 1
    if kind.name.endswith("NUZ") or kind.name == "f8E8M0FNU" or kind.name[0] != "f":
        raise UnsupportedTypeError(f"the sign of {kind.name}")
    return 1 << int(kind.name[1]) - 1


def unary(s: Selector, name: str, a: Float | Lin, kind: Scalar) -> Any:
    """`neg` or `abs` of a float, by its sign bit where there is no instruction."""
    if isinstance(a, Lin):
        top = sign_of(kind)
        bits, mask = ("xor", top) if name == "neg" else ("and", top - 1)
        return s.bitwise(bits, a, linear.const(mask, a.bits))
    if isinstance(a, Const):
        top = 0x80008000 if kind.kind == "packed" else 1 << (kind.width - 1)
        return Const(a.cls, a.pattern ^ top if name == "neg" else a.pattern & ~top)
    found = s.module.available(name, type=ptx_type(kind))
    if found is not None:
        return s.pure(found, kind.cls, a)
    cls, bits = kind.cls, 16 if kind.kind == "float" else 32
    top = 0x8000 if kind.kind == "float" else 0x80008000
    if name == "neg":
        return s.pure(opcode("xor", type=f"b{bits}"), cls, a, top - (1 << bits))
    return s.pure(opcode("and", type=f"b{bits}"), cls, a, ((1 << bits) - 1) ^ top)


_COMPARISONS = {
    "oeq": "eq", "ogt": "gt", "oge": "ge", "olt": "lt", "ole": "le", "one": "ne", "ord": "num", "ueq": "equ",
    "ugt": "gtu", "uge": "geu", "ult": "ltu", "ule": "leu", "une": "neu", "uno": "nan",
}  # fmt: skip


def compare(s: Selector, predicate: str, a: Float, b: Float, kind: Scalar) -> Test:
    """A float comparison, ordered or unordered."""
    if predicate in ("false", "true"):
        return Const(PRED, int(predicate == "true"))
    relation = _COMPARISONS[predicate]
    if kind.kind == "int":
        a, b, kind = refloated(s, a, kind, F32), refloated(s, b, kind, F32), F32
    if kind.name == "bf16" and s.module.available("setp", cmp=relation, type="bf16") is None:
        a, b, kind = widened_bf16(s, a), widened_bf16(s, b), F32
    first = s.register(a, kind.cls) if isinstance(a, Const) else a
    return s.pure(opcode("setp", cmp=relation, type=kind.name), PRED, first, source(s, b, kind))
