"""`arith` and `llvm` conversions between integers, indices and floats."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from weft.codegen import bytewise, linear, small_floats
from weft.codegen.constants import number
from weft.codegen.graph import B16, B32, B64, BITS, Const, Value
from weft.codegen.linear import Lin
from weft.codegen.nowrap import SIGNED, kept
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, UnsupportedTypeError, is_vector, scalar
from weft.codegen.vectors import each1, elementwise
from weft.dialects import narrow
from weft.isa import opcode
from weft.mlir import compile_error


def element_of(value: Any) -> Scalar:
    """What a value, or each element of a vector, is."""
    type_ = value.type
    return scalar(type_.element_type if is_vector(type_) else type_)


# -- integers ---------------------------------------------------------------------------------------------------

_SIGNED = {
    "arith.extsi": True,
    "llvm.sext": True,
    "arith.extui": False,
    "llvm.zext": False,
    "arith.index_cast": True,
    "arith.index_castui": False,
    "index.casts": True,
    "index.castu": False,
    "arith.trunci": True,
    "llvm.trunc": True,
}


@handles(*_SIGNED, wide=True)
def select_resize(s: Selector, op: Operation) -> None:
    """Extension, truncation and casts between index and integers."""
    signed, target = _SIGNED[op.name], element_of(op.results[0])
    positive = "nonNeg" in op.properties

    def apply(a: Any, kind: Scalar) -> Any:
        by_sign = signed or (positive and kind.width == 32 and _steps_signed(a))
        return resized(s, a, kind, target, signed=by_sign)

    each1(s, op, apply)


def _steps_signed(a: Lin) -> bool:
    """Whether a sum that is not negative is better read signed: it does not wrap that way only."""
    value = a.single()
    ways = value.induction.kept if value is not None and value.induction is not None else kept(a)
    return ways == SIGNED


def resized(s: Selector, a: Any, kind: Scalar, target: Scalar, *, signed: bool) -> Any:
    """An integer of one width as an integer of another."""
    bits = 32 if target.width <= 32 else 64
    if kind.kind == "test":
        return a if target.kind == "test" else s.from_test(a, bits, signed=signed)
    if target.kind == "test":
        return s.to_test(a)
    if target.width <= kind.width:
        return s.truncated(a) if bits == 32 else a
    a = s.exactly(a, kind.width, signed=signed)
    return s.extended(a, signed=signed) if bits == 64 else a


# -- integers and floats ----------------------------------------------------------------------------------------

_FROM_INT = {"arith.sitofp": True, "llvm.sitofp": True, "arith.uitofp": False, "llvm.uitofp": False}
_TO_INT = {"arith.fptosi": True, "llvm.fptosi": True, "arith.fptoui": False, "llvm.fptoui": False}


@handles(*_FROM_INT, wide=True)
def select_from_int(s: Selector, op: Operation) -> None:
    """An integer as a float, rounded to nearest even."""
    signed, target = _FROM_INT[op.name], element_of(op.results[0])
    each1(s, op, lambda a, kind: from_int(s, a, kind, target, signed=signed))


def from_int(s: Selector, a: Any, kind: Scalar, target: Scalar, *, signed: bool) -> Any:
    """An integer of up to 64 bits as a float."""
    if kind.kind == "test":
        a = s.from_test(a, 32, signed=signed)
    else:
        a = s.exactly(a, kind.width, signed=signed)
    if a.is_const:
        return number(a.const if signed else a.const & ((1 << a.bits) - 1), target)
    if a.bits == 64 and a.exact and a.lo >= (-(1 << 31) if signed else 0) and a.hi < 1 << 31:
        a, signed = s.truncated(a), True
    letter = "s" if signed else "u"
    if target.kind == "int":
        return refloated(s, _to_odd(s, a, letter), _SINGLE, target)
    if target.name == "bf16" and not s.module.available("cvt", rnd="rn", type="bf16", atype=f"{letter}{a.bits}"):
        return s.pure(opcode("cvt", rnd="rn", type="bf16", atype="f32"), B16, _to_odd(s, a, letter))
    return s.pure(opcode("cvt", rnd="rn", type=target.name, atype=f"{letter}{a.bits}"), target.cls, s.int_value(a))


def _to_odd(s: Selector, a: Lin, letter: str) -> Value:
    """An integer as an f32 that is rounded to odd where it is not exact: rounding it once more is then correct."""
    integer, type_ = s.int_value(a), f"{letter}{a.bits}"
    near = s.pure(opcode("cvt", rnd="rz", type="f32", atype=type_), B32, integer)
    if a.exact and -(1 << 24) <= a.lo and a.hi <= 1 << 24:
        return near
    back = linear.of(s.pure(opcode("cvt", rnd="rzi", type=type_, atype="f32"), B32 if a.bits == 32 else B64, near))
    lost = s.from_test(s.compare("ne", back, linear.of(integer)), 32)
    return s.int_value(s.bitwise("or", linear.of(near), lost))


@handles(*_TO_INT, wide=True)
def select_to_int(s: Selector, op: Operation) -> None:
    """A float as an integer, rounded towards zero."""
    signed, target = _TO_INT[op.name], element_of(op.results[0])

    def apply(a: Any, kind: Scalar) -> Any:
        if kind.name == "bf16":
            a, kind = widened_bf16(s, a), _SINGLE
        elif kind.kind == "int":
            a, kind = refloated(s, a, kind, _SINGLE), _SINGLE
        bits = 32 if target.width <= 32 else 64
        letter = "s" if signed or target.width < 32 else "u"
        convert = opcode("cvt", rnd="rzi", type=f"{letter}{bits}", atype=kind.name)
        value = s.pure(convert, B32 if bits == 32 else B64, s.register(a, kind.cls))
        return s.to_test(linear.of(value)) if target.kind == "test" else linear.of(value)

    elementwise(s, op, apply)


# -- floats -----------------------------------------------------------------------------------------------------


@handles("arith.extf", "llvm.fpext", "arith.truncf", "llvm.fptrunc")
def select_refloat(s: Selector, op: Operation) -> None:
    """A float of another precision, rounded to nearest even unless the operation says otherwise."""
    target, mode = element_of(op.results[0]), rounding(op)
    if mode == "rn":
        each1(s, op, lambda a, kind: refloated(s, a, kind, target))
    else:
        each1(s, op, lambda a, kind: _rounded(s, a, kind, target, mode))


_MODES = ("rn", "rm", "rp", "rz", "")
"""The rounding modes of `arith` in PTX's words; it has none that rounds halves away from zero."""


