"""Sparse, narrow and block-scaled matrix products; the layouts are written down from the PTX manual."""

from __future__ import annotations

from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.sim.harness import INDEX, Array, launch
from weft.sim import KernelFault

LANE = np.arange(32)
GROUP, MEMBER = LANE // 4, LANE % 4
DTYPES: dict[str, tuple[int, Any]] = {
    "f16": (16, np.float16),
    "bf16": (16, ml_dtypes.bfloat16),
    "tf32": (32, np.float32),
    "s8": (8, np.int8),
    "u8": (8, np.uint8),
    "e4m3": (8, ml_dtypes.float8_e4m3fn),
    "e5m2": (8, ml_dtypes.float8_e5m2),
    "e3m2": (8, ml_dtypes.float6_e3m2fn),
    "e2m3": (8, ml_dtypes.float6_e2m3fn),
    "e2m1": (8, ml_dtypes.float4_e2m1fn),
    "s4": (4, None),
    "u4": (4, None),
}
RANGES = {"u8": (0, 200), "s8": (-128, 127), "u4": (0, 15), "s4": (-8, 7)}


def random(shape: tuple[int, ...], type_: str, seed: int) -> Array:
    """Small numbers that are exact in the type, and whose sums are exact in f16."""
    rng = np.random.default_rng(seed)
    low, high = RANGES.get(type_, (-4, 4))
    whole = rng.integers(low, high, shape, endpoint=True).astype(np.float64)
    return whole if type_ not in ("e3m2", "e2m3") else whole / 2


def codes(values: Array, type_: str, bits: int) -> Array:
    own, dtype = DTYPES[type_]
    if dtype is None:
        return values.astype(np.int64).astype(np.uint64) & np.uint64((1 << own) - 1)
    words = np.ascontiguousarray(values.astype(dtype)).view(f"u{own // 8}").astype(np.uint64)
    if type_ == "e2m1" and bits == 8:
        return words << np.uint64(2)
    return words


