"""Loads and stores in every space, vectors, generic addresses, atomics, module variables, arguments."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import weft
from tests.sim.harness import INDEX, REGISTERS, floats, integers, kernel, launch, module
from weft.sim import SimulationError, run

AT = INDEX + "ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1];"


@pytest.mark.parametrize(("type_", "dtype"), [("u8", np.uint8), ("s8", np.int8), ("u16", np.uint16), ("s16", np.int16)])
def test_narrow_loads_extend(type_: str, dtype: Any) -> None:
    a = integers(dtype, 64)
    out = np.zeros(64, np.uint32)
    body = f"{AT} mad.wide.u32 %rd1, %r0, {a.itemsize}, %rd1; mad.wide.u32 %rd2, %r0, 4, %rd2;"
    launch(f"{body} ld.global.{type_} %r1, [%rd1]; st.global.u32 [%rd2], %r1; ret;", [a, out], grid=2)
    assert (out == a.astype(np.int64).astype(np.uint32)).all()


@pytest.mark.parametrize("vector", ["v2.b32", "v4.b32", "v2.b64", "v4.b16", "v2.b8", "v4.b8"])
def test_vectors(vector: str) -> None:
    count, bits = int(vector[1]), int(vector[4:])
    words = integers(np.uint8, 32 * count * bits // 8).view(f"u{bits // 8}")
    out = np.zeros_like(words)
    prefix = {8: "%rs", 16: "%rs", 32: "%r1", 64: "%rd1"}[bits]
    listed = ", ".join(f"{prefix}{i + 1}" for i in range(count))
    reverse = ", ".join(f"{prefix}{i + 1}" for i in reversed(range(count)))
    step = count * bits // 8
    body = f"{AT} mad.wide.u32 %rd1, %r0, {step}, %rd1; mad.wide.u32 %rd2, %r0, {step}, %rd2;"
    launch(
        f"{body} ld.global.{vector} {{{listed}}}, [%rd1]; st.global.{vector} [%rd2], {{{reverse}}}; ret;", [words, out]
    )
    assert (out.reshape(-1, count) == words.reshape(-1, count)[:, ::-1]).all()


def test_wide_vectors_and_128_bit_words() -> None:
    words = integers(np.uint32, 256)
    out = np.zeros_like(words)
    body = AT.replace("%rd2", "%rd9") + "mad.wide.u32 %rd1, %r0, 32, %rd1; mad.wide.u32 %rd9, %r0, 32, %rd9;"
    body += """.reg .b128 %q<3>; ld.global.b128 %q1, [%rd1]; mov.b128 {%rd3, %rd4}, %q1; mov.b128 %q2, {%rd4, %rd3};
    st.global.b128 [%rd9], %q2; ld.global.v4.b32 {%r1, _, %r3, %r4}, [%rd1+16]; mov.u32 %r2, 5;
    st.global.v4.b32 [%rd9+16], {%r4, %r3, %r2, 7}; ret;"""
    launch(body, [words, out], target="sm_90")
    w, o = words.reshape(-1, 8), out.reshape(-1, 8)
    assert (o[:, :4] == w[:, [2, 3, 0, 1]]).all()
    assert (o[:, 4:] == np.stack([w[:, 7], w[:, 6], np.full(32, 5), np.full(32, 7)], axis=1)).all()


def test_generic_addresses_of_all_spaces() -> None:
    """One generic load sees global, shared, local and constant memory, each lane its own."""
    a = integers(np.uint32, 32)
    out = np.zeros(32, np.uint32)
    extra = ".const .align 4 .u32 table[4] = {11, 22, 33, 44};"
    body = f"""{AT}
    .shared .align 4 .b8 s[128]; .local .align 4 .b8 depot[16];
    shl.b32 %r1, %r0, 2; mov.u32 %r2, s; add.u32 %r2, %r2, %r1; add.u32 %r3, %r0, 100; st.shared.u32 [%r2], %r3;
    mov.u64 %rd5, depot; add.u32 %r3, %r0, 200; st.local.u32 [%rd5+4], %r3; cvta.local.u64 %rd6, %rd5; add.u64 %rd6, %rd6, 4;
    cvt.u64.u32 %rd7, %r2; cvta.shared.u64 %rd7, %rd7;
    mad.wide.u32 %rd8, %r0, 4, %rd1;
    mov.u64 %rd9, table; cvta.const.u64 %rd9, %rd9; add.u64 %rd9, %rd9, 8;
    and.b32 %r4, %r0, 3; setp.eq.u32 %p1, %r4, 0; setp.eq.u32 %p2, %r4, 1; setp.eq.u32 %p3, %r4, 2;
    selp.b64 %rd10, %rd6, %rd9, %p3; selp.b64 %rd10, %rd7, %rd10, %p2; selp.b64 %rd10, %rd8, %rd10, %p1;
    bar.warp.sync -1;
    ld.u32 %r5, [%rd10];
    isspacep.shared %p4, %rd10; isspacep.local %p5, %rd10;
    @%p4 add.u32 %r5, %r5, 1000; @%p5 add.u32 %r5, %r5, 5000;
    mad.wide.u32 %rd2, %r0, 4, %rd2; st.u32 [%rd2], %r5; ret;"""
    launch(body, [a, out], extra=extra)
    lanes = np.arange(32)
    want = np.select([lanes % 4 == 0, lanes % 4 == 1, lanes % 4 == 2], [a, lanes + 1100, lanes + 5200], 33)
    assert (out == want).all()


def test_module_variables_and_initialisers() -> None:
    text = """
    .global .align 8 .u64 pointers[2] = {numbers, generic(numbers)+8};
    .global .align 4 .f32 numbers[2][2] = {{1.5, 0f40200000}, {3.5}};
    .global .align 2 .b8 bytes[] = {1, 0xFF, 3};
    .visible .entry k(.param .u64 p0) { """
    text += (
        REGISTERS
        + """
    ld.param.u64 %rd1, [p0]; ld.global.u64 %rd2, [pointers+8]; ld.f32 %f1, [%rd2]; st.global.f32 [%rd1], %f1;
    ld.global.u64 %rd3, [pointers]; ld.global.f32 %f1, [%rd3+4]; st.global.f32 [%rd1+4], %f1;
    ld.global.f32 %f1, [numbers+12]; st.global.f32 [%rd1+8], %f1;
    ld.global.s8 %r1, [bytes+1]; cvt.rn.f32.s32 %f1, %r1; st.global.f32 [%rd1+12], %f1; ret; }"""
    )
    out = np.zeros(4, np.float32)
    run(module(text), "k", 1, 1, [out])
    assert out.tolist() == [3.5, 2.5, 0.0, -1.0]


def test_dynamic_shared_memory_comes_after_static() -> None:
    text = (
        """
    .extern .shared .align 16 .b8 dynamic[];
    .visible .entry k(.param .u64 p0) { .shared .align 4 .b8 fixed[20];"""
        + REGISTERS
        + """
    ld.param.u64 %rd1, [p0]; mov.u32 %r1, fixed; mov.u32 %r2, dynamic; st.global.v2.u32 [%rd1], {%r1, %r2};
    mov.u32 %r3, 7; st.shared.u32 [dynamic+28], %r3; ld.shared.u32 %r4, [%r2+28]; st.global.u32 [%rd1+8], %r4; ret; }"""
    )
    out = np.zeros(3, np.uint32)
    run(module(text), "k", 1, 1, [out], shared_bytes=32)
    assert (out[0], out[1] % 16, out[2]) == (0, 0, 7)
    assert out[1] >= 32  # There may be a gap behind each variable, in which accesses are faults.


ATOMICS = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


@pytest.mark.sample(7)
@pytest.mark.parametrize("spread", [1, 5, 1000])
@pytest.mark.parametrize("op", ATOMICS)
def test_atomics_meet(op: str, spread: int) -> None:
    """The final values, and old values that are some order of turns."""
    n = 256
    type_ = "b32" if op in ("and", "or", "xor") else "s32"
    values, place = integers(np.int32, n, 1), np.random.default_rng(2).integers(0, spread, n, dtype=np.uint32)
    memory = integers(np.int32, spread + 100, 3)
    start, old = memory.copy(), np.zeros(n, np.int32)
    body = (
        INDEX
        + f"""
    ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2]; ld.param.u64 %rd4, [p3];
    mad.wide.u32 %rd2, %r0, 4, %rd2; ld.global.u32 %r1, [%rd2];
    mad.wide.u32 %rd3, %r0, 4, %rd3; ld.global.u32 %r2, [%rd3]; mad.wide.u32 %rd1, %r2, 4, %rd1;
    atom.global.{op}.{type_} %r3, [%rd1], %r1; mad.wide.u32 %rd4, %r0, 4, %rd4; st.global.u32 [%rd4], %r3; ret;"""
    )
    launch(body, [memory, values, place, old], block=256)
    want = start.copy()
    chain: dict[int, list[int]] = {}
    for i in range(n):
        chain.setdefault(int(place[i]), []).append(i)
    with np.errstate(over="ignore"):
        for p, turns in chain.items():
            for i in turns:
                assert old[i] == want[p]
                want[p] = ATOMICS[op](want[p], values[i])
    assert (memory == want).all()


def test_compare_and_swap_and_counters() -> None:
    """Threads take tickets with inc, and one of them wins a cas."""
    counter, winner, tickets = np.zeros(1, np.uint32), np.full(1, 99, np.uint32), np.zeros(100, np.uint32)
    body = (
        INDEX
        + """
    ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2];
    atom.global.inc.u32 %r1, [%rd1], 6; mad.wide.u32 %rd3, %r0, 4, %rd3; st.global.u32 [%rd3], %r1;
    atom.global.cas.b32 %r2, [%rd2], 99, %r0; ret;"""
    )
    launch(body, [counter, winner, tickets], block=100)
    assert tickets.tolist() == [i % 7 for i in range(100)]
    assert counter[0] == 100 % 7
    assert winner[0] == 0


def test_float_reductions() -> None:
    total, half = np.zeros(2, np.float32), np.zeros(2, np.float16)
    a = floats(np.float32, 512, special=False).clip(-8, 8)
    body = (
        INDEX
        + """
    ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2];
    mad.wide.u32 %rd1, %r0, 4, %rd1; ld.global.f32 %f1, [%rd1]; and.b32 %r1, %r0, 1; mad.wide.u32 %rd2, %r1, 4, %rd2;
    red.global.add.f32 [%rd2], %f1; mov.b32 %r2, 0x38003C00; red.global.add.noftz.f16x2 [%rd3], %r2; ret;"""
    )
    launch(body, [a, total, half], block=512)
    want = [np.add.accumulate(a[i::2], dtype=np.float32)[-1] for i in range(2)]
    assert total.tolist() == want
    assert half.tolist() == [512.0, 256.0]


def test_arguments() -> None:
    """Scalars by the parameter's type, aliased arrays, bf16 buffers, structures as bytes."""
    text = (
        """.visible .entry k(.param .u64 a, .param .f32 f, .param .b32 untyped, .param .s16 h, .param .f64 d, .param .u64 b,
    .param .align 8 .b8 s[12], .param .u64 brain) {"""
        + REGISTERS
        + """
    ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.f32 %f1, [f]; st.global.f32 [%rd1], %f1;
    ld.param.f32 %f2, [untyped]; st.global.f32 [%rd2+4], %f2; ld.param.s16 %r1, [h]; cvt.rn.f32.s32 %f3, %r1;
    st.global.f32 [%rd1+8], %f3; ld.param.f64 %fd1, [d]; cvt.rn.f32.f64 %f4, %fd1; st.global.f32 [%rd1+12], %f4;
    ld.param.u32 %r2, [s+8]; cvt.rn.f32.u32 %f5, %r2; st.global.f32 [%rd1+16], %f5;
    ld.param.u64 %rd3, [brain]; ld.global.b16 %rs1, [%rd3]; st.global.b16 [%rd3+2], %rs1; ret; }"""
    )
    a = np.zeros(5, np.float32)
    brain = np.array([2.5, 0], ml_dtypes.bfloat16)
    structure = np.array([1, 2, 77], np.uint32).tobytes()
    run(module(text), "k", 1, 1, [a, 1.5, 2.5, -3, 4.25, a, structure, brain])
    assert a.tolist() == [1.5, 2.5, -3.0, 4.25, 77.0]
    assert brain.astype(np.float32).tolist() == [2.5, 2.5]


