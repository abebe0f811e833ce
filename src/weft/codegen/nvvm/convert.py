"""Conversions between f32, 16-bit floats and the packed floats of 8, 6 and 4 bits: `cvt`."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from weft.codegen import linear
from weft.codegen.asm import append
from weft.codegen.bitcast import recast
from weft.codegen.graph import B16, B32, Value
from weft.codegen.linear import Lin
from weft.codegen.ops.arith_cast import to_bits
from weft.codegen.selector import Selector, handles
from weft.codegen.types import Scalar, is_vector, layout
from weft.codegen.vectors import elements
from weft.dialects.narrow import stated, worded
from weft.isa import Opcode, opcode

_NARROW = {
    "f8E4M3FN": "e4m3", "f8E5M2": "e5m2", "f8E8M0FNU": "ue8m0", "f6E2M3FN": "e2m3", "f6E3M2FN": "e3m2",
    "f4E2M1FN": "e2m1",
}  # fmt: skip
_HALF = Scalar("float", B16, 16, "f16")


def narrow(op: Operation, count: int) -> str:
    """The PTX name of the packed type that the operation converts to or from."""
    given = op.properties.get("dstTy") or op.properties["srcType"]
    return f"{_NARROW[given.name]}x{count}"


def modes(op: Operation) -> dict[str, Any]:
    """The slots of the rounding mode, the saturation and `.relu`."""
    slots: dict[str, Any] = {}
    for name, slot in (("rnd", "rnd"), ("sat", "satfinite")):
        word = worded(op, name, "none")
        if word != "none":
            slots[slot] = word
    if stated(op, "relu", 0):
        slots["relu"] = "relu"
    return slots


def convert(slots: dict[str, Any], type_: str, source: str) -> Opcode:
    """The opcode of a conversion."""
    return opcode("cvt", **slots, type=type_, atype=source)


@handles("nvvm.convert.float.to.tf32")
def select_tf32(s: Selector, op: Operation) -> None:
    """An f32 rounded to tf32."""
    text = convert(modes(op), "tf32", "f32")
    out = s.pure(text, B32, s.register(s.get(op.operands[0]), B32))
    s.values[op.results[0]] = s.wrapped(out, layout(op.results[0].type).scalars[0])


def _bind_bits(s: Selector, result: Any, packed: Value) -> None:
    """Bind a result to the 16 bits of a register: an integer, or two bytes of which the first is the low one."""
    bits = linear.of(s.pure(opcode("cvt", type="u32", atype="u16"), B32, packed, lo=0, hi=0xFFFF))
    if is_vector(result.type):
        s.values[result] = (bits, s.shift_right(bits, 8, signed=False))
    else:
        s.values[result] = bits


def _bits(s: Selector, value: Any) -> Value:
    """The 16-bit register of two bytes, the first the low one."""
    low, high = (s.exactly(part, 8, signed=False) for part in elements(s, s.get(value), value.type))
    whole: Lin = s.bitwise("or", low, s.shift_left(high, linear.const32(8)))
    return s.pure(opcode("cvt", type="u16", atype="u32"), B16, s.int_value(whole))


@handles("nvvm.convert.f32x2.to.f8x2", "nvvm.convert.f32x2.to.f6x2")
def select_pair(s: Selector, op: Operation) -> None:
    """Two f32 as two packed floats; the first operand goes into the upper byte."""
    slots = modes(op)
    if "rnd" not in slots:
        slots |= {"rnd": "rn", "satfinite": "satfinite"}
    a, b = (s.register(s.get(v), B32) for v in op.operands)
    _bind_bits(s, op.results[0], s.pure(convert(slots, narrow(op, 2), "f32"), B16, a, b))


@handles("nvvm.convert.f32x2.to.f4x2")
def select_nibbles(s: Selector, op: Operation) -> None:
    """Two f32 as the nibbles of a byte: PTX writes a `.b8` register, which is made here of a wider one."""
    slots = modes(op) | {"rnd": "rn", "satfinite": "satfinite"}
    a, b = (s.register(s.get(v), B32) for v in op.operands)
    byte = s.value(B16)
    code = convert(slots, narrow(op, 2), "f32")
    append(s, op, f"{{ .reg .b8 byte; {code} byte, $1, $2; cvt.u16.u8 $0, byte; }}", (byte,), a, b)
    s.values[op.results[0]] = linear.of(s.pure(opcode("cvt", type="u32", atype="u16"), B32, byte, lo=0, hi=255))


@handles("nvvm.convert.f16x2.to.f8x2", "nvvm.convert.bf16x2.to.f8x2")
def select_from_half(s: Selector, op: Operation) -> None:
    """Two 16-bit floats as two packed ones."""
    slots = modes(op)
    source = "f16x2"
    if op.name == "nvvm.convert.bf16x2.to.f8x2":
        source = "bf16x2"
    else:
        slots |= {"rnd": "rn", "satfinite": "satfinite"}
    lane = s.register(s.get(op.operands[0])[0], B32)
    _bind_bits(s, op.results[0], s.pure(convert(slots, narrow(op, 2), source), B16, lane))


@handles("nvvm.convert.f8x2.to.f16x2", "nvvm.convert.f6x2.to.f16x2", "nvvm.convert.f8x2.to.bf16x2")
def select_to_half(s: Selector, op: Operation) -> None:
    """Two packed floats as 16-bit ones."""
    half = op.name.rpartition(".")[2]
    text = convert({"rnd": "rn", **modes(op)}, half, narrow(op, 2))
    s.values[op.results[0]] = (s.pure(text, B32, _bits(s, op.operands[0])),)


@handles("nvvm.convert.f4x2.to.f16x2")
def select_from_nibbles(s: Selector, op: Operation) -> None:
    """The two nibbles of a byte as 16-bit floats."""
    text = convert({"rnd": "rn", **modes(op)}, "f16x2", narrow(op, 2))
    source = s.pure(opcode("cvt", type="u16", atype="u32"), B16, s.int_value(s.int(op.operands[0])))
    out = s.value(B32)
    append(s, op, f"{{ .reg .b8 byte; cvt.u8.u16 byte, $1; {text} $0, byte; }}", (out,), source)
    s.values[op.results[0]] = (out,)


@handles("nvvm.convert.f32x2.to.f16x2", "nvvm.convert.f32x2.to.bf16x2")
def select_halves(s: Selector, op: Operation) -> None:
    """Two f32 as two 16-bit floats, the first operand the upper; random bits if the rounding is stochastic."""
    operands = [s.register(s.get(v), B32) for v in op.operands[:2]]
    operands += [s.int_value(s.int(v)) for v in op.operands[2:]]
    text = convert(modes(op), op.name.rpartition(".")[2], "f32")
    s.values[op.results[0]] = (s.pure(text, B32, *operands),)


@handles("nvvm.convert.f32x4.to.f8x4", "nvvm.convert.f32x4.to.f6x4", "nvvm.convert.f32x4.to.f4x4")
def select_quad(s: Selector, op: Operation) -> None:
    """Four f32 as four packed floats, rounded by random bits; the first element is the highest, as LLVM has it."""
    slots = modes(op) | {"rnd": "rs", "satfinite": "satfinite"}
    source, bits = op.operands
    parts = tuple(s.register(x, B32) for x in elements(s, s.get(source), source.type))
    four = op.name.endswith("f4x4")
    out = s.pure(convert(slots, narrow(op, 4), "f32"), B16 if four else B32, parts, s.int_value(s.int(bits)))
    if four:
        s.values[op.results[0]] = to_bits(s, out, _HALF)
    else:
        s.values[op.results[0]] = recast(s, linear.of(out), bits.type, op.results[0].type)
