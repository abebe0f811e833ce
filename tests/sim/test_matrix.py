"""Matrix instructions: every shape and type of mma, and the copies, with the layouts written down from the PTX manual."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.sim.harness import INDEX, Array, launch
from weft.sim.elements import decode

LANE = np.arange(32)
GROUP, MEMBER = LANE // 4, LANE % 4
FORMATS: dict[str, tuple[int, Any]] = {
    "f16": (16, np.float16),
    "bf16": (16, ml_dtypes.bfloat16),
    "tf32": (32, np.float32),
    "f64": (64, np.float64),
    "s8": (8, np.int8),
    "u8": (8, np.uint8),
    "e4m3": (8, ml_dtypes.float8_e4m3fn),
    "e5m2": (8, ml_dtypes.float8_e5m2),
    "s4": (4, None),
    "u4": (4, None),
    "b1": (1, None),
}


def place(role: str, rows: int, bits: int, i: int) -> tuple[Array, Array]:
    """Row and column, for each lane, of element `i` of a multiplicand (`a` or `b`) or accumulator (`c`)."""
    if role == "c":
        return GROUP + 8 * (i // 2), 2 * MEMBER + i % 2
    each = max(1, 32 // bits)
    register, position = divmod(i, each)
    halves = 2 if role == "a" and rows == 16 else 1
    major = GROUP + 8 * (register % halves)
    minor = MEMBER * each + position + 4 * each * (register // halves)
    return (major, minor) if role == "a" else (minor, major)


def codes(values: Array, type_: str) -> Array:
    """Matrix elements as integers of the type's width."""
    bits, dtype = FORMATS[type_]
    if dtype is None:
        return values.astype(np.int64) & ((1 << bits) - 1)
    return np.ascontiguousarray(values.astype(dtype)).view(f"u{bits // 8}").astype(np.uint64)


