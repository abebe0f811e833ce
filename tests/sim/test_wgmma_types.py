"""wgmma: every multiplicand type, dense and sparse, with A in shared memory and in registers."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests.sim.harness import INDEX, Array, launch
from tests.sim.test_matrix_narrow import codes, fragment, random, sparsify

pytestmark = pytest.mark.usefixtures("products")

LANE = np.arange(32)


def pack(matrix: Array, type_: str) -> Array:
    """The rows of a matrix as bytes, K along each row."""
    if type_ == "b1":
        return np.packbits(matrix.astype(np.uint8), axis=1, bitorder="little")
    bits = {"f16": 16, "bf16": 16, "tf32": 32}.get(type_, 8)
    words = codes(matrix, type_, bits).astype(f"u{bits // 8}")
    return np.ascontiguousarray(words).view(np.uint8).reshape(len(matrix), -1)


def stage(rows: Array, size: int) -> tuple[Array, int]:
    """Bytes of shared memory without a swizzle, and the descriptor's offsets: blocks of eight rows of 16 bytes."""
    out = np.zeros(size, np.uint8)
    count, width = rows.shape
    leading, stride = 128 * (count // 8), 128
    for i, j in product(range(count), range(0, width, 16)):
        at = i // 8 * stride + i % 8 * 16 + j // 16 * leading
        out[at : at + 16] = rows[i, j : j + 16]
    return out, leading >> 4 << 16 | stride >> 4 << 32


def wgmma(
    opcode: str,
    n: int,
    images: list[Array],
    words: Array,
    c: Array,
    registers: bool,
    word_a: int,
    word_b: int,
    tail: str,
) -> Array:
    """Run one wgmma of a warpgroup; `words` are four registers of A and one of metadata for each thread."""
    half = c.dtype == np.float16
    count = n // 4 if half else n // 2
    held = np.zeros((128, n // 2), c.dtype)
    places = [(16 * (t // 32) + t % 32 // 4 + 8 * (i // 2 % 2), 8 * (i // 4) + 2 * (t % 4) + i % 2)
              for t in range(128) for i in range(n // 2)]  # fmt: skip
    held.reshape(-1)[:] = [c[place] for place in places]
    size = len(images[0])
    regs = ", ".join(f"%d{i}" for i in range(count))
    body = (
        f""".shared .align 1024 .b8 s[{2 * size}]; .reg .b32 %d<{count}>; .reg .b32 %a<5>;{INDEX}
    ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2]; mov.u32 %r1, s;
    mov.u32 %r2, 0; fill: mad.lo.u32 %r3, %r2, 128, %r0; shl.b32 %r3, %r3, 2; cvt.u64.u32 %rd4, %r3;
    add.u64 %rd4, %rd4, %rd1; ld.global.u32 %r4, [%rd4]; add.u32 %r5, %r1, %r3; st.shared.u32 [%r5], %r4;
    add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, {2 * size // 512}; @%p1 bra fill; fence.proxy.async; bar.sync 0;
    mad.wide.u32 %rd2, %r0, {4 * count}, %rd2; mad.wide.u32 %rd3, %r0, 20, %rd3;
    """
        + "".join(f"ld.global.u32 %a{i}, [%rd3+{4 * i}];" for i in range(5))
        + "".join(f"ld.global.u32 %d{i}, [%rd2+{4 * i}];" for i in range(count))
        + f"""
    mov.u64 %rd5, {word_b | size >> 4}; mov.u64 %rd6, {word_a};
    wgmma.fence.sync.aligned;
    {opcode} {{{regs}}}, {"{%a0, %a1, %a2, %a3}" if registers else "%rd6"}, %rd5, {tail};
    wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
    """
        + "".join(f"st.global.u32 [%rd2+{4 * i}], %d{i};" for i in range(count))
        + "ret;"
    )
    launch(body, [np.concatenate(images), held, words], block=128, target="sm_90a")
    out = np.zeros_like(c)
    for value, place in zip(held.reshape(-1), places, strict=True):
        out[place] = value
    return out


TYPES = [
    *[(t, t, d) for t, d in (("f16", "f16"), ("f16", "f32"), ("bf16", "f32"), ("tf32", "f32"))],
    *[(a, b, d) for a, b in product(("e4m3", "e5m2"), repeat=2) for d in ("f16", "f32")],
    *[(a, b, "s32") for a, b in product(("s8", "u8"), repeat=2)],
    ("b1", "b1", "s32"),
]
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "b1": 1}


@pytest.mark.sample(6)
@pytest.mark.parametrize("registers", [False, True])
@pytest.mark.parametrize(
    ("atype", "btype", "dtype", "sparse"),
    [(*t, sparse) for t in TYPES for sparse in (False, True)[: 1 + (t[0] != "b1")]],
)
def test_types(atype: str, btype: str, dtype: str, sparse: bool, registers: bool) -> None:
    bits, n = BITS.get(atype, 8), 24
    depth = 256 // bits * (2 if sparse else 1)
    if atype == "b1":
        rng = np.random.default_rng(1)
        a, b = rng.integers(0, 2, (64, depth)).astype(float), rng.integers(0, 2, (n, depth)).astype(float)
    else:
        a, b = random((64, depth), atype, 1), random((n, depth), btype, 2)
    dtypes = {"f16": np.float16, "f32": np.float32, "s32": np.int32}
    c = random((64, n), "f16", 3).astype(dtypes[dtype])
    words = np.zeros((128, 5), np.uint32)
    stored = a
    selector = 0
    if sparse:
        selector = 1 if bits >= 16 else 0
        parts = [sparsify(a[16 * w : 16 * w + 16], bits, selector, seed=w, ordered=False) for w in range(4)]
        stored, a = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
        words[:, 4] = np.concatenate([p[2][:, 0] for p in parts])
    for w in range(4):
        tile = stored[16 * w : 16 * w + 16]
        if atype == "b1":
            rows = pack(tile, "b1").view(np.uint32)
            for r in range(4):
                words[32 * w : 32 * w + 32, r] = rows[LANE // 4 + 8 * (r % 2), LANE % 4 + 4 * (r // 2)]
        else:
            words[32 * w : 32 * w + 32, :4] = fragment(codes(tile, atype, bits), bits, "a")
    (image_a, word_a), (image_b, word_b) = stage(pack(stored, atype), 4096), stage(pack(b, btype), 4096)
    head = "wgmma.mma_async.sp" if sparse else "wgmma.mma_async"
    opcode = f"{head}.sync.aligned.m64n{n}k{depth}.{dtype}.{atype}.{btype}{'.and.popc' if atype == 'b1' else ''}"
    tail = f"%a4, {selector}, 1" if sparse else "1"
    sign = 1.0
    if dtype != "s32":
        sign = -1.0
        tail += ", -1, 1"
        if bits == 16:
            tail += ", 0" if registers else ", 0, 0"
    out = wgmma(opcode, n, [image_a, image_b], words, c, registers, word_a, word_b, tail)
    exact = sign * (a @ b.T) + c.astype(np.float64)
    assert (out == exact.astype(dtypes[dtype])).all()


@pytest.mark.parametrize("clamp", [False, True])
def test_integers_wrap_or_clamp(clamp: bool) -> None:
    a, b = np.full((64, 32), 127.0), np.full((8, 32), 127.0)
    c = np.full((64, 8), 2**31 - 1, np.int32)
    (image_a, word_a), (image_b, word_b) = stage(pack(a, "s8"), 2048), stage(pack(b, "s8"), 2048)
    opcode = f"wgmma.mma_async.sync.aligned.m64n8k32{'.satfinite' if clamp else ''}.s32.s8.s8"
    out = wgmma(opcode, 8, [image_a, image_b], np.zeros((128, 5), np.uint32), c, False, word_a, word_b, "1")
    want = 2**31 - 1 if clamp else np.int64(2**31 - 1 + 32 * 127 * 127).astype(np.int32)
    assert (out == want).all()