def rounding(op: Operation) -> str:
    """The rounding mode of a cast; raises CompileError where it has no lowering."""
    index = narrow.stated(op, "roundingmode", 0)
    if not _MODES[index]:
        raise compile_error(op, "rounding halves away from zero has no lowering")
    return _MODES[index]


def _rounded(s: Selector, a: Any, kind: Scalar, target: Scalar, mode: str) -> Any:
    """A float rounded to a narrower one in a direction."""
    if target.name == "bf16" and kind.name == "f64":
        a, kind = s.pure(opcode("cvt", rnd=mode, type="f32", atype="f64"), B32, s.register(a, B64)), _SINGLE
    found = s.module.available("cvt", rnd=mode, type=target.name, atype=kind.name)
    if target.kind != "float" or found is None:
        raise UnsupportedTypeError(f"'cvt.{mode}' of {kind.name} to {target.name} on {s.module.target}")
    return s.pure(found, target.cls, s.register(a, kind.cls))


def refloated(s: Selector, a: Any, kind: Scalar, target: Scalar) -> Any:
    """A float of one type as a float of another."""
    if kind.name == target.name:
        return a
    if kind.name in small_floats.SMALL or kind.name == small_floats.SCALE:
        return refloated(s, small_floats.widened(s, a, kind.name), _SINGLE, target)
    if target.name in small_floats.SMALL or target.name == small_floats.SCALE:
        return small_floats.narrowed(s, _as_single(s, a, kind), target.name)
    if kind.name in _EIGHT_BITS:
        return refloated(s, _from_eight(s, a, kind.name), _HALF, target)
    if target.name in _EIGHT_BITS:
        return _to_eight(s, a, kind, target.name)
    if kind.kind != "float" or target.kind != "float":
        raise UnsupportedTypeError(f"a conversion from {kind.name} to {target.name}")
    if kind.name == "bf16":
        wide = widened_bf16(s, a)
        if isinstance(a, Value) and isinstance(wide, Value):
            s.halves[wide] = a, kind.name
        return refloated(s, wide, _SINGLE, target)
    if target.name == "bf16" and kind.name != "f32":
        if kind.name == "f64":
            return refloated(s, _odd_single(s, s.register(a, B64)), _SINGLE, target)
        a = s.pure(opcode("cvt", type="f32", atype=kind.name), B32, s.register(a, kind.cls))
        kind = _SINGLE
    a = s.register(a, kind.cls)
    if target.width > kind.width:
        wide = s.pure(opcode("cvt", type=target.name, atype=kind.name), target.cls, a)
        if target.width == 32:
            s.halves[wide] = a, kind.name
        return wide
    return s.pure(opcode("cvt", rnd="rn", type=target.name, atype=kind.name), target.cls, a)


