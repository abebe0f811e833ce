"""tcgen05: tensor memory, its loads and stores, copies, and products of every kind and layout.

Matrices are staged in shared memory and read back from tensor memory element by element, with layouts written down from
the PTX manual; products are compared with NumPy.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tests.sim.harness import Array, launch
from weft.errors import Severity
from weft.sim import KernelFault, Result

pytestmark = pytest.mark.usefixtures("products")

TARGET = "sm_100a"
SHARED = ".extern .shared .align 1024 .b8 s[];"
START = """
.reg .pred %leader, %done; .reg .b32 %w<128>;
mov.u32 %r0, %tid.x; setp.eq.u32 %leader, %r0, 0; mov.u32 %r1, s; add.u32 %r2, %r1, {size}; add.u32 %r3, %r2, 8;
@!%leader bra inited; mbarrier.init.shared.b64 [%r2], 1; inited:
setp.lt.u32 %p1, %r0, 32; @!%p1 bra allocated; tcgen05.alloc.cta_group::{group}.sync.aligned.shared::cta.b32 [%r3], 512;
allocated: bar.sync 0; ld.shared.u32 %r4, [%r3]; shr.u32 %r5, %r0, 5; shl.b32 %r6, %r5, 21; add.u32 %r6, %r6, %r4;
"""
"""r0: thread, r1: shared memory, r2: mbarrier, r4: tensor memory, r6: the warp's lanes of it."""
END = """bar.sync 0; @!%p1 bra end; tcgen05.dealloc.cta_group::{group}.sync.aligned.b32 %r4, 512; end: ret;"""
WAIT = """
{{ .reg .pred %q; again{n}: mbarrier.try_wait.parity.shared.b64 %q, [%r2], {n}; @!%q bra again{n}; }}
tcgen05.fence::after_thread_sync;
"""
POLICIES = ("eager", "lazy", "random")


def kernel(body: str, arguments: list[Any], size: int = 1024, group: int = 1, **more: Any) -> Result:
    text = START.format(size=size, group=group) + body + END.format(group=group)
    return launch(text, arguments, block=128, target=TARGET, extra=SHARED, shared_bytes=size + 32, **more)


def fill(size: int) -> str:
    """Copy `size` bytes of p0 to shared memory."""
    return f"""ld.param.u64 %rd1, [p0]; mov.u32 %r7, 0;
    fill: mad.lo.u32 %r8, %r7, 128, %r0; shl.b32 %r8, %r8, 2; cvt.u64.u32 %rd2, %r8; add.u64 %rd2, %rd2, %rd1;
    ld.global.u32 %r9, [%rd2]; add.u32 %r8, %r8, %r1; st.shared.u32 [%r8], %r9; add.u32 %r7, %r7, 1;
    setp.lt.u32 %p2, %r7, {size // 512}; @%p2 bra fill; fence.proxy.async; bar.sync 0;"""


def through(first: int, columns: int, argument: int, store: bool) -> str:
    """Move columns of tensor memory from or to an argument, 128 lanes by columns, 32 of them at a time."""
    lines = [f"ld.param.u64 %rd3, [p{argument}]; mad.wide.u32 %rd3, %r0, {4 * columns}, %rd3;"]
    width = min(32, columns)
    names = ", ".join(f"%w{i}" for i in range(width))
    for start in range(0, columns, width):
        address = f"[%r6+{first + start}]"
        if store:
            lines += [f"ld.global.u32 %w{i}, [%rd3+{4 * (start + i)}];" for i in range(width)]
            lines.append(f"tcgen05.st.sync.aligned.32x32b.x{width}.b32 {address}, {{{names}}};")
            lines.append("tcgen05.wait::st.sync.aligned;")
        else:
            lines.append(f"tcgen05.ld.sync.aligned.32x32b.x{width}.b32 {{{names}}}, {address};")
            lines.append("tcgen05.wait::ld.sync.aligned;")
            lines += [f"st.global.u32 [%rd3+{4 * (start + i)}], %w{i};" for i in range(width)]
    return "\n".join(lines)


# -- loads and stores -----------------------------------------------------------------------------------------

WORDS = {"16x64b": 1, "16x128b": 2, "16x256b": 4, "32x32b": 1, "16x32bx2": 1}


def place(shape: str, thread: int, register: int) -> tuple[int, int]:
    """Lane and column of a register, from the manual's figures; the second half of 16x32bx2 has its own address."""
    repeat, word = divmod(register, WORDS[shape])
    if shape == "32x32b":
        return thread, register
    if shape == "16x32bx2":
        return thread % 16, register
    if shape == "16x64b":
        return thread // 4 + (8 if thread & 2 else 0), 2 * repeat + thread % 2
    if shape == "16x128b":
        return thread // 4 + 8 * word, 4 * repeat + thread % 4
    return thread // 4 + 8 * (word // 2), 8 * repeat + 2 * (thread % 4) + word % 2


CASES = [(shape, count, packed) for shape in WORDS for count in (1, 8) for packed in (False, True)]