def fragment(matrix: Array, bits: int, role: str) -> Array:
    """Registers of A (16 rows by K) or B (K by 8 columns), lanes by registers."""
    matrix = matrix if role == "a" else matrix.T
    each = 32 // bits
    halves = 2 if role == "a" else 1
    out = np.zeros((32, matrix.size // 32 // each), np.uint32)
    for r, e in product(range(out.shape[1]), range(each)):
        row = GROUP + 8 * (r % halves)
        column = MEMBER * each + e + 4 * each * (r // halves)
        out[:, r] |= (matrix[row, column] << np.uint64(bits * e)).astype(np.uint32)
    return out


def sums(matrix: Array) -> Array:
    """Accumulators (16 by 8) of f32 or s32 as registers; of f16 as pairs."""
    out = np.stack([matrix[GROUP + 8 * (i // 2), 2 * MEMBER + i % 2] for i in range(4)], axis=1)
    return np.ascontiguousarray(out).view(np.uint32)


def run(opcode: str, inputs: list[Array], tail: str = "", target: str = "sm_120a") -> Array:
    """Run one mma; `inputs` are A, B, C and further registers `%x3`, `%x4`... that `tail` may name."""
    d = np.zeros_like(inputs[2])
    body, listed = [INDEX], []
    for n, array in enumerate(inputs):
        count = array.shape[1]
        body.append(f".reg .b32 %x{n}_<{count}>; ld.param.u64 %rd1, [p{n}]; mad.wide.u32 %rd1, %r0, {4 * count}, %rd1;")
        body += [f"ld.global.b32 %x{n}_{i}, [%rd1+{4 * i}];" for i in range(count)]
        listed.append("{" + ", ".join(f"%x{n}_{i}" for i in range(count)) + "}")
    count = d.shape[1]
    body.append(f".reg .b32 %d<{count}>; {opcode} {{{', '.join(f'%d{i}' for i in range(count))}}},")
    body.append(", ".join(listed[:3]) + tail + f"; ld.param.u64 %rd1, [p{len(inputs)}];")
    body.append(f"mad.wide.u32 %rd1, %r0, {4 * count}, %rd1;")
    body += [f"st.global.b32 [%rd1+{4 * i}], %d{i};" for i in range(count)]
    launch("\n".join(body) + "ret;", [*inputs, d], target=target)
    return d


def as_sums(exact: Array, type_: str) -> Array:
    dtype = {"f16": np.float16, "f32": np.float32, "s32": np.int64}[type_]
    values = exact.astype(dtype)
    return sums(values.astype(np.uint32) if type_ == "s32" else values)


# -- dense products of narrow floats --------------------------------------------------------------------------

NARROW = ("e4m3", "e5m2", "e3m2", "e2m3", "e2m1")


@pytest.mark.sample(3)
@pytest.mark.parametrize(("atype", "btype"), list(product(NARROW, NARROW)))
@pytest.mark.parametrize("dtype", ["f16", "f32"])
def test_f8f6f4(atype: str, btype: str, dtype: str) -> None:
    a, b, c = random((16, 32), atype, 1), random((32, 8), btype, 2), random((16, 8), "f16", 3)
    opcode = f"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.{dtype}.{atype}.{btype}.{dtype}"
    d = run(opcode, [fragment(codes(a, atype, 8), 8, "a"), fragment(codes(b, btype, 8), 8, "b"), as_sums(c, dtype)])
    assert (d == as_sums(a @ b + c, dtype)).all()


# -- block scales ---------------------------------------------------------------------------------------------

SCALED = [
    *[("mxf8f6f4", "m16n8k32", a, b, 1, "ue8m0") for a, b in product(NARROW, ("e4m3", "e2m3", "e2m1"))],
    ("mxf4", "m16n8k64", "e2m1", "e2m1", 2, "ue8m0"),
    ("mxf4nvf4", "m16n8k64", "e2m1", "e2m1", 2, "ue8m0"),
    ("mxf4nvf4", "m16n8k64", "e2m1", "e2m1", 4, "ue4m3"),
    ("mxf4nvf4", "m16n8k64", "e2m1", "e2m1", 4, "ue8m0"),
]


def scale_register(scales: Array, type_: str, byte: int, thread: int, matrix: str, seed: int) -> Array:
    """The scales (rows by blocks) in the chosen threads and bytes; anything elsewhere."""
    rng = np.random.default_rng(seed)
    out = rng.integers(0, 1 << 32, (32, 1), dtype=np.uint32)
    dtype = ml_dtypes.float8_e8m0fnu if type_ == "ue8m0" else ml_dtypes.float8_e4m3fn
    packed = scales.astype(dtype).view(np.uint8)
    for row in range(len(scales)):
        lane = 4 * (row % 8) + (2 * thread + row // 8 if matrix == "a" else thread)
        held = out.view(np.uint8).reshape(32, 4)
        held[lane, byte : byte + scales.shape[1]] = packed[row]
    return out


@pytest.mark.sample(16)
@pytest.mark.parametrize(("kind", "shape", "atype", "btype", "blocks", "stype"), SCALED)
@pytest.mark.parametrize("sparse", [False, True])
def test_block_scales(kind: str, shape: str, atype: str, btype: str, blocks: int, stype: str, sparse: bool) -> None:
    bits = 8 if kind == "mxf8f6f4" else 4
    depth = int(shape.partition("k")[2]) * (2 if sparse else 1)
    rng = np.random.default_rng(blocks)
    a, b, c = random((16, depth), atype, 1), random((depth, 8), btype, 2), random((16, 8), "f16", 3)
    scale_a, scale_b = 2.0 ** rng.integers(-3, 4, (16, blocks)), 2.0 ** rng.integers(-3, 4, (8, blocks))
    if stype == "ue4m3":
        scale_a, scale_b = scale_a * 1.5, scale_b * 1.25
    byte = {1: 3, 2: 2, 4: 0}[blocks]
    inputs = [np.zeros(0)] * 3
    tail, stem = "", "mma"
    if sparse:
        kept, where, extra = sparsify(a, bits, 0, seed=4)
        a, stored = where, kept
        inputs[0] = fragment(codes(stored, atype, bits), bits, "a")
        tail, stem = ", %x3_0, 0", "mma.sp::ordered_metadata"
        inputs.append(extra)
    else:
        inputs[0] = fragment(codes(a, atype, bits), bits, "a")
    inputs[1] = fragment(codes(b, btype, bits), bits, "b")
    inputs[2] = as_sums(c, "f32")
    first = len(inputs)
    inputs += [scale_register(scale_a, stype, byte, 1, "a", 5), scale_register(scale_b, stype, byte, 3, "b", 6)]
    opcode = (
        f"{stem}.sync.aligned.m16n8k{depth}.row.col.kind::{kind}.block_scale.scale_vec::{blocks}X"
        f".f32.{atype}.{btype}.f32.{stype}"
    )
    d = run(opcode, inputs, f"{tail}, %x{first}_0, {{{byte}, 1}}, %x{first + 1}_0, {{{byte}, 3}}")
    wide_a = a * np.repeat(scale_a, depth // blocks, axis=1)
    wide_b = b * np.repeat(scale_b, depth // blocks, axis=1).T
    assert (d == as_sums(wide_a @ wide_b + c, "f32")).all()


@pytest.mark.parametrize("blocks", [1, 2, 4])
def test_selectors_of_scales_select_what_a_register_and_a_quad_have(blocks: int) -> None:
    """A byte from which as many scales lie in the register; a pair of threads for A, one of four for B."""
    kind, depth, stype = {1: ("mxf8f6f4", 32, "ue8m0"), 2: ("mxf4", 64, "ue8m0"), 4: ("mxf4nvf4", 64, "ue4m3")}[blocks]
    opcode = (
        f"mma.sync.aligned.m16n8k{depth}.row.col.kind::{kind}.block_scale.scale_vec::{blocks}X"
        f".f32.e2m1.e2m1.f32.{stype}"
    )
    inputs = [np.zeros((32, count), np.uint32) for count in (4, 2, 4, 1, 1)]
    chosen = [(byte, 0, byte, 0) for byte in range(5)] + [(0, thread, 0, thread // 2) for thread in range(4)]
    for a, pair, b, thread in [*chosen, *((0, 0, 0, thread) for thread in range(6))]:
        right = max(a, b) + blocks <= 4 and pair < 2 and thread < 4
        tail = f", %x3_0, {{{a}, {pair}}}, %x4_0, {{{b}, {thread}}}"
        if right:
            run(opcode, inputs, tail)
            continue
        with pytest.raises(KernelFault, match="scale selector"):
            run(opcode, inputs, tail)


# -- sparse products ------------------------------------------------------------------------------------------


def sparsify(dense: Array, bits: int, selector: int, seed: int, ordered: bool = True) -> tuple[Array, Array, Array]:
    """What is stored of a matrix, the matrix with the rest set to zero, and the register of metadata.

    The metadata register is written down from the manual's figures: for 16- and 32-bit types the low half of a thread's
    register is the row of its group, the high half the row eight below, each thread having 16 bits of a row; for
    narrower ones threads alternate between the two rows, each having 32 bits of one.
    """
    rng = np.random.default_rng(seed)
    rows, columns = dense.shape
    chunk = {4: 8, 8: 4, 16: 4, 32: 2}[bits]
    stored, kept = np.zeros((rows, columns // 2)), np.zeros_like(dense)
    nibbles = np.zeros((rows, columns // chunk), np.uint64)
    for row, n in product(range(rows), range(columns // chunk)):
        if bits == 32:
            pick = [int(rng.integers(2))]
            nibble = 0b1110 if pick[0] else 0b0100
        else:
            pair = rng.permutation(4)[:2]
            low, high = sorted(pair) if ordered else pair
            nibble = int(low) | int(high) << 2
            pick = [2 * low, 2 * low + 1, 2 * high, 2 * high + 1] if bits == 4 else [low, high]
        nibbles[row, n] = nibble
        for i, p in enumerate(pick):
            stored[row, n * len(pick) + i] = kept[row, n * chunk + p] = dense[row, n * chunk + p]
    words = rng.integers(0, 1 << 32, (32, 1), dtype=np.uint32)
    each = nibbles.shape[1] * 4
    for group in range(8):
        if bits >= 16:
            parts = [(group, slice(4 * t, 4 * t + 4), group + 8) for t in range(max(1, each // 16))]
            values = [pack(nibbles[low, s]) | pack(nibbles[high, s]) << 16 for low, s, high in parts]
        else:
            values = [pack(nibbles[group + 8 * (t % 2), 8 * (t // 2) : 8 * (t // 2) + 8]) for t in range(each // 16)]
        start = 4 * group + selector * len(values)
        words[start : start + len(values), 0] = values
    return stored, kept, words


def pack(nibbles: Array) -> int:
    return sum(int(n) << (4 * i) for i, n in enumerate(nibbles))


SPARSE = [
    *[(f"m16n8k{k}", t, d, 64 // (k * 2)) for k in (16, 32) for t, d in (("f16", "f16"), ("f16", "f32"), ("bf16", "f32"))],
    ("m16n8k8", "tf32", "f32", 4),
    ("m16n8k16", "tf32", "f32", 2),
    *[(f"m16n8k{k}", t, "s32", 64 // k) for k in (32, 64) for t in ("s8", "u8")],
    *[(f"m16n8k{k}", t, "s32", 128 // k) for k in (64, 128) for t in ("s4", "u4")],
    *[("m16n8k64", t, "f32", 1) for t in ("e4m3", "e5m2")],
]  # fmt: skip


@pytest.mark.sample(7)
@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize(("shape", "type_", "dtype", "selectors"), SPARSE)
def test_sparse(shape: str, type_: str, dtype: str, selectors: int, ordered: bool) -> None:
    bits = DTYPES[type_][0]
    depth = int(shape.partition("k")[2])
    selector = max(1, selectors) - 1
    dense, b, c = random((16, depth), type_, 1), random((depth, 8), type_, 2), random((16, 8), "f16", 3)
    stored, kept, words = sparsify(dense, bits, selector, seed=depth, ordered=ordered)
    inputs = [fragment(codes(stored, type_, bits), bits, "a"), fragment(codes(b, type_, bits), bits, "b"),
              as_sums(c, dtype), words]  # fmt: skip
    stem = "mma.sp::ordered_metadata" if ordered else "mma.sp"
    opcode = f"{stem}.sync.aligned.{shape}.row.col.{dtype}.{type_}.{type_}.{dtype}"
    d = run(opcode, inputs, f", %x3_0, {selector}", target="sm_89")
    assert (d == as_sums(kept @ b + c, dtype)).all()


@pytest.mark.sample(2)
@pytest.mark.parametrize(("atype", "btype"), [("e3m2", "e2m1"), ("e2m3", "e4m3"), ("e2m1", "e5m2")])
def test_sparse_f8f6f4(atype: str, btype: str) -> None:
    dense, b, c = random((16, 64), atype, 1), random((64, 8), btype, 2), random((16, 8), "f16", 3)
    stored, kept, words = sparsify(dense, 8, 0, seed=2)
    inputs = [fragment(codes(stored, atype, 8), 8, "a"), fragment(codes(b, btype, 8), 8, "b"), as_sums(c, "f32"), words]
    opcode = f"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.{atype}.{btype}.f32"
    assert (run(opcode, inputs, ", %x3_0, 0") == as_sums(kept @ b + c, "f32")).all()


@pytest.mark.parametrize(
    ("stem", "type_", "nibble", "fails"),
    [
        ("mma.sp", "f16", 0b0101, True),  # The same element twice.
        ("mma.sp", "f16", 0b0001, False),  # Elements in falling order.
        ("mma.sp::ordered_metadata", "f16", 0b0001, True),
        ("mma.sp", "tf32", 0b0100, False),
        ("mma.sp", "tf32", 0b1001, True),  # Half of one element and half of the other.
    ],
)
def test_metadata_that_means_nothing(stem: str, type_: str, nibble: int, fails: bool) -> None:
    depth = 16 if type_ == "f16" else 8
    words = np.full((32, 1), nibble * 0x1111_1111, np.uint32)
    inputs = [np.zeros((32, 2), np.uint32), np.zeros((32, 2), np.uint32), np.zeros((32, 4), np.uint32), words]
    opcode = f"{stem}.sync.aligned.m16n8k{depth}.row.col.f32.{type_}.{type_}.f32"
    if not fails:
        run(opcode, inputs, ", %x3_0, 0", target="sm_89")
        return
    with pytest.raises(KernelFault) as caught:
        run(opcode, inputs, ", %x3_0, 0", target="sm_89")
    assert caught.value.kind == "metadata"
    assert caught.value.position is not None and caught.value.position.line


# -- wmma -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("type_", ["s4", "u4", "b1"])
def test_wmma_of_narrow_integers(type_: str) -> None:
    """8x8 tiles of matrices whose rows (of A) and columns (of B) are longer than the tile."""
    depth, bits = (128, 1) if type_ == "b1" else (32, 4)
    rng = np.random.default_rng(3)
    low, high = {"s4": (-8, 8), "u4": (0, 16), "b1": (0, 2)}[type_]
    a, b = rng.integers(low, high, (8, 2 * depth)), rng.integers(low, high, (8, 2 * depth))
    c = rng.integers(-99, 99, (8, 8)).astype(np.int32)

    def image(matrix: Array) -> Array:
        flat = (matrix & ((1 << bits) - 1)).reshape(-1, 8 // bits).astype(np.uint8)
        return np.bitwise_or.reduce(flat << (bits * np.arange(8 // bits, dtype=np.uint8)), axis=1).astype(np.uint8)

    for op in ("xor", "and") if bits == 1 else ("",):
        d = np.zeros((8, 8), np.int32)
        shape = f"m8n8k{depth}"
        head = f"wmma.mma.{op}.popc" if op else "wmma.mma"
        body = f"""
        ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2]; ld.param.u64 %rd4, [p3];
        mov.u32 %r9, {2 * depth}; add.u64 %rd1, %rd1, {depth * bits // 8}; add.u64 %rd2, %rd2, {depth * bits // 8};
        wmma.load.a.sync.aligned.row.{shape}.global.{type_} {{%r1}}, [%rd1], %r9;
        wmma.load.b.sync.aligned.col.{shape}.global.{type_} {{%r2}}, [%rd2], %r9;
        wmma.load.c.sync.aligned.row.{shape}.global.s32 {{%r3, %r4}}, [%rd3];
        {head}.sync.aligned.row.col.{shape}.s32.{type_}.{type_}.s32 {{%r5, %r6}}, {{%r1}}, {{%r2}}, {{%r3, %r4}};
        wmma.store.d.sync.aligned.row.{shape}.global.s32 [%rd4], {{%r5, %r6}}; ret;"""
        launch(body, [image(a), image(b), c, d])
        x, y = a[:, None, depth:], b[None, :, depth:]
        want = (x ^ y if op == "xor" else x * y).sum(axis=2) + c
        assert (d == want).all()


@pytest.mark.parametrize("mode", ["rz", "rm", "rp"])
def test_wmma_of_doubles_rounds_as_told(mode: str) -> None:
    """A single product and an addend: one fused rounding, checked with exact fractions."""
    from fractions import Fraction

    from tests.sim.harness import round_exactly

    rng = np.random.default_rng(1)
    a, b, c = np.zeros((8, 4)), np.zeros((4, 8)), rng.standard_normal((8, 8))
    a[:, 0], b[0] = rng.standard_normal(8), rng.standard_normal(8)
    d = np.zeros((8, 8))
    body = f"""
    ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2]; ld.param.u64 %rd4, [p3];
    wmma.load.a.sync.aligned.row.m8n8k4.f64 {{%fd1}}, [%rd1]; wmma.load.b.sync.aligned.row.m8n8k4.f64 {{%fd2}}, [%rd2];
    wmma.load.c.sync.aligned.row.m8n8k4.f64 {{%fd3, %fd4}}, [%rd3];
    wmma.mma.sync.aligned.row.row.m8n8k4.{mode}.f64.f64.f64.f64 {{%fd5, %fd6}}, {{%fd1}}, {{%fd2}}, {{%fd3, %fd4}};
    wmma.store.d.sync.aligned.row.m8n8k4.f64 [%rd4], {{%fd5, %fd6}}; ret;"""
    launch(body, [a, b, c, d])
    for i, j in product(range(8), range(8)):
        assert d[i, j] == round_exactly(Fraction(a[i, 0]) * Fraction(b[0, j]) + Fraction(c[i, j]), "f64", mode)


# -- copies ---------------------------------------------------------------------------------------------------


def packed_rows(values: Array, bits: int) -> Array:
    """Rows of 16 elements as 16 bytes each, packed from the first bit on, with ones as padding."""
    rows = np.full((len(values), 16), 0xFF, np.uint8)
    for i, row in enumerate(values):
        number = sum(int(v) << (bits * n) for n, v in enumerate(row)) | ((1 << 128) - 1) << 16 * bits
        rows[i] = np.frombuffer((number & ((1 << 128) - 1)).to_bytes(16, "little"), np.uint8)
    return rows


def copy_kernel(copy: str, registers: int) -> str:
    listed = ", ".join(f"%r{20 + i}" for i in range(registers))
    return (
        f""".shared .align 16 .b8 s[512];{INDEX} ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, s;
    mad.lo.u32 %r2, %r0, 16, %r1; mad.wide.u32 %rd1, %r0, 16, %rd1; ld.global.v4.u32 {{%r3, %r4, %r5, %r6}}, [%rd1];
    st.shared.v4.u32 [%r2], {{%r3, %r4, %r5, %r6}}; mad.wide.u32 %rd2, %r0, {4 * registers}, %rd2; bar.warp.sync -1;
    {copy} {{{listed}}}, [%r2];"""
        + "".join(f"st.global.u32 [%rd2+{4 * i}], %r{20 + i};" for i in range(registers))
        + "ret;"
    )


@pytest.mark.parametrize("bits", [4, 6, 8])
@pytest.mark.parametrize(("shape", "count"), [("m8n16", 1), ("m8n16", 2), ("m8n16", 4), ("m16n16", 1), ("m16n16", 2)])
def test_ldmatrix_widens(shape: str, count: int, bits: int) -> None:
    if (shape, bits) == ("m8n16", 8):
        return  # ldmatrix has no such form.
    values = np.random.default_rng(count).integers(0, 1 << bits, (32, 16))
    square = shape == "m16n16"
    registers = 2 * count if square else count
    out = np.zeros((32, registers), np.uint32)
    format_ = {4: "b8x16.b4x16_p64", 6: "b8x16.b6x16_p32", 8: "b8"}[bits]
    opcode = f"ldmatrix.sync.aligned.{shape}.x{count}{'.trans' if square else ''}.shared.{format_}"
    launch(copy_kernel(opcode, registers), [packed_rows(values, bits), out], target="sm_120a")
    held = out.view(np.uint8).reshape(32, registers, 4)
    for lane, r, e in product(range(32), range(registers), range(4)):
        if square:  # The transpose of 16 rows of 16: each lane has four rows of one column.
            want = values[16 * (r // 2) + 4 * (lane % 4) + e, lane // 4 + 8 * (r % 2)]
        else:
            want = values[8 * r + lane // 4, 4 * (lane % 4) + e]
        assert held[lane, r, e] == want


@pytest.mark.parametrize("count", [1, 2, 4])
def test_stmatrix_of_bytes(count: int) -> None:
    """16x8 matrices of bytes: a lane holds two columns of rows `g` and `g + 8`, stored as 8 rows of 16."""
    words = np.random.default_rng(1).integers(0, 1 << 32, (32, count), dtype=np.uint32)
    out = np.zeros((32, 16), np.uint8)
    listed = ", ".join(f"%r{20 + i}" for i in range(count))
    body = f""".shared .align 16 .b8 s[512];{INDEX} ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mov.u32 %r1, s;
    mad.lo.u32 %r2, %r0, 16, %r1; mad.wide.u32 %rd1, %r0, {4 * count}, %rd1; mad.wide.u32 %rd2, %r0, 16, %rd2;
    st.shared.v4.u32 [%r2], {{0, 0, 0, 0}}; bar.warp.sync -1;""" + "".join(
        f"ld.global.u32 %r{20 + i}, [%rd1+{4 * i}];" for i in range(count)
    )
    body += f"stmatrix.sync.aligned.m16n8.x{count}.trans.shared.b8 [%r2], {{{listed}}}; bar.warp.sync -1;"
    body += "ld.shared.v4.u32 {%r3, %r4, %r5, %r6}, [%r2]; st.global.v4.u32 [%rd2], {%r3, %r4, %r5, %r6}; ret;"
    launch(body, [words, out], target="sm_120a")
    held = words.view(np.uint8).reshape(32, count, 4)
    want = np.zeros((32, 16), np.uint8)
    for lane, r, e in product(range(32), range(count), range(4)):
        want[8 * r + 2 * (lane % 4) + e % 2, lane // 4 + 8 * (e // 2)] = held[lane, r, e]
    assert (out == want).all()