_EIGHT_BITS = {"f8E4M3FN": "e4m3x2", "f8E5M2": "e5m2x2"}
_HALF = Scalar("float", B16, 16, "f16")
_SINGLE = Scalar("float", B32, 32, "f32")


def _from_eight(s: Selector, a: Lin, name: str) -> Value | Const:
    """An 8-bit float as an f16, exactly: by `cvt`, or by moving its fields where there is none."""
    byte = s.exactly(a, 8, signed=False)
    if name == "f8E5M2":
        return from_bits(s, s.shift_left(byte, linear.const32(8)), _HALF)
    found = s.module.available("cvt", rnd="rn", type="f16x2", atype=_EIGHT_BITS[name])
    if found is not None:
        pair = s.pure(found, B32, s.pure(opcode("cvt", type="u16", atype="u32"), B16, s.int_value(byte)))
        return s.pure_many(opcode("mov", type="b32"), (B16, B16), pair)[0]
    sign = s.shift_left(s.bitwise("and", byte, linear.const32(0x80)), linear.const32(8))
    rest = s.bitwise("and", byte, linear.const32(0x7F))
    moved = s.bitwise("or", sign, s.shift_left(rest, linear.const32(7)))
    scaled = s.pure(
        opcode("mul", rnd="rn", type="f16"),
        B16,
        s.register(from_bits(s, moved, _HALF), B16),
        s.register(Const(B16, 0x5C00), B16),
    )
    nan = s.compare("eq", rest, linear.const32(0x7F))
    return s.pure(opcode("selp", type="b16"), B16, s.register(Const(B16, 0x7FFF), B16), scaled, s.register(nan, "pred"))


def _to_eight(s: Selector, a: Any, kind: Scalar, name: str) -> Lin:
    """The nearest 8-bit float, the largest finite one for what is larger; by `cvt`, from sm_89 on."""
    found = s.module.available("cvt", rnd="rn", satfinite=True, type=_EIGHT_BITS[name], atype="f32")
    if found is None:
        raise UnsupportedTypeError(f"a conversion from {kind.name} to {name} on {s.module.target}")
    single = s.register(_as_single(s, a, kind), B32)
    packed = s.pure(found, B16, s.register(Const(B32, 0), B32), single)
    return linear.of(s.pure(opcode("cvt", type="u32", atype="u16"), B32, packed, lo=0, hi=0xFFFF))


def _as_single(s: Selector, a: Any, kind: Scalar) -> Any:
    """A float as an f32 that rounds further as it does itself."""
    return _odd_single(s, s.register(a, B64)) if kind.name == "f64" else refloated(s, a, kind, _SINGLE)


def _odd_single(s: Selector, a: Value) -> Value:
    """An f64 cut to f32, with the last bit set if anything was cut off: it rounds further as the f64 does."""
    cut = s.pure(opcode("cvt", rnd="rz", type="f32", atype="f64"), B32, a)
    inexact = s.pure(
        opcode("setp", cmp="neu", type="f64"), "pred", s.pure(opcode("cvt", type="f64", atype="f32"), B64, cut), a
    )
    odd = s.bitwise("or", linear.of(cut), linear.const32(1))
    return s.int_value(s.choose(inexact, odd, linear.of(cut)))


def widened_bf16(s: Selector, a: Value | Const) -> Value | Const:
    """A bf16 as an f32: the same bits, at the upper end."""
    if isinstance(a, Const):
        return Const(B32, a.pattern << 16)
    return s.int_value(bytewise.word(s, (0, 0, *bytewise.of_value(a))))


def to_bits(s: Selector, a: Any, kind: Scalar) -> Lin:
    """The bits of a scalar as an integer."""
    if isinstance(a, Lin):
        return a
    if kind.kind == "test":
        return s.from_test(a, 32)
    if isinstance(a, Const):
        return linear.const(a.pattern, 64 if kind.width == 64 else 32)
    return bytewise.word(s, (*bytewise.of_value(a), 0, 0)) if a.cls == B16 else linear.of(a)


def from_bits(s: Selector, a: Lin, kind: Scalar) -> Any:
    """The scalar with these bits."""
    if kind.kind in ("int", "pointer"):
        return a
    if kind.kind == "test":
        return s.to_test(a)
    if a.is_const:
        return Const(kind.cls, a.const & ((1 << BITS[kind.cls]) - 1))
    if kind.cls != B16:
        return s.int_value(a)
    found = bytewise.of_part(a, 2)
    part = bytewise.half(s, found) if found is not None else None
    return part if part is not None else s.pure(opcode("cvt", type="u16", atype="u32"), B16, s.int_value(a))