def test_strided_array_is_changed_in_place() -> None:
    base = np.zeros((4, 8), np.uint32)
    view = base[:, ::2]
    body = AT.split("ld.param.u64 %rd2")[0] + "mad.wide.u32 %rd1, %r0, 4, %rd1; st.global.u32 [%rd1], %r0; ret;"
    launch(body, [view], block=16)
    assert (view.reshape(-1) == np.arange(16)).all()
    assert (base[:, 1::2] == 0).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "takes 2 arguments, got 0"),
        ([np.zeros(4), 2.5], "the float 2.5 does not fit"),
        ([np.zeros(4), 1 << 40], "does not fit"),
        ([np.zeros(4), np.zeros(4)], "pass a scalar"),
        (["x", 1], "str does not fit"),
    ],
)
def test_bad_arguments(arguments: list[Any], message: str) -> None:
    with pytest.raises(SimulationError, match=message):
        run(kernel("ret;", ["u64", "u32"]), "k", 1, 1, arguments)


def test_bad_launches() -> None:
    good = kernel("ret;", [])
    with pytest.raises(SimulationError, match="no kernel 'nobody'"):
        run(good, "nobody", 1, 1, [])
    with pytest.raises(SimulationError, match="at most 1024|too large"):
        run(good, "k", 1, 2048, [])
    with pytest.raises(SimulationError, match="must be one to three"):
        run(good, "k", (1, 0), 32, [])
    fixed = weft.parse(good.to_ptx().replace(".visible .entry k()", ".visible .entry k() .reqntid 64, 1, 1"))
    with pytest.raises(SimulationError, match="needs a block of"):
        run(fixed, "k", 1, 32, [])