def registers(matrix: Array, role: str, m: int, bits: int) -> Array:
    """A matrix of codes as registers: lanes by registers, 32 bits each (64 for f64)."""
    width = max(32, bits)
    each = width // bits
    count = matrix.size // 32
    out = np.zeros((32, count // each), f"u{width // 8}")
    for i in range(count):
        row, column = place(role, m, bits, i)
        out[:, i // each] |= (matrix[row, column].astype(np.uint64) << np.uint64(bits * (i % each))).astype(out.dtype)
    return out


def random_matrix(shape: tuple[int, int], type_: str, seed: int) -> Array:
    """Small integers, exact in every format and sum."""
    rng = np.random.default_rng(seed)
    low, high = {"u8": (0, 200), "s8": (-128, 127), "u4": (0, 15), "s4": (-8, 7), "b1": (0, 1)}.get(type_, (-4, 4))
    return rng.integers(low, high, shape, endpoint=True).astype(np.float64)


def multiply(opcode: str, a: Array, b: Array, c: Array, target: str = "sm_100a", **more: Any) -> Array:
    """Run one mma on registers of one warp (lanes by registers); the registers of D."""
    d = np.zeros_like(c)
    body = [INDEX]
    listed: list[str] = []
    for number, (letter, array) in enumerate((("a", a), ("b", b), ("c", c))):
        bits, count = 8 * array.itemsize, array.shape[1]
        body.append(f".reg .b{bits} %{letter}<{count}>; ld.param.u64 %rd1, [p{number}];")
        body.append(f"mad.wide.u32 %rd1, %r0, {count * array.itemsize}, %rd1;")
        body += [f"ld.global.b{bits} %{letter}{i}, [%rd1+{i * array.itemsize}];" for i in range(count)]
        listed.append("{" + ", ".join(f"%{letter}{i}" for i in range(count)) + "}")
    bits, count = 8 * c.itemsize, c.shape[1]
    body.append(f".reg .b{bits} %d<{count}>;")
    body.append(f"{opcode} {{{', '.join(f'%d{i}' for i in range(count))}}}, {', '.join(listed)};")
    body.append(f"ld.param.u64 %rd1, [p3]; mad.wide.u32 %rd1, %r0, {count * c.itemsize}, %rd1;")
    body += [f"st.global.b{bits} [%rd1+{i * c.itemsize}], %d{i};" for i in range(count)]
    launch("\n".join(body) + "ret;", [a, b, c, d], target=target, **more)
    return d


CASES = [
    *[(f"m16n8k{k}", t, acc) for k in (8, 16) for t, acc in (("f16", "f16"), ("f16", "f32"), ("bf16", "f32"))],
    *[(f"m16n8k{k}", "tf32", "f32") for k in (4, 8)],
    ("m8n8k4", "f64", "f64"),
    *[(f"m16n8k{k}", "f64", "f64") for k in (4, 8, 16)],
    *[(shape, t, "s32") for shape in ("m8n8k16", "m16n8k16", "m16n8k32") for t in ("s8", "u8")],
    *[(shape, t, "s32") for shape in ("m8n8k32", "m16n8k32", "m16n8k64") for t in ("s4", "u4")],
    *[(shape, t, acc) for shape in ("m16n8k16", "m16n8k32") for t in ("e4m3", "e5m2") for acc in ("f16", "f32")],
    *[(shape, t, "s32") for shape in ("m8n8k16", "m16n8k16", "m16n8k32") for t in ("s8.u8", "u8.s8")],
    *[(shape, t, "s32") for shape in ("m8n8k32", "m16n8k32", "m16n8k64") for t in ("s4.u4", "u4.s4")],
    *[(shape, t, "f32") for shape in ("m16n8k16", "m16n8k32") for t in ("e4m3.e5m2", "e5m2.e4m3")],
]


@pytest.mark.parametrize(("shape", "type_", "accumulator"), CASES)
def test_mma(shape: str, type_: str, accumulator: str) -> None:
    m, n, k = (int(v) for v in shape[1:].replace("n", " ").replace("k", " ").split())
    atype, btype = (type_.split(".") * 2)[:2]
    a, b, c = random_matrix((m, k), atype, 1), random_matrix((k, n), btype, 2), random_matrix((m, n), "f32", 3)
    bits = FORMATS[atype][0]
    c_type = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "s32": np.int32}[accumulator]
    c_bits = 8 * np.dtype(c_type).itemsize
    c_codes = np.ascontiguousarray(c.astype(c_type)).view(f"u{c_bits // 8}").astype(np.uint64)
    opcode = f"mma.sync.aligned.{shape}.row.col.{accumulator}.{atype}.{btype}.{accumulator}"
    d = multiply(
        opcode, registers(codes(a, atype), "a", m, bits), registers(codes(b, btype), "b", m, bits),
        registers(c_codes, "c", m, c_bits),
    )  # fmt: skip
    want = np.ascontiguousarray((a @ b + c).astype(c_type)).view(f"u{c_bits // 8}").astype(np.uint64)
    assert (d == registers(want, "c", m, c_bits)).all()


def unpacked(words: list[Array], role: str, shape: tuple[int, int]) -> Array:
    """The matrix of `f16` that registers of a warp hold."""
    halves, out = np.stack(words, axis=1).view(np.float16), np.zeros(shape)
    for i in range(halves.shape[1]):
        out[place(role, 16, 16, i)] = halves[:, i]
    return out


def test_fragments_are_unpacked_once_for_all_products_that_read_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until a register of theirs is written, or others may come by; those with constants, or guards, each time."""
    found = Counter[str]()

    def counted(codes: Array, type_: str) -> Array:
        found[type_] += 1
        return decode(codes, type_)

    monkeypatch.setattr("weft.sim.semantics.mma.decode", counted)
    rng = random.Random(2)
    shared = 0
    for _ in range(12):
        values = np.random.default_rng(rng.randrange(99)).integers(-4, 5, (2, 32, 8))  # For two turns of a loop.
        given = values.astype(np.float16).view(np.uint32)
        now = {f"%a{i}": given[..., i] for i in range(4)}
        body = [INDEX, "ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r0, 16, %rd1; ld.param.u64 %rd2, [p1];"]
        body.append("mad.wide.u32 %rd2, %r0, 256, %rd2; .reg .b32 %a<4>; mov.f32 %f0, 0f00000000; mov.u32 %r1, 0;")
        body.append("setp.eq.u32 %p1, %r0, %r0; again:")
        body += [f"ld.global.b32 %a{i}, [%rd1+{4 * i}];" for i in range(4)]
        want, known, count = np.zeros((2, 32, 16, 4), np.float32), set[tuple[str, ...]](), 0
        for number in range(16):
            if rng.random() < 0.3:
                name, value = f"%a{rng.randrange(4)}", np.full(2, rng.randint(-3, 3), np.float16).view(np.uint32)[0]
                body.append(f"mov.b32 {name}, {value};")
                now[name] = np.full((2, 32), value)
                known = {key for key in known if name not in key}
            if rng.random() < 0.15:
                body.append(f"bra l{number}; l{number}:")
                known.clear()
            names = [rng.choice(("%a0", "%a1", "%a2", "%a3", "%a1", "0")) for _ in range(3)]
            guard = "@%p1 " if rng.random() < 0.15 else ""
            words = [now.get(name, np.zeros((2, 32), np.uint32)) for name in names]
            body.append(f"{guard}mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {{%f1, %f2, %f3, %f4}},")
            body.append("{{{}, {}}}, {{{}}}, {{%f0, %f0, %f0, %f0}};".format(*names))
            body.append(f"st.global.v4.f32 [%rd2+{16 * number}], {{%f1, %f2, %f3, %f4}};")
            for turn in range(2):
                a, b, c = (word[turn] for word in words)
                product = unpacked([a, b], "a", (16, 8)) @ unpacked([c], "b", (8, 8))
                for i in range(4):
                    want[turn, :, number, i] = product[place("c", 16, 32, i)]
            for key in (("a", *names[:2]), ("b", *names[2:])):
                reused = key in known and not guard
                count, shared = count + (not reused), shared + reused
                if "0" not in key:
                    known.add(key)
            if guard:  # Lanes may have come around it.
                known.clear()
        out = np.zeros_like(want)
        found.clear()
        body.append(f"add.u64 %rd1, %rd1, {given[0].nbytes}; add.u64 %rd2, %rd2, {out[0].nbytes}; add.u32 %r1, %r1, 1;")
        body.append("setp.lt.u32 %p2, %r1, 2; @%p2 bra again; ret;")
        launch(" ".join(body), [given, out], engine="numpy")
        assert (out == want).all()
        assert found["f16"] == 2 * count
    assert shared > 40


@pytest.mark.parametrize("op", ["xor", "and"])
@pytest.mark.parametrize("shape", ["m8n8k128", "m16n8k128", "m16n8k256"])
def test_bit_mma(shape: str, op: str) -> None:
    m, n, k = (int(v) for v in shape[1:].replace("n", " ").replace("k", " ").split())
    a, b, c = random_matrix((m, k), "b1", 1), random_matrix((k, n), "b1", 2), random_matrix((m, n), "s8", 3)
    x, y = a.astype(bool)[:, :, None], b.astype(bool)[None]
    want = ((x ^ y) if op == "xor" else (x & y)).sum(axis=1) + c
    opcode = f"mma.sync.aligned.{shape}.row.col.s32.b1.b1.s32.{op}.popc"
    words = [registers(v, r, m, bits) for v, r, bits in ((codes(a, "b1"), "a", 1), (codes(b, "b1"), "b", 1),
             (c.astype(np.int64) & 0xFFFFFFFF, "c", 32))]  # fmt: skip
    assert (multiply(opcode, *words) == registers(want.astype(np.int64) & 0xFFFFFFFF, "c", m, 32)).all()


def test_mma_clamps_integers() -> None:
    a, b = np.full((16, 32), 127.0), np.full((32, 8), 127.0)
    c = np.full((16, 8), 2**31 - 1, np.uint64)
    words = registers(codes(a, "s8"), "a", 16, 8), registers(codes(b, "s8"), "b", 16, 8), registers(c, "c", 16, 32)
    d = multiply("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", *words)
    assert (d == 2**31 - 1).all()
    d = multiply("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", *words)
    assert (d == (2**31 - 1 + 32 * 127 * 127) & 0xFFFFFFFF).all()


def test_mma_rounds_once() -> None:
    """f32 sums of random halves are the exact sums, rounded."""
    from fractions import Fraction

    rng = np.random.default_rng(7)
    a, b = rng.standard_normal((16, 16)).astype(np.float16), rng.standard_normal((16, 8)).astype(np.float16)
    c = rng.standard_normal((16, 8)).astype(np.float32)
    words = (registers(codes(a, "f16"), "a", 16, 16), registers(codes(b, "f16"), "b", 16, 16),
             registers(c.view(np.uint32).astype(np.uint64), "c", 16, 32))  # fmt: skip
    d = multiply("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", *words)
    want = np.empty((16, 8), np.float32)
    for i in range(16):
        for j in range(8):
            exact = sum(
                (Fraction(float(a[i, n])) * Fraction(float(b[n, j])) for n in range(16)), Fraction(float(c[i, j]))
            )
            want[i, j] = np.float32(float(exact))
    assert (d == registers(want.view(np.uint32).astype(np.uint64), "c", 16, 32)).all()


@pytest.mark.parametrize("alayout", ["row", "col"])
@pytest.mark.parametrize("blayout", ["row", "col"])
@pytest.mark.parametrize("accumulator", ["f16", "f32"])
def test_four_products_of_8x8x4(alayout: str, blayout: str, accumulator: str) -> None:
    """`.m8n8k4` of halves: quad pairs (lanes i..i+3 and i+16..i+19) each multiply matrices of their own."""
    rng = np.random.default_rng(5)
    a, b = rng.integers(-4, 5, (4, 8, 4)).astype(np.float16), rng.integers(-4, 5, (4, 4, 8)).astype(np.float16)
    c = rng.integers(-4, 5, (4, 8, 8)).astype(np.float64)
    fragments = {"a": np.zeros((32, 4), np.float16), "b": np.zeros((32, 4), np.float16)}
    sums = np.zeros((32, 8), np.float16 if accumulator == "f16" else np.float32)
    want = sums.copy()
    product = a.astype(np.float64) @ b.astype(np.float64) + c
    for lane in range(32):
        quad, upper = lane % 16 // 4, lane >= 16
        for i in range(4):
            outer = lane % 4 + (4 if upper else 0)
            fragments["a"][lane, i] = (
                a[quad, outer, i] if alayout == "row" else a[quad, i % 4 + (4 if upper else 0), lane % 4]
            )
            fragments["b"][lane, i] = (
                b[quad, lane % 4, i + (4 if upper else 0)] if blayout == "row" else b[quad, i, outer]
            )
        for i in range(8):
            if accumulator == "f16":
                row, column = lane % 4 + (4 if upper else 0), i
            else:
                row = (lane & 1) + (i & 2) + (4 if upper else 0)
                column = (i & 4) + (lane & 2) + (i & 1)
            sums[lane, i], want[lane, i] = c[quad, row, column], product[quad, row, column]
    words = [fragments[r].view(np.uint32) for r in "ab"] + [sums.view(np.uint32)]
    opcode = f"mma.sync.aligned.m8n8k4.{alayout}.{blayout}.{accumulator}.f16.f16.{accumulator}"
    assert (multiply(opcode, *words).view(sums.dtype) == want).all()


# -- copies ---------------------------------------------------------------------------------------------------


def copy_kernel(copy: str, registers_: int) -> str:
    """Fill shared memory from p0, copy, and write registers to p1 and shared memory to p2."""
    listed = ", ".join(f"%r{20 + i}" for i in range(registers_))
    return (
        f""".shared .align 16 .b8 s[512];{INDEX} ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2];
    mov.u32 %r1, s; mad.lo.u32 %r2, %r0, 16, %r1; mad.wide.u32 %rd1, %r0, 16, %rd1; mad.wide.u32 %rd3, %r0, 16, %rd3;
    ld.global.v4.u32 {{%r3, %r4, %r5, %r6}}, [%rd1]; st.shared.v4.u32 [%r2], {{%r3, %r4, %r5, %r6}};
    mad.wide.u32 %rd2, %r0, {4 * registers_}, %rd2; bar.warp.sync -1;
    """
        + copy.format(regs=f"{{{listed}}}", row="%r2")
        + """
    bar.warp.sync -1; ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r2]; st.global.v4.u32 [%rd3], {%r3, %r4, %r5, %r6};
    """
        + "".join(f"st.global.u32 [%rd2+{4 * i}], %r{20 + i};" for i in range(registers_))
        + "ret;"
    )


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("trans", ["", ".trans"])
def test_ldmatrix(count: int, trans: str) -> None:
    data = np.random.default_rng(1).integers(0, 1 << 16, (4, 8, 8), dtype=np.uint16)
    out, back = np.zeros((32, count), np.uint32), np.zeros_like(data)
    launch(
        copy_kernel(f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{regs}}, [{{row}}];", count),
        [data, out, back],
    )
    for lane in range(32):
        for i in range(count):
            matrix = data[i].T if trans else data[i]
            low, high = matrix[lane // 4, 2 * (lane % 4)], matrix[lane // 4, 2 * (lane % 4) + 1]
            assert out[lane, i] == int(low) | int(high) << 16
    assert (back == data).all()


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("trans", ["", ".trans"])
def test_stmatrix_is_the_inverse(count: int, trans: str) -> None:
    data = np.random.default_rng(1).integers(0, 1 << 16, (4, 8, 8), dtype=np.uint16)
    out, back = np.zeros((32, count), np.uint32), np.zeros_like(data)
    clear = "st.shared.v4.u32 [{row}], {{0, 0, 0, 0}}; bar.warp.sync -1;"
    copy = f"ldmatrix.sync.aligned.m8n8.x{count}.shared.b16 {{regs}}, [{{row}}]; bar.warp.sync -1; {clear}"
    copy += f"stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [{{row}}], {{regs}};"
    launch(copy_kernel(copy, count), [data, out, back], target="sm_90")
    for i in range(count):
        assert (back[i] == (data[i].T if trans else data[i])).all()
    assert (back[count:] == 0).all()


def test_movmatrix() -> None:
    data = np.random.default_rng(1).integers(0, 1 << 16, (4, 8, 8), dtype=np.uint16)
    out, back = np.zeros((32, 1), np.uint32), np.zeros_like(data)
    copy = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {regs}, [{row}]; movmatrix.sync.aligned.m8n8.trans.b16 %r20, %r20;"
    launch(copy_kernel(copy, 1), [data, out, back])
    assert (out.view(np.uint16).reshape(8, 8) == data[0].T).all()