@pytest.mark.sample(3)
@pytest.mark.parametrize(("shape", "count", "packed"), CASES)
def test_loads(shape: str, count: int, packed: bool) -> None:
    registers, split = count * WORDS[shape], 40
    content = np.random.default_rng(1).integers(0, 1 << 32, (128, 160), dtype=np.uint32)
    out = np.zeros((128, registers), np.uint32)
    names = ", ".join(f"%w{i}" for i in range(registers))
    tail = f", {split}" if shape == "16x32bx2" else ""
    half = 0 if shape == "32x32b" else 16
    body = (
        through(0, 160, 0, True)
        + f"""
    add.u32 %r7, %r6, {half << 16};
    tcgen05.ld.sync.aligned.{shape}.x{count}{".pack::16b" if packed else ""}.b32 {{{names}}}, [%r7+4]{tail};
    tcgen05.wait::ld.sync.aligned; ld.param.u64 %rd3, [p1]; mad.wide.u32 %rd3, %r0, {4 * registers}, %rd3;
    """
        + "".join(f"st.global.u32 [%rd3+{4 * i}], %w{i};" for i in range(registers))
    )
    kernel(body, [content, out])
    for thread, r in product(range(128), range(registers)):
        lane, column = place(shape, thread % 32, r)
        start = 4 + (split * (thread % 32 // 16) if shape == "16x32bx2" else 0)
        row = content[thread // 32 * 32 + half + lane, start:]
        want = row[column]
        if packed:
            want = int(row[2 * column]) & 0xFFFF | (int(row[2 * column + 1]) & 0xFFFF) << 16
        assert out[thread, r] == want


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("shape", "count", "packed", "policy"),
    [*((*case, "lazy") for case in CASES[1::2]), *((*case, policy) for case in CASES[2::8] for policy in POLICIES)],
)
def test_stores(shape: str, count: int, packed: bool, policy: str) -> None:
    registers, split = count * WORDS[shape], 40
    values = np.random.default_rng(1).integers(0, 1 << 32, (128, registers), dtype=np.uint32)
    content, out = np.zeros((128, 160), np.uint32), np.zeros((128, 160), np.uint32)
    names = ", ".join(f"%w{i}" for i in range(registers))
    tail = f", {split}" if shape == "16x32bx2" else ""
    body = through(0, 160, 0, True) + f"ld.param.u64 %rd3, [p1]; mad.wide.u32 %rd3, %r0, {4 * registers}, %rd3;"
    body += "".join(f"ld.global.u32 %w{i}, [%rd3+{4 * i}];" for i in range(registers))
    body += f"""tcgen05.st.sync.aligned.{shape}.x{count}{".unpack::16b" if packed else ""}.b32 [%r6+4]{tail}, {{{names}}};
    tcgen05.wait::st.sync.aligned;""" + through(0, 160, 2, False)
    kernel(body, [content, values, out], async_=policy)
    want = np.zeros_like(out)
    for thread, r in product(range(128), range(registers)):
        lane, column = place(shape, thread % 32, r)
        start = 4 + (split * (thread % 32 // 16) if shape == "16x32bx2" else 0)
        row = want[thread // 32 * 32 + lane, start:]
        if packed:
            row[2 * column], row[2 * column + 1] = values[thread, r] & 0xFFFF, values[thread, r] >> 16
        else:
            row[column] = values[thread, r]
    assert (out == want).all()


@pytest.mark.sample(1)
@pytest.mark.parametrize("policy", ["lazy", "random"])
def test_stores_that_warps_wait_for_apart(policy: str) -> None:
    """A store of all warps has ended in each when that waits: no wait that comes later stores its values again."""
    out = np.zeros((128, 2), np.uint32)
    store, wait = "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r6", "tcgen05.wait::st.sync.aligned;"
    body = f"""setp.lt.u32 %p4, %r0, 64; mov.u32 %w0, 11; mov.u32 %w1, 22; mov.u32 %w2, 33; {store}], {{%w0}};
    @%p4 bra low; {wait} bra.uni meet; low: {wait} {store}], {{%w1}}; {wait} meet: bar.sync 0; {store}+1], {{%w2}}; {wait}"""
    kernel(body + through(0, 2, 0, False), [out], async_=policy)
    assert (out == [[22, 33]] * 64 + [[11, 33]] * 64).all()


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("mode", "type_", "dtype"),
    [("min", "s32", np.int32), ("max", "u32", np.uint32), ("min", "f32", np.float32), ("max.abs", "f32", np.float32)],
)
def test_loads_with_the_extreme(mode: str, type_: str, dtype: Any) -> None:
    content = np.random.default_rng(1).integers(-99, 99, (128, 32)).astype(dtype)
    out = np.zeros((128, 9), dtype)
    names = ", ".join(f"%w{i}" for i in range(8))
    body = (
        through(0, 32, 0, True)
        + f"""
    tcgen05.ld.red.sync.aligned.32x32b.x8.{mode}.{type_} {{{names}}}, %w8, [%r6+5];
    tcgen05.wait::ld.sync.aligned; ld.param.u64 %rd3, [p1]; mad.wide.u32 %rd3, %r0, 36, %rd3;
    """
        + "".join(f"st.global.u32 [%rd3+{4 * i}], %w{i};" for i in range(9))
    )
    text = START.format(size=64, group=1) + body + END.format(group=1)
    launch(text, [content, out], block=128, target="sm_103a", extra=SHARED, shared_bytes=80)
    assert (out[:, :8] == content[:, 5:13]).all()
    part = np.abs(content[:, 5:13]) if "abs" in mode else content[:, 5:13]
    assert (out[:, 8] == (part.min(axis=1) if mode == "min" else part.max(axis=1))).all()


# -- copies and shifts ----------------------------------------------------------------------------------------


def descriptor(start: int, leading: int, stride: int, mode: int, version: int = 1) -> int:
    return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | version << 46 | mode << 61


SWIZZLE = {0: 16, 2: 128, 4: 64, 6: 32}


def stage(rows: Array, mode: int, across: bool = False, size: int = 2) -> tuple[Array, int, int]:
    """A matrix (rows by bytes along K, or with `across` rows along) as bytes, and the descriptor's two offsets."""
    width = SWIZZLE[mode]
    out = np.zeros(1 << 15, np.uint8)
    count, depth = rows.shape
    group = 8 * width
    if across:
        count, depth = rows.shape[0], rows.shape[1] // size
        leading, stride = (depth // 8 * group, group) if mode else (8192, 128)
        for i, k in product(range(count), range(depth)):
            block, byte = divmod(i * size, width)
            if mode:
                address = block * leading + k // 8 * stride + k % 8 * width + byte
                address ^= address // 128 % (width // 16) * 16
            else:
                address = block * stride + k // 8 * leading + k % 8 * 16 + byte
            out[address : address + size] = rows[i, k * size : k * size + size]
        return out, leading, stride
    leading, stride = (16, group) if mode else (8192, 128)
    for i, j in product(range(count), range(0, depth, 16)):
        if mode:
            address = i // 8 * stride + i % 8 * width + j
            address ^= address // 128 % (width // 16) * 16
        else:
            address = i // 8 * stride + i % 8 * 16 + j // 16 * leading
        out[address : address + 16] = rows[i, j : j + 16]
    return out, leading, stride


def lanes_of(shape: str, multicast: str, row: int) -> list[int]:
    if multicast == ".warpx4":
        return [row + 32 * w for w in range(4)]
    if multicast == ".warpx2::02_13":
        return [row, row + 64]
    if multicast == ".warpx2::01_23":
        return [row, row + 32] if row < 32 else [row + 32, row + 64]
    return [row]


COPIES = [("128x256b", ""), ("128x128b", ""), ("64x128b", ".warpx2::02_13"), ("64x128b", ".warpx2::01_23"), ("32x128b", ".warpx4")]  # fmt: skip


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("shape", "multicast", "format_", "policy"),
    [
        *((*case, format_, "eager") for case in COPIES for format_ in ("", ".b8x16.b4x16_p64", ".b8x16.b6x16_p32")),
        *((*COPIES[-1], "", policy) for policy in ("lazy", "random")),
    ],
)
def test_copies(shape: str, multicast: str, format_: str, policy: str) -> None:
    rows, bits = (int(v) for v in shape[:-1].split("x"))
    width = bits // 8
    source = np.random.default_rng(2).integers(0, 256, (rows, width)).astype(np.uint8)
    staged, leading, stride = stage(source, 0)
    want_bytes = source.copy()
    if format_:
        each = 4 if "b4" in format_ else 6
        for i, j in product(range(rows), range(0, width, 16)):
            number = int.from_bytes(source[i, j : j + 16].tobytes(), "little")
            codes = [number >> each * n & ((1 << each) - 1) for n in range(16)]
            want_bytes[i, j : j + 16] = [c << 2 if each == 4 else c for c in codes]
    out = np.zeros((128, 16), np.uint32)
    blank = np.zeros((128, 16), np.uint32)
    matrix = descriptor(0, leading, stride, 0) | 4 << 49  # Where a pattern would start, if there were one.
    body = (
        fill(1 << 15)
        + through(0, 16, 1, True)
        + f"""tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync; mov.u64 %rd5, {matrix};
    @!%leader bra started; tcgen05.cp.cta_group::1.{shape}{multicast}{format_} [%r4+2], %rd5;
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r2]; started:
    """
        + WAIT.format(n=0)
        + through(0, 16, 2, False)
    )
    kernel(body, [staged, blank, out], size=1 << 15, async_=policy)
    want = np.zeros_like(out)
    for i in range(rows):
        for lane in lanes_of(shape, multicast, i):
            want[lane, 2 : 2 + width // 4] = want_bytes[i].view(np.uint32)
    assert (out == want).all()


@pytest.mark.sample(2)
@pytest.mark.parametrize("policy", POLICIES)
def test_shift(policy: str) -> None:
    content = np.random.default_rng(1).integers(0, 1 << 32, (128, 16), dtype=np.uint32)
    out = np.zeros_like(content)
    body = (
        through(0, 16, 0, True)
        + """tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync; add.u32 %r7, %r4, 0x200004;
    @!%leader bra started; tcgen05.shift.cta_group::1.down [%r7];
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r2]; started:
    """
        + WAIT.format(n=0)
        + through(0, 16, 1, False)
    )
    kernel(body, [content, out], async_=policy)
    want = content.copy()
    want[33:64, 4:12] = content[32:63, 4:12]
    assert (out == want).all()


# -- products -------------------------------------------------------------------------------------------------

CODES: dict[str, dict[str, int]] = {
    "f16": {"f16": 0, "bf16": 1},
    "tf32": {"tf32": 2},
    "f8f6f4": {"e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5},
    "i8": {"u8": 0, "s8": 1},
}
CODES["mxf8f6f4"] = CODES["f8f6f4"]
CODES["mxf4"] = CODES["mxf4nvf4"] = {"e2m1": 1}
SUMS = {"f16": 0, "f32": 1, "s32": 2}
DTYPES: dict[str, Any] = {
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "tf32": np.float32, "f32": np.float32, "u8": np.uint8, "s8": np.int8,
    "s32": np.int32, "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2, "e2m3": ml_dtypes.float6_e2m3fn,
    "e3m2": ml_dtypes.float6_e3m2fn, "e2m1": ml_dtypes.float4_e2m1fn,
}  # fmt: skip
BITS = {"f16": 16, "bf16": 16, "tf32": 32}


def numbers(shape: tuple[int, ...], type_: str, seed: int) -> Array:
    low, high = {"u8": (0, 255), "s8": (-128, 127)}.get(type_, (-4, 4))
    return np.random.default_rng(seed).integers(low, high, shape, endpoint=True).astype(np.float64)


def image(values: Array, type_: str, kind: str) -> Array:
    """Rows of a matrix as they lie in shared memory: 32 bytes of K, narrow floats packed in 16 bytes."""
    if type_ not in ("e2m1", "e2m3", "e3m2"):
        return np.ascontiguousarray(values.astype(DTYPES[type_])).view(np.uint8).reshape(len(values), -1)
    codes = values.astype(DTYPES[type_]).view(np.uint8)
    each = 4 if type_ == "e2m1" else 6
    if kind.startswith("mxf4"):
        return codes[:, ::2] | codes[:, 1::2] << 4
    out = np.zeros(codes.shape, np.uint8)
    for i, j in product(range(len(codes)), range(0, codes.shape[1], 16)):
        number = sum(int(c) << each * n for n, c in enumerate(codes[i, j : j + 16]))
        out[i, j : j + 16] = np.frombuffer(number.to_bytes(16, "little"), np.uint8)
    return out


def cells_of_a(values: Array, type_: str, kind: str) -> Array:
    """Rows of A as words of tensor memory: narrow floats stand in the middle of bytes."""
    if kind.startswith("mxf4"):
        return image(values, type_, kind).view(np.uint32)
    codes = np.ascontiguousarray(values.astype(DTYPES[type_]))
    raw = codes.view(np.uint8).reshape(len(values), -1)
    return np.ascontiguousarray(raw << 2 if type_ == "e2m1" else raw).view(np.uint32)


def lane_of(i: int, j: int, m: int, n: int, ws: bool) -> tuple[int, int]:
    """Lane and column of an element of D, from the manual's layouts D, E, F and G."""
    if m == 128:
        return i, j
    if m == 32:
        return i + 32 * (j // (n // 4)), j % (n // 4)
    if ws:
        return i + 64 * (j // (n // 2)), j % (n // 2)
    return i // 16 * 32 + i % 16, j


def idesc(kind: str, a: str, b: str, d: str, m: int, n: int, extra: int = 0) -> int:
    codes = CODES[kind]
    sums = 0 if kind.startswith("mx") else SUMS[d] << 4
    return sums | codes[a] << 7 | codes[b] << 10 | n >> 3 << 17 | m >> 4 << 24 | extra


def sparsify(dense: Array, bits: int) -> tuple[Array, Array, Array]:
    """What is stored of a matrix, the matrix with the rest zero, and the metadata of each chunk."""
    rng = np.random.default_rng(6)
    chunk = {4: 8, 8: 4, 16: 4, 32: 2}[bits]
    rows, columns = dense.shape
    stored, kept = np.zeros((rows, columns // 2)), np.zeros_like(dense)
    nibbles = np.zeros((rows, columns // chunk), np.uint32)
    for i, c in product(range(rows), range(columns // chunk)):
        if bits == 32:
            pick = [int(rng.integers(2))]
            nibbles[i, c] = 0b1110 if pick[0] else 0b0100
        else:
            low, high = sorted(rng.permutation(4)[:2].tolist())
            nibbles[i, c] = low | high << 2
            pick = [2 * low, 2 * low + 1, 2 * high, 2 * high + 1] if bits == 4 else [low, high]
        for n, p in enumerate(pick):
            stored[i, c * len(pick) + n] = kept[i, c * chunk + p] = dense[i, c * chunk + p]
    return stored, kept, nibbles


def metadata_cells(nibbles: Array, m: int, ws: bool, wide: bool) -> Array:
    """Metadata as 128 lanes by 2 columns; `wide` elements of 16 and 32 bits share columns as the fragments of mma do."""
    out = np.zeros((128, 2), np.uint32)
    for (i, c), nibble in np.ndenumerate(nibbles):
        if wide:  # Lanes of 16 rows: rows 0-7 in low halves, 8-15 in high ones; the row's second half eight lanes on.
            lane = lane_of(i // 16 * 16 + i % 8, 0, m, 64, ws)[0] + 8 * (c // 4)
            out[lane, 0] |= nibble << np.uint32(16 * (i // 8 % 2) + 4 * (c % 4))
        else:
            out[lane_of(i, 0, m, 64, ws)[0], c // 8] |= nibble << np.uint32(4 * (c % 8))
    return out


def multiply(
    kind: str,
    atype: str,
    btype: str,
    dtype: str,
    m: int = 128,
    n: int = 32,
    *,
    ws: bool = False,
    tensor_a: bool = False,
    extra: int = 0,
    enable: int = 1,
    mode: int = 0,
    tail: str = "",
    policy: str = "eager",
    prepare: str = "",
    across: tuple[bool, bool] = (False, False),
    scales: str = "",
    more: list[Any] | None = None,
    name: str = "",
    a: Array | None = None,
    b: Array | None = None,
    meta: Array | None = None,
    selector: int = 0,
    following: str = "",
    mma: Any = "exact",
) -> tuple[Array, Array, Array, Array]:
    """Run one product; A, B, the D before it, and the D after it.  `meta` are cells of metadata of a sparse A.

    The thread that has started it goes on with the instructions `following`.
    """
    depth = 256 // (4 if kind.startswith("mxf4") else BITS.get(atype, 8))
    a = numbers((m, depth), atype, 1) if a is None else a
    b = numbers((n, depth), btype, 2) if b is None else b
    before = numbers((m, n), "f16", 3)
    size = {"tf32": 4, "f16": 2, "bf16": 2}.get(atype, 1)
    (bytes_a, lead_a, stride_a), (bytes_b, lead_b, stride_b) = (
        stage(image(v, t, kind), mode, x, size) for v, t, x in ((a, atype, across[0]), (b, btype, across[1]))
    )
    words = 16 if dtype == "f16" else 32
    width = -(-n // 32) * 32
    held, out = np.zeros((128, width + 32), np.uint32), np.zeros((128, width), np.uint32)
    coded = np.ascontiguousarray(before.astype(DTYPES[dtype])).view(f"u{words // 8}")
    for i, j in product(range(m), range(n)):
        lane, column = lane_of(i, j, m, n, ws)
        held[lane, column] = coded[i, j]
    if tensor_a:
        cells = cells_of_a(a, atype, kind)
        for i in range(m):
            held[lane_of(i, 0, m, n, ws)[0], width : width + cells.shape[1]] = cells[i]
    if meta is not None:
        held[:, width + 16 + selector : width + 18 + selector] = meta
        extra |= 4 | selector
    extra |= across[0] << 15 | across[1] << 16
    operand = "[%r7]" if tensor_a else "%rd5"
    sparse, where = (".sp", "[%r10], ") if meta is not None else ("", "")
    word_b = descriptor(1 << 15, lead_b, stride_b, mode)
    body = (
        fill(1 << 16)
        + through(0, width + 32, 1, True)
        + prepare
        + f"""
    tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync; mov.u64 %rd5, {descriptor(0, lead_a, stride_a, mode)}; mov.u64 %rd6, {word_b}; add.u32 %r7, %r4, {width};
    add.u32 %r10, %r4, {width + 16};
    mov.u32 %r8, {idesc(kind, atype, btype, dtype, m, n, extra)}; setp.ne.u32 %p3, {enable}, 0;
    @!%leader bra started; tcgen05.mma{".ws" if ws else ""}{sparse}.cta_group::1.kind::{kind}{name} [%r4], {operand}, %rd6,
    {where}%r8{scales}, {tail.replace("P", "%p3") if tail else "%p3"}; {following}
    tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r2]; started:
    """
        + WAIT.format(n=0)
        + through(0, width, 2, False)
    )
    kernel(body, [np.concatenate([bytes_a, bytes_b]), held, out, *(more or [])], size=1 << 16, async_=policy, mma=mma)
    after = np.zeros((m, n))
    for i, j in product(range(m), range(n)):
        lane, column = lane_of(i, j, m, n, ws)
        word = out[lane, column : column + 1]
        after[i, j] = (word.astype(np.uint16) if words == 16 else word).view(DTYPES[dtype])[0]
    return a, b, before, after


TYPES = [
    *[("f16", t, t, d) for t, d in (("f16", "f16"), ("f16", "f32"), ("bf16", "f32"))],
    ("tf32", "tf32", "tf32", "f32"),
    *[("f8f6f4", x, y, "f32") for x, y in (("e4m3", "e5m2"), ("e2m3", "e2m1"), ("e2m1", "e3m2"), ("e3m2", "e4m3"))],
    ("f8f6f4", "e5m2", "e2m1", "f16"),
    *[("i8", x, y, "s32") for x, y in (("s8", "u8"), ("u8", "s8"))],
]


@pytest.mark.sample(3)
@pytest.mark.parametrize("tensor_a", [False, True])
@pytest.mark.parametrize(("kind", "atype", "btype", "dtype"), TYPES)
def test_types(kind: str, atype: str, btype: str, dtype: str, tensor_a: bool) -> None:
    a, b, before, after = multiply(kind, atype, btype, dtype, tensor_a=tensor_a)
    assert (after == (a @ b.T + before).astype(DTYPES[dtype])).all()


SHAPES = [(128, 16, False), (128, 256, False), (64, 8, False), (64, 104, False), (32, 64, True), (64, 128, True), (128, 64, True)]  # fmt: skip


@pytest.mark.sample(1)
@pytest.mark.parametrize(("m", "n", "ws"), SHAPES)
def test_shapes(m: int, n: int, ws: bool) -> None:
    a, b, before, after = multiply("f16", "f16", "f16", "f32", m, n, ws=ws)
    assert (after == a @ b.T + before).all()
    a, b, _, after = multiply("f16", "bf16", "bf16", "f32", m, n, ws=ws, tensor_a=True, enable=0)
    assert (after == a @ b.T).all()


@pytest.mark.sample(1)
@pytest.mark.parametrize("mode", [0, 2, 4, 6])
@pytest.mark.parametrize("across", [(False, True), (True, False), (True, True)])
def test_layouts_in_shared_memory(mode: int, across: tuple[bool, bool]) -> None:
    a, b, before, after = multiply("f16", "f16", "f16", "f32", n=128, mode=mode, across=across)
    assert (after == a @ b.T + before).all()
    a, b, before, after = multiply("f16", "f16", "f16", "f32", mode=mode)
    assert (after == a @ b.T + before).all()


@pytest.mark.sample(1)
@pytest.mark.parametrize("policy", POLICIES)
def test_policies_signs_and_scale_of_d(policy: str) -> None:
    a, b, before, after = multiply("f16", "f16", "f16", "f32", extra=1 << 13, tail="P, 3", policy=policy)
    assert (after == before / 8 - a @ b.T).all()
    a, b, before, after = multiply("f16", "f16", "f16", "f32", extra=3 << 13, policy=policy)
    assert (after == before + a @ b.T).all()


def test_sums_that_tensor_cores_do_not_round() -> None:
    """Of few small integers they are exact."""
    a, b, before, after = multiply("f16", "f16", "f16", "f32", m=64, n=8, extra=1 << 13, mma="hardware")
    assert (after == before - a @ b.T).all()
    a, b, before, after = multiply("f8f6f4", "e4m3", "e5m2", "f16", m=64, n=8, enable=0, mma="hardware")
    assert (after == a @ b.T).all()


def test_disabled_lanes() -> None:
    masks = [0xF0F0F0F0, 0, 0xFFFFFFFF, 1]
    prepare = "".join(f"mov.u32 %w{100 + i}, {m};" for i, m in enumerate(masks))
    tail = "{%w100, %w101, %w102, %w103}, P"
    a, b, before, after = multiply("f16", "f16", "f16", "f32", tail=tail, prepare=prepare)
    off = np.array([masks[i // 32] >> i % 32 & 1 for i in range(128)], bool)
    assert (after == np.where(off[:, None], before, before + a @ b.T)).all()


def test_shifted_a() -> None:
    a, b, before, after = multiply("f16", "f16", "f16", "f32", tensor_a=True, name=".ashift")
    moved = np.concatenate([a[:1], a[:-1]])
    assert (after == before + moved @ b.T).all()


def test_saturation() -> None:
    a, b = np.full((128, 32), 127.0), np.full((32, 32), 127.0)
    before = multiply("i8", "s8", "s8", "s32", a=a, b=b, extra=1 << 3)
    assert (before[3] == before[2] + 32 * 127 * 127).all()


BLOCKS = [
    *[("mxf8f6f4", x, y, b, 1, "ue8m0") for x, y, b in (("e4m3", "e2m1", ""), ("e3m2", "e5m2", ".block32"))],
    ("mxf4", "e2m1", "e2m1", "", 2, "ue8m0"),
    ("mxf4nvf4", "e2m1", "e2m1", ".block16", 4, "ue4m3"),
    ("mxf4nvf4", "e2m1", "e2m1", ".scale_vec::2X", 2, "ue8m0"),
]


@pytest.mark.sample(2)
@pytest.mark.parametrize("tensor_a", [False, True])
@pytest.mark.parametrize(("kind", "atype", "btype", "block", "vectors", "stype"), BLOCKS)
def test_block_scales(kind: str, atype: str, btype: str, block: str, vectors: int, stype: str, tensor_a: bool) -> None:
    """Scales of row r lie in lane r % 32, column r / 32, from the byte on that the descriptor names."""
    n, first = 64, {1: 2, 2: 2, 4: 0}[vectors]
    rng = np.random.default_rng(vectors)
    factor_a, factor_b = 2.0 ** rng.integers(-3, 4, (128, vectors)), 2.0 ** rng.integers(-3, 4, (n, vectors))
    if stype == "ue4m3":
        factor_a, factor_b = factor_a * 1.5, factor_b * 1.75
    dtype = ml_dtypes.float8_e8m0fnu if stype == "ue8m0" else ml_dtypes.float8_e4m3fn
    table = rng.integers(0, 256, (128, 32)).astype(np.uint8)
    for factors, at in ((factor_a, 0), (factor_b, 4)):
        for r, row in enumerate(factors.astype(dtype).view(np.uint8)):
            byte = 4 * (at + r // 32) + first
            for part in range(4):
                table[32 * part + r % 32, byte : byte + vectors] = row
    extra = first << 29 | first << 4 | (1 << 23 if stype == "ue8m0" else 0)
    a, b, before, after = multiply(
        kind, atype, btype, "f32", n=n, tensor_a=tensor_a, extra=extra, name=f".block_scale{block}",
        prepare=through(300, 8, 3, True) + "add.u32 %w100, %r4, 300; add.u32 %w101, %r4, 304;",
        scales=", [%w100], [%w101]", more=[table.view(np.uint32)],
    )  # fmt: skip
    depth = a.shape[1]
    wide_a, wide_b = (
        a * np.repeat(factor_a, depth // vectors, axis=1),
        b * np.repeat(factor_b, depth // vectors, axis=1),
    )
    assert (after == (wide_a @ wide_b.T + before).astype(np.float32)).all()


SPARSE = [
    ("f16", "f16", "f16", "f32", 128, False, 0), ("f16", "bf16", "bf16", "f32", 64, False, 3),
    ("f16", "f16", "f16", "f16", 64, True, 1), ("tf32", "tf32", "tf32", "f32", 128, False, 2),
    ("tf32", "tf32", "tf32", "f32", 32, True, 0), ("f8f6f4", "e4m3", "e2m1", "f32", 128, False, 0),
    ("f8f6f4", "e2m3", "e5m2", "f16", 64, False, 0), ("i8", "s8", "u8", "s32", 128, True, 0),
    ("i8", "u8", "s8", "s32", 32, True, 0),
]  # fmt: skip


@pytest.mark.sample(1)
@pytest.mark.parametrize("tensor_a", [False, True])
@pytest.mark.parametrize(("kind", "atype", "btype", "dtype", "m", "ws", "selector"), SPARSE)
def test_sparse_products(
    kind: str, atype: str, btype: str, dtype: str, m: int, ws: bool, selector: int, tensor_a: bool
) -> None:
    bits, n = BITS.get(atype, 8), 64
    depth = 512 // bits
    dense, b = numbers((m, depth), atype, 1), numbers((n, depth), btype, 2)
    stored, kept, nibbles = sparsify(dense, bits)
    cells = metadata_cells(nibbles, m, ws, bits >= 16)
    _, _, before, after = multiply(
        kind, atype, btype, dtype, m, n, ws=ws, tensor_a=tensor_a, a=stored, b=b, meta=cells, selector=selector
    )
    assert (after == (kept @ b.T + before).astype(DTYPES[dtype])).all()


def test_sparse_products_with_scales() -> None:
    """`.kind::mxf4`: pairs of four-bit elements, two scales for a row of 128."""
    n, rng = 64, np.random.default_rng(5)
    dense, b = numbers((128, 128), "e2m1", 1), numbers((n, 128), "e2m1", 2)
    stored, kept, nibbles = sparsify(dense, 4)
    exponents = rng.integers(124, 131, (128, 8)).astype(np.uint8)
    table = np.zeros((128, 32), np.uint8)
    for r in range(128):
        for part in range(4):
            table[32 * part + r % 32, 4 * (r // 32) : 4 * (r // 32) + 2] = exponents[r, :2]
            if r < n:
                table[32 * part + r % 32, 16 + 4 * (r // 32) : 18 + 4 * (r // 32)] = exponents[r, 2:4]
    _, _, before, after = multiply(
        "mxf4", "e2m1", "e2m1", "f32", n=n, extra=1 << 23, name=".block_scale", a=stored, b=b,
        prepare=through(300, 8, 3, True) + "add.u32 %w100, %r4, 300; add.u32 %w101, %r4, 304;",
        scales=", [%w100], [%w101]", more=[table.view(np.uint32)], meta=metadata_cells(nibbles, 128, False, False),
    )  # fmt: skip
    factors = 2.0 ** (exponents.astype(int) - 127)
    wide = kept * np.repeat(factors[:, :2], 64, axis=1), b * np.repeat(factors[:n, 2:4], 64, axis=1)
    assert (after == (wide[0] @ wide[1].T + before).astype(np.float32)).all()


@pytest.mark.sample(2)
@pytest.mark.parametrize("policy", POLICIES)
def test_copies_that_follow_a_product_may_replace_what_it_reads(policy: str) -> None:
    """They run after it: it finds A, the metadata and the scales as they were."""
    dense, b = numbers((128, 128), "e2m1", 1), numbers((32, 128), "e2m1", 2)
    stored, kept, nibbles = sparsify(dense, 4)
    copies = (("128x256b", "%r7"), ("128x128b", "%r10"), ("32x128b.warpx4", "%w100"), ("32x128b.warpx4", "%w101"))
    _, _, before, after = multiply(
        "mxf4", "e2m1", "e2m1", "f32", extra=1 << 23, name=".block_scale", a=stored, b=b, tensor_a=True, policy=policy,
        prepare=through(300, 8, 3, True) + "add.u32 %w100, %r4, 300; add.u32 %w101, %r4, 304;",
        scales=", [%w100], [%w101]", more=[np.full((128, 8), 0x7F7F7F7F, np.uint32)],
        meta=metadata_cells(nibbles, 128, False, False),
        following=" ".join(f"tcgen05.cp.cta_group::1.{shape} [{at}], %rd6;" for shape, at in copies),
    )  # fmt: skip
    assert (after == kept @ b.T + before).all()


@pytest.mark.sample(2)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("m", [128, 256])
def test_pairs_of_ctas(m: int, policy: str) -> None:
    """Each CTA of a pair holds half of A's rows, half of B's columns, and the sums of its rows."""
    n, depth = 64 if m == 256 else 128, 16
    a, b = numbers((m, depth), "f16", 1), numbers((n, depth), "f16", 2)
    images, leading, stride = list[Any](), 0, 0
    for rank in range(2):
        rows_a, rows_b = a[m // 2 * rank : m // 2 * (rank + 1)], b[n // 2 * rank : n // 2 * (rank + 1)]
        (bytes_a, leading, stride), (bytes_b, *_) = (stage(image(v, "f16", "f16"), 0) for v in (rows_a, rows_b))
        images.append(np.concatenate([bytes_a[: 1 << 14], bytes_b[: 1 << 14]]))
    out = np.zeros((2, 128, 64), np.uint32)
    body = (
        f"""mov.u32 %w120, %cluster_ctarank; ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %w120, {1 << 15}, %rd1;
    """
        + fill(1 << 15).replace("ld.param.u64 %rd1, [p0];", "")
        + f"""
    setp.eq.u32 %p4, %w120, 0; and.pred %p5, %leader, %p4; mov.u64 %rd5, {descriptor(0, leading, stride, 0)};
    mov.u64 %rd6, {descriptor(1 << 14, leading, stride, 0)}; mov.u32 %r8, {idesc("f16", "f16", "f16", "f32", m, n)};
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; setp.ne.u32 %p3, 0, 0; mov.b16 %rs1, 3;
    @!%p5 bra started; tcgen05.mma.cta_group::2.kind::f16 [%r4], %rd5, %rd6, %r8, %p3;
    tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%r2], %rs1; started:
    """
        + WAIT.format(n=0)
        + """mad.lo.u32 %w121, %w120, 128, %r0;"""
        + through(0, 64, 1, False).replace("mad.wide.u32 %rd3, %r0,", "mad.wide.u32 %rd3, %w121,")
        + "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;"
    )
    kernel(body, [np.stack(images), out], size=1 << 15, group=2, grid=2, cluster=2, async_=policy)
    want = (a @ b.T).astype(np.float32)
    values = out.view(np.float32)
    for i, j in product(range(m), range(n)):
        rank, row = divmod(i, m // 2)
        lane, column = (row, j) if m == 256 else (row + 64 * (j // 64), j % 64)
        assert values[rank, lane, column] == want[i, j]


# -- a pipeline -----------------------------------------------------------------------------------------------

STEPS = 5


def pipeline(policy: str, wait: bool = True, fence: bool = True, **more: Any) -> tuple[Array, Array, Array]:
    """A product over K in steps of 16 through two buffers; a buffer is filled again once its product is done."""
    a, b = numbers((128, 16 * STEPS), "f16", 1), numbers((64, 16 * STEPS), "f16", 2)
    out = np.zeros((128, 64), np.uint32)
    stage_bytes = 128 * 32 + 64 * 32
    row = 32 * STEPS
    lines = [
        f"""ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; mad.wide.u32 %rd1, %r0, {row}, %rd1;
    mad.wide.u32 %rd2, %r0, {row}, %rd2; shr.u32 %r7, %r0, 3; and.b32 %r8, %r0, 7; mul.lo.u32 %r7, %r7, 128;
    mad.lo.u32 %r7, %r8, 16, %r7; add.u32 %r7, %r7, %r1; mov.u32 %r10, {idesc("f16", "f16", "f16", "f32", 128, 64)};
    setp.lt.u32 %p2, %r0, 64; add.u32 %r9, %r2, 16;
    @!%leader bra ready; mbarrier.init.shared.b64 [%r9], 1; mbarrier.init.shared.b64 [%r9+8], 1; ready: bar.sync 0;"""
    ]
    for i in range(STEPS):
        at = i % 2 * stage_bytes
        if i >= 2 and wait:
            lines.append(
                f"{{ .reg .pred %q; full{i}: mbarrier.try_wait.parity.shared.b64 %q, [%r9+{i % 2 * 8}], "
                f"{(i // 2 - 1) % 2}; @!%q bra full{i}; }}"
            )
        for half in range(2):
            source = 32 * i + 16 * half
            lines.append(
                f"ld.global.v4.u32 {{%w0, %w1, %w2, %w3}}, [%rd1+{source}];"
                f"st.shared.v4.u32 [%r7+{at + 2048 * half}], {{%w0, %w1, %w2, %w3}};"
                f"@%p2 ld.global.v4.u32 {{%w4, %w5, %w6, %w7}}, [%rd2+{source}];"
                f"@%p2 st.shared.v4.u32 [%r7+{at + 4096 + 1024 * half}], {{%w4, %w5, %w6, %w7}};"
            )
        lines.append("fence.proxy.async;" if fence else "")
        lines.append(
            f"""bar.sync 0; mov.u64 %rd5, {descriptor(at, 2048, 128, 0)}; setp.ne.u32 %p3, {i}, 0;
        mov.u64 %rd6, {descriptor(at + 4096, 1024, 128, 0)}; @!%leader bra issued{i};
        tcgen05.mma.cta_group::1.kind::f16 [%r4], %rd5, %rd6, %r10, %p3;
        tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r9+{i % 2 * 8}]; issued{i}:"""
        )
    lines.append(
        """@!%leader bra last; tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r2]; last:"""
        + WAIT.format(n=0)
        + through(0, 64, 2, False)
    )
    body = "\n".join(lines)
    kernel(body, [a.astype(np.float16), b.astype(np.float16), out], size=2 * stage_bytes, async_=policy, **more)
    return a, b, out.view(np.float32)


@pytest.mark.slow
def test_ctas_that_wait_together_go_on_together() -> None:
    """Eight CTAs take hardly more steps than one: each of them would take its own if they went on one by one."""
    alone = 16
    while True:
        try:
            pipeline("lazy", max_steps=alone)
            break
        except KernelFault:
            alone += 16
    a, b, out = pipeline("lazy", grid=8, max_steps=alone + 32)
    assert (out == a @ b.T).all()


@pytest.mark.sample(1)
@pytest.mark.parametrize("policy", POLICIES)
def test_pipeline(policy: str) -> None:
    a, b, out = pipeline(policy)
    assert (out == a @ b.T).all()


def test_buffers_that_are_filled_again_too_early() -> None:
    """Eagerly the product is done when the buffer is filled again; lazily it is not."""
    a, b, out = pipeline("eager", wait=False)
    assert (out == a @ b.T).all()
    with pytest.raises(KernelFault) as caught:
        pipeline("lazy", wait=False)
    assert caught.value.instruction.startswith("st.shared")


def test_stores_that_no_fence_shows_to_the_product() -> None:
    with pytest.raises(KernelFault) as caught:
        pipeline("eager", fence=False)
    assert caught.value.instruction.startswith("tcgen05.mma")


# -- what can go wrong ----------------------------------------------------------------------------------------

LATE = """tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r2]; started: """


def product_without(wait: str, policy: str) -> None:
    body = (
        fill(1 << 15)
        + f"""mov.u64 %rd5, {descriptor(0, 8192, 128, 0)};
    mov.u32 %r8, {idesc("f16", "f16", "f16", "f32", 128, 16)}; setp.ne.u32 %p3, 0, 0; @!%leader bra started;
    tcgen05.mma.cta_group::1.kind::f16 [%r4], %rd5, %rd5, %r8, %p3; {LATE} bar.sync 0; {wait}
    """
        + through(0, 16, 1, False)
    )
    kernel(body, [np.zeros(1 << 15, np.uint8), np.zeros((128, 16), np.uint32)], size=1 << 15, async_=policy)


def test_reading_sums_without_waiting_is_found_lazily() -> None:
    product_without("", "eager")
    product_without(WAIT.format(n=0), "lazy")
    with pytest.raises(KernelFault) as caught:
        product_without("", "lazy")
    assert caught.value.kind == "asynchronous-read"
    assert caught.value.position is not None and caught.value.position.line


def test_registers_before_their_wait() -> None:
    content, out = np.ones((128, 4), np.uint32), np.zeros((128, 4), np.uint32)
    text = through(0, 4, 0, True) + through(0, 4, 1, False).replace("tcgen05.wait::ld.sync.aligned;", "")
    with pytest.raises(KernelFault, match="gives back tensor memory that warp . has read"):
        kernel(text, [content, out], async_="eager")
    assert (out == 1).all()
    with pytest.raises(KernelFault, match="still in flight") as caught:
        kernel(text, [content, out], async_="lazy")
    assert caught.value.kind == "asynchronous-read"
    assert caught.value.instruction == "st.global.u32"
    kernel(text, [content, out], async_="lazy", check="fast")
    assert (out == 1).all()


@pytest.mark.sample(5)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("check", ["strict", "fast"])
def test_registers_that_are_moved_and_packed_before_their_wait(policy: Any, check: Any) -> None:
    """Compilers do so; what uses the copies has to come after the wait."""
    content = np.arange(512, dtype=np.uint32).reshape(128, 4)
    out = np.zeros((128, 4), np.uint32)
    load = through(0, 4, 1, False)
    moves = (
        "mov.b32 %w8, %w0; mov.b64 %rd7, {%w1, %w2}; mov.b64 %rd8, %rd7; @%p1 mov.b32 %w9, %w3; @!%p1 mov.b32 %w9, %w3;"
    )
    wait = "tcgen05.wait::ld.sync.aligned;"
    back = "mov.b32 %w0, %w8; mov.b64 {%w1, %w2}, %rd8; mov.b32 %w3, %w9;"
    text = through(0, 4, 0, True) + load.replace(wait, moves + wait + back)
    kernel(text, [content, out], async_=policy, check=check)
    assert (out == content).all()
    if policy == "lazy" and check == "strict":
        early = text.replace(wait + back, "add.u32 %w8, %w8, 0; add.u32 %w0, %w0, 0;" + wait + back)
        (note,) = kernel(early, [content, out], async_=policy).findings
        assert (note.kind, note.severity, note.instruction) == ("asynchronous-read", Severity.NOTE, "add.u32")
        assert ": note: add.u32" in str(note)
        assert (out == content).all()
        for late in ("bar.sync 0;" + wait + back, back):
            with pytest.raises(KernelFault, match="still in flight") as caught:
                kernel(text.replace(wait + back, late), [content, out], async_=policy)
            assert (caught.value.kind, caught.value.instruction) == ("asynchronous-read", "mov.b32")


def notes(result: Result) -> set[str]:
    assert {finding.severity for finding in result.findings} <= {Severity.NOTE}
    return {finding.message.partition(": ")[2].partition(",")[0] for finding in result.findings}


@pytest.mark.parametrize("shape", ["32x32b.x2", "16x64b.x2"])
def test_addresses_without_the_quarter_of_the_warp(shape: str) -> None:
    """Kernels in production give all warps one address: each reaches its own lanes. It is noted."""
    content, mine, ours = np.arange(512, dtype=np.uint32).reshape(128, 4), *np.zeros((2, 128, 2), np.uint32)
    load = through(0, 2, 1, False).replace("32x32b.x2", shape)
    assert not kernel(through(0, 4, 0, True) + load, [content, mine]).findings
    result = kernel(through(0, 4, 0, True) + load.replace("[%r6", "[%r4"), [content, ours])
    assert (ours == mine).all() and mine.any()
    assert notes(result) == {"lane 0: the warp can access only lanes 32 to 63"}


def test_descriptors_without_their_constant_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    found = list[Result]()
    monkeypatch.setitem(globals(), "descriptor", partial(descriptor, version=0))
    run = kernel
    monkeypatch.setitem(globals(), "kernel", lambda *words, **more: found.append(run(*words, **more)))
    a, b, before, after = multiply("f16", "f16", "f16", "f32")
    assert (after == a @ b.T + before).all()
    assert notes(found[0]) == {"bits 46 to 48 of a matrix descriptor are 0"}


FAULTS = {
    "xor.b32 %r4, %r6, 0x200000; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%w0}, [%r4]; tcgen05.wait::ld.sync.aligned;": (
        "tensor-memory"
    ),
    "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%w0, %w1, %w2, %w3}, [%r6+510];": "tensor-memory",
    "@!%p1 bra skip; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, 256; skip: ": "tensor-memory",
    "@!%p1 bra skip; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 32; skip: ": "tensor-memory",
    "mov.u32 %r8, 0; mov.u64 %rd5, 0; @!%leader bra skip; tcgen05.mma.cta_group::1.kind::f16 [%r4], %rd5, %rd5, %r8, 0;"
    "skip: ": "descriptor",
    f"mov.u32 %r8, {idesc('f16', 'f16', 'f16', 'f32', 128, 16)}; mov.u64 %rd5, {2 << 46}; @!%leader bra skip;"
    "tcgen05.mma.cta_group::1.kind::f16 [%r4], %rd5, %rd5, %r8, 0; skip: ": "descriptor",
}


@pytest.mark.parametrize("body", list(FAULTS))
def test_faults(body: str) -> None:
    with pytest.raises(KernelFault) as caught:
        kernel(body, [])
    assert caught.value.kind == FAULTS[body]
    assert caught.value.position is not None and caught.value.position.line


@pytest.mark.sample(1)
@pytest.mark.parametrize("policy", POLICIES)
def test_unwritten_columns_are_a_fault_where_their_values_are_used(policy: Any) -> None:
    """A loop of no turns leaves an accumulator unwritten; compilers load it all the same, and then do not use it."""
    content, out = np.arange(256, dtype=np.uint32).reshape(128, 2), np.zeros((128, 4), np.uint32)
    load = through(0, 4, 1, False)
    stores = [f"st.global.u32 [%rd3+{4 * i}], %w{i};" for i in range(4)]
    some = load.replace(stores[2], "").replace(stores[3], "add.u32 %w3, %w3, %w2;")
    kernel(through(0, 2, 0, True) + some, [content, out], async_=policy)
    assert (out[:, :2] == content).all() and not out[:, 2:].any()
    for wrong in (load, some + "add.u32 %w3, %w3, %w0; st.global.u32 [%rd3+12], %w3;"):
        with pytest.raises(KernelFault, match="column 2 of tensor memory has not been written yet") as caught:
            kernel(through(0, 2, 0, True) + wrong, [content, out], async_=policy)
        assert caught.value.kind == "uninitialised-memory"


def test_memory_that_is_not_given_back() -> None:
    body = """.shared .align 8 .b32 at; mov.u32 %r3, at;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 32; ret;"""
    with pytest.raises(KernelFault, match="without deallocating") as caught:
        launch(body, [], target=TARGET)
    assert caught.value.kind == "tensor-memory"
