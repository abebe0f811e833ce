"""Operands that are more than a register or a constant compute what the same text with plain operands computes.

ptxas's machine code confirmed each rule: sums wrap at the register's width, wider registers are extended, floats by
zeros.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import weft
from tests.effort import one_in
from tests.sim.harness import Array, kernel, launch
from weft.isa.types import TYPES, compatible
from weft.ptx.body import MAX_NESTING
from weft.sim import KernelFault, SimulationError, run

ENGINES = ("numpy", "native")
INPUT = np.frombuffer(np.random.default_rng(5).bytes(32 * 16), np.uint8)


def results(body: str, engine: str, declared: str = "", extra: str = "") -> Array:
    """What a body stores through %out, where it reads through %in; each thread has 16 bytes of both."""
    text = f"""
.reg .b64 %in, %out, %at; .reg .b32 %me; {declared}
mov.u32 %me, %tid.x; mul.wide.u32 %at, %me, 16;
ld.param.u64 %in, [p0]; ld.param.u64 %out, [p1]; add.u64 %in, %in, %at; add.u64 %out, %out, %at;
{body}
ret;
"""
    made = kernel(text, ["u64", "u64"], extra=extra)
    assert not weft.verify(made)
    out = np.zeros(32 * 16, np.uint8)
    run(made, "k", 1, 32, [INPUT.copy(), out], engine=engine)
    return out


SUMS = {
    16: ["mul.lo.u16 d, {}, 5", "mul.wide.s16 %me, {}, 3; cvt.u16.u32 d, %me", "shr.s16 d, {}, 3", "mov.b16 d, {}"],
    32: [
        "mul.wide.u32 %at, {}, 9; cvt.u32.u64 d, %at",
        "cvt.s64.s32 %at, {}; shr.u64 %at, %at, 20; cvt.u32.u64 d, %at",
        "mad.lo.u32 d, {}, {}, s",
        "cvt.rn.f32.u32 d, {}",
        "lop3.b32 d, s, {}, s, 0x2d",
        "mov.b32 d, {}",
        "@%p mul.lo.u32 d, {}, 7",
        "setp.lt.s32 %p, {}, s; selp.b32 d, {}, s, %p",
    ],
    64: ["mul.hi.u64 d, {}, s", "shl.b64 d, {}, 7", "min.s64 d, s, {}", "popc.b64 %me, {}; cvt.u64.u32 d, %me"],
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("bits", "text"), [(bits, text) for bits, texts in SUMS.items() for text in texts])
def test_register_plus_number(bits: int, text: str, engine: str) -> None:
    """`s+7` is what an addition into another register gives."""
    declared = f".reg .b{bits} d, s, t; .reg .pred %p;"
    before = f"ld.global.b{bits} s, [%in]; mov.b{bits} d, 0; setp.ne.u32 %p, %me, 3;"
    after = f"st.global.b{bits} [%out], d;"
    for number in (1, -1, (1 << bits - 1) - 1, 0)[:: one_in(2)]:
        sums = results(f"{before} {text.format(f's+{number}', f's+{number}')}; {after}", engine, declared)
        added = f"add.u{bits} t, s, {number};"
        plain = results(f"{before} {added} {text.format('t', 't')}; {after}", engine, declared)
        assert (sums == plain).all(), number


@pytest.mark.parametrize("engine", ENGINES)
def test_sums_where_names_hide_others(engine: str) -> None:
    """Each scope's register of a name is the one that is added to, and special registers are registers."""
    body = """
.reg .b32 s; mov.u32 s, 5;
{ .reg .b64 s; mov.u64 s, 0x1ffffffff; st.global.u64 [%out], s+1; }
st.global.u32 [%out+8], s+2;
mov.u32 %me, %laneid+3; st.global.u32 [%out+12], %me;
"""
    out = results(body, engine).view(np.uint32).reshape(32, 4)
    assert (out[:, :3] == (0, 2, 7)).all()
    assert (out[:, 3] == np.arange(3, 35)).all()


def test_sums_of_floats_are_refused() -> None:
    """ptxas takes `f+1` and drops the code."""
    with pytest.raises(SimulationError, match=r"'f\+1' adds a number to a register of type \.f32"):
        results("mov.f32 f, 0f3F800000; st.global.f32 [%out], f+1;", "numpy", ".reg .f32 f;")


LOADED = ("b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64")
HELD = ("b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64")
LOADS = [(type_, held) for type_, held in product(LOADED, HELD) if compatible(held, type_, loose=True)]