def test_counters() -> None:
    a, out = integers(np.uint32, 64), np.zeros(64, np.uint32)
    body = f"{AT} mad.wide.u32 %rd1, %r0, 4, %rd1; mad.wide.u32 %rd2, %r0, 4, %rd2; ld.global.u32 %r1, [%rd1];"
    result = launch(f"{body} st.global.u32 [%rd2], %r1; ret;", [a, out], grid=2)
    assert result.instructions["st"] == 64
    assert result.instructions["ret"] == 64
    assert result.bytes_stored["global"] == 256
    assert result.thread_instructions == sum(result.instructions.values())


def test_vectors_are_moved_element_by_element() -> None:
    text = """.version 8.8
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 p) {
.reg .b64 %rd; .reg .b32 %r<9>;
ld.param.u64 %rd, [p]; mov.u32 %r8, %tid.x; mov.u32 %r7, %tid.y; mad.lo.u32 %r8, %r7, 4, %r8; mad.wide.u32 %rd, %r8, 32, %rd;
mov.v4.u32 {%r0, %r1, %r2, %r3}, %tid; mov.v2.u32 {%r4, %r5}, {%r0, 7}; mov.v2.b32 {%r4, %r5}, {%r5, %r4};
st.global.v4.b32 [%rd], {%r0, %r1, %r2, %r3}; st.global.v2.b32 [%rd+16], {%r4, %r5}; ret; }
"""
    found = np.zeros((8, 8), np.uint32)
    weft.run(weft.parse(text), "k", 1, (4, 2), [found])
    assert found.tolist() == [[x, y, 0, 0, 7, x, 0, 0] for y in range(2) for x in range(4)]