def extended(values: Array, type_: str, bits: int) -> Array:
    """Values of a type as the words of a register of that many bits."""
    signed = TYPES[type_].kind == "s"
    own = values.view(f"{'i' if signed else 'u'}{values.itemsize}")
    return own.astype(f"{'i' if signed else 'u'}{bits // 8}").view(f"u{bits // 8}")


@pytest.mark.sample(10)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("type_", "held"), LOADS)
def test_loads_into_wider_registers(type_: str, held: str, engine: str) -> None:
    bits, size = TYPES[held].bits, TYPES[type_].bits // 8
    body = f"ld.global.{type_} d, [%in]; st.global.b{bits} [%out], d;"
    out = results(body, engine, f".reg .{held} d;").reshape(32, 16)[:, : bits // 8]
    loaded = np.ascontiguousarray(INPUT.reshape(32, 16)[:, :size]).view(f"u{size}")[:, 0]
    expected = extended(loaded, type_, bits)
    assert (np.ascontiguousarray(out).view(expected.dtype)[:, 0] == expected).all()


CONVERSIONS = [
    ("rn.f16.f32", "f16", "f32"),
    ("f32.f16", "f32", "f16"),
    ("rn.f32.f64", "f32", "f64"),
    ("rni.f32.f32", "f32", "f32"),
    ("rzi.s16.f32", "s16", "f32"),
    ("rzi.u16.f32", "u16", "f32"),
    ("rn.f32.s32", "f32", "s32"),
    ("s8.s32", "s8", "s32"),
    ("sat.u8.s32", "u8", "s32"),
]


CONVERTED = [
    (*case, held)
    for case, held in product(CONVERSIONS, ("b16", "b32", "b64", "u32", "s64"))
    if compatible(held, case[1], wider=True)
]


@pytest.mark.sample(7)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("text", "type_", "source", "held"), CONVERTED)
def test_conversions_into_wider_registers(text: str, type_: str, source: str, held: str, engine: str) -> None:
    """`cvt` gives a wider register the value, sign-extended where it is signed."""
    bits, own = TYPES[held].bits, TYPES[type_].bits
    small = f"b{max(own, 16)}"
    load = f"ld.global.b{TYPES[source].bits} s, [%in];"
    declared = f".reg .b{TYPES[source].bits} s; .reg .{held} d; .reg .{small} e;"
    wide = results(f"{load} cvt.{text} d, s; st.global.b{bits} [%out], d;", engine, declared)
    alone = results(f"{load} cvt.{text} e, s; st.global.b{own} [%out], e;", engine, declared)
    values = np.ascontiguousarray(alone.reshape(32, 16)[:, : own // 8]).view(f"u{own // 8}")[:, 0]
    expected = extended(values, type_, bits)
    assert (np.ascontiguousarray(wide.reshape(32, 16)[:, : bits // 8]).view(expected.dtype)[:, 0] == expected).all()


@pytest.mark.sample(3)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("vector", "bits"), [("v2 .u32", 64), ("v2 .b16", 32), ("v4 .u16", 64), ("v4 .b8", 32)])
def test_vector_registers_as_scalars(vector: str, bits: int, engine: str) -> None:
    """`mov.b64 d, v` packs the elements of a vector register, and takes them apart."""
    body = f"ld.global.b{bits} s, [%in]; mov.b{bits} v, s; mov.b{bits} d, v; st.global.b{bits} [%out], d;"
    out = results(body, engine, f".reg .{vector} v; .reg .b{bits} d, s;").reshape(32, 16)[:, : bits // 8]
    assert (out == INPUT.reshape(32, 16)[:, : bits // 8]).all()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("indirect", [False, True])
def test_vector_registers_in_calls(indirect: bool, engine: str) -> None:
    """A function takes and returns vector registers, also through a prototype."""
    function = """
.func (.reg .v2 .u32 r) turned(.reg .v2 .u32 v, .reg .u32 n) { add.u32 r.x, v.y, n; mov.u32 r.y, v.x; ret; }
"""
    call = "call (w), turned, (v, 9);"
    if indirect:
        call = "P: .callprototype (.reg .v2 .u32 _) _ (.reg .v2 .u32 _, .reg .u32 _); call (w), f, (v, 9), P;"
        call = f"mov.u64 f, turned; {call}"
    body = f"ld.global.v2.u32 v, [%in]; {call} st.global.v2.u32 [%out], w;"
    out: Any = results(body, engine, ".reg .v2 .u32 v, w; .reg .b64 f;", function).view(np.uint32).reshape(32, 4)
    given = INPUT.view(np.uint32).reshape(32, 4)
    assert (out[:, 0] == given[:, 1] + 9).all()
    assert (out[:, 1] == given[:, 0]).all()


ARRAYS = """
.global .b32 words[8] = {10, 11, 12, 13, 14, 15, 16, 17}; .global .v2 .b32 pairs[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
.global .b8 bytes[8] = {9, 8, 7, 6, 5, 4, 3, 2}; .global .b32 square[2][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
"""
ELEMENTS = [
    ("words[3]", 13, 32),
    ("words[i]", 12, 32),
    ("words[i+1]", 13, 32),
    ("words[1+4]", 15, 32),
    ("words[wide]", 12, 32),
    ("words[half]", 12, 32),
    ("pairs[3]", 4, 32),
    ("square[5]", 6, 32),
    ("bytes[i]", 7, 8),
    ("bytes[i+2]", 5, 8),
]


@pytest.mark.sample(7)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("element", "value", "bits"), ELEMENTS)
def test_elements_of_arrays(element: str, value: int, bits: int, engine: str) -> None:
    """`array[i]` counts in elements of the scalar type, by the low 32 bits of a register."""
    declared = ".reg .b32 i, d, e; .reg .b64 wide, a; .reg .b16 half;"
    set_ = "mov.u32 i, 2; mov.u64 wide, 0x700000002; mov.u16 half, 2; add.u32 i, i, %me; sub.u32 i, i, %me;"
    body = f"{set_} ld.global.u{bits} d, {element}; mov.u64 a, {element}; ld.global.u{bits} e, [a];"
    out = results(f"{body} st.global.v2.b32 [%out], {{d, e}};", engine, declared, ARRAYS).view(np.uint32)
    assert (out.reshape(32, 4)[:, :2] == value).all()


@pytest.mark.parametrize("engine", ENGINES)
def test_elements_of_the_threads_own_arrays(engine: str) -> None:
    """Stores to elements, and elements of arrays that hide others, in shared and local memory and parameters."""
    body = """
.shared .b32 words[32]; .local .b64 own[4]; .reg .b32 d; .reg .b64 a, e;
st.shared.u32 words[%me], %me; st.local.u64 own[2], 5; mov.u32 d, 3; st.local.u64 own[d], 6;
ld.shared.u32 d, words[%me]; ld.local.u64 e, own[2]; cvta.local.u64 a, own[3]; ld.u64 a, [a];
st.global.b32 [%out], d; add.u64 a, a, e; st.global.b64 [%out+8], a;
"""
    out = results(body, engine, extra=ARRAYS).view(np.uint32).reshape(32, 4)
    assert (out[:, 0] == np.arange(32)).all()
    assert (out[:, 2] == 11).all()


@pytest.mark.sample(1)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("read", ["s", "s+1"])
def test_scopes_within_each_other(read: str, engine: str) -> None:
    """Scopes nest as deep as the parser takes them, which is deeper than Python's calls."""
    deep = MAX_NESTING - 2
    out = results(f".reg .b32 s; mov.u32 s, 4; {'{' * deep} st.global.u32 [%out], {read}; {'}' * deep}", engine)
    assert out.view(np.uint32).reshape(32, 4)[0, 0] == 4 + read.count("1")


@pytest.mark.parametrize(
    ("register", "index", "reached"),
    [
        ("%r1", 0xFFFF_FFFF, 0xFFFF_FFFF),
        ("%r1", 0x1_0005, 0x1_0005),
        ("%rs1", 0xFFFF, 0xFFFF),
        ("%rd1", 0x7_0000_0123, 0x123),
    ],
)
def test_indices_are_the_low_32_bits_of_a_register(register: str, index: int, reached: int) -> None:
    """And have no sign: where they lead is told of elements far behind an array."""
    bits = {"%r": 32, "%rs": 16, "%rd": 64}[register[:-1]]
    body = f".shared .align 16 .b32 s[8]; mov.u{bits} {register}, {index}; ld.shared.u32 %r2, s[{register}]; ret;"
    with pytest.raises(KernelFault) as caught:
        launch(body, [])
    assert (caught.value.kind, caught.value.address) == ("out-of-bounds", 4 * reached)


@pytest.mark.parametrize("engine", ENGINES)
def test_sums_of_16_bits_wrap_there(engine: str) -> None:
    """Whatever an instruction then reads of the sum."""
    body = "mov.u16 h, 0xFFFE; st.global.u16 [%out], h+1; st.global.u16 [%out+2], h+3; cvt.u32.u16 i, h+5; st.global.u32 [%out+4], i;"
    out = results(body, engine, ".reg .b16 h; .reg .b32 i;").view(np.uint32)
    assert (out.reshape(32, 4)[:, :2] == [0x0001FFFF, 3]).all()
