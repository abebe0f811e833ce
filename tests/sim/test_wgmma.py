"""wgmma: every layout of the operands in shared memory, A in registers, and the accumulators' fragments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.sim.harness import INDEX, Array, launch
from weft.sim import KernelFault

pytestmark = pytest.mark.usefixtures("products")

WIDTHS = {0: 16, 1: 128, 2: 64, 3: 32}


def stage(matrix: Array, mode: int, across: bool) -> tuple[Array, int, int]:
    """Bytes of shared memory that hold a matrix (rows by 16 halves), element by element, with its two byte offsets.

    Rows of the pattern are `WIDTHS[mode]` bytes; groups of eight of them are `stride` apart; with `across` the matrix's
    rows run along the pattern's rows.  Swizzling exchanges 16-byte pieces by the number of the pattern's row.
    """
    rows, depth = matrix.shape
    width = WIDTHS[mode]
    out = np.zeros(1 << 15, np.uint8)
    group = 8 * width
    for i in range(rows):
        for k in range(depth):
            along, line = (i, k) if across else (k, i)
            piece, byte = divmod(2 * along, width)
            block, row = divmod(line, 8)
            if across and mode:
                leading, stride = (depth // 8) * group, group
                address = piece * leading + block * stride + row * width + byte
            elif across:
                leading, stride = 2048, group
                address = piece * stride + block * leading + row * width + byte
            elif mode:
                leading, stride = 16, group
                assert piece == 0
                address = block * stride + row * width + byte
            else:
                leading, stride = 4096, group
                address = block * stride + row * width + piece * leading + byte
            if mode:
                address ^= (address // 128 % (width // 16)) * 16
            out[address : address + 2] = np.frombuffer(matrix[i, k].tobytes(), np.uint8)
    return out, leading, stride


def product(
    a: Array,
    b: Array,
    c: Array,
    operand_a: str,
    immediates: str,
    b_word: int,
    images: list[Array],
    extra: str = "",
    **more: Any,
) -> Array:
    n = c.shape[1]
    count = n // 2
    held = np.zeros((128, count), np.float32)
    places = [(16 * (t // 32) + t % 32 // 4 + 8 * (i // 2 % 2), 8 * (i // 4) + 2 * (t % 4) + i % 2)
              for t in range(128) for i in range(count)]  # fmt: skip
    held.reshape(-1)[:] = [c[place] for place in places]
    size = len(images[0])
    regs = ", ".join(f"%d{i}" for i in range(count))
    body = (
        f""".reg .b32 %d<{count}>; .reg .b32 %a<4>;{INDEX}
    ld.param.u64 %rd1, [p0]; ld.param.u64 %rd2, [p1]; ld.param.u64 %rd3, [p2]; mov.u32 %r1, s;
    mov.u32 %r2, 0; fill: mad.lo.u32 %r3, %r2, 128, %r0; shl.b32 %r3, %r3, 2; cvt.u64.u32 %rd4, %r3; add.u64 %rd4, %rd4, %rd1;
    ld.global.u32 %r4, [%rd4]; add.u32 %r5, %r1, %r3; st.shared.u32 [%r5], %r4; add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, {2 * size // 512}; @%p1 bra fill; fence.proxy.async; bar.sync 0; mad.wide.u32 %rd2, %r0, {4 * count}, %rd2;
    mad.wide.u32 %rd3, %r0, 16, %rd3; ld.global.v4.u32 {{%a0, %a1, %a2, %a3}}, [%rd3];
    """
        + "".join(f"ld.global.u32 %d{i}, [%rd2+{4 * i}];" for i in range(count))
        + f"""
    mov.u64 %rd5, {b_word}; {extra}
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n{n}k16.f32.f16.f16 {{{regs}}}, {operand_a}, %rd5, {immediates};
    wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
    """
        + "".join(f"st.global.u32 [%rd2+{4 * i}], %d{i};" for i in range(count))
        + "ret;"
    )
    fragment = np.zeros((128, 4, 2), np.float16)
    for t in range(128):
        for r in range(4):
            for e in range(2):
                fragment[t, r, e] = a[16 * (t // 32) + t % 32 // 4 + 8 * (r % 2), 2 * (t % 4) + e + 8 * (r // 2)]
    shared = ".extern .shared .align 1024 .b8 s[];"
    arguments = [np.concatenate(images), held, fragment]
    launch(body, arguments, block=128, target="sm_90a", extra=shared, shared_bytes=2 * size, **more)
    out = np.zeros_like(c)
    for value, place in zip(held.reshape(-1), places, strict=True):
        out[place] = value
    return out


def word(start: int, leading: int, stride: int, mode: int) -> int:
    return start >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32 | mode << 62


@pytest.mark.sample(3)
@pytest.mark.parametrize("across_a", [False, True])
@pytest.mark.parametrize("across_b", [False, True])
@pytest.mark.parametrize("mode", [0, 1, 2, 3])
def test_layouts(mode: int, across_a: bool, across_b: bool) -> None:
    rng = np.random.default_rng(mode)
    a, b = rng.integers(-4, 5, (64, 16)).astype(np.float16), rng.integers(-4, 5, (32, 16)).astype(np.float16)
    if across_b and mode == 1:
        b = rng.integers(-4, 5, (64, 16)).astype(np.float16)
    c = rng.integers(-4, 5, (64, len(b))).astype(np.float32)
    (bytes_a, lead_a, stride_a), (bytes_b, lead_b, stride_b) = stage(a, mode, across_a), stage(b, mode, across_b)
    descriptor = f"mov.u64 %rd6, {word(0, lead_a, stride_a, mode)};"
    out = product(a, b, c, "%rd6", f"1, 1, 1, {int(across_a)}, {int(across_b)}",
                  word(len(bytes_a), lead_b, stride_b, mode), [bytes_a, bytes_b], descriptor)  # fmt: skip
    assert (out == a.astype(np.float32) @ b.T.astype(np.float32) + c).all()


@pytest.mark.parametrize(
    ("immediates", "signs", "keeps"), [("1, 1, 1, 0", 1, True), ("1, -1, 1, 0", -1, True), ("0, 1, 1, 0", 1, False)]
)
def test_a_in_registers_and_scales(immediates: str, signs: int, keeps: bool) -> None:
    rng = np.random.default_rng(9)
    a, b = rng.integers(-4, 5, (64, 16)).astype(np.float16), rng.integers(-4, 5, (8, 16)).astype(np.float16)
    c = rng.integers(-4, 5, (64, 8)).astype(np.float32)
    staged, leading, stride = stage(b, 3, False)
    out = product(a, b, c, "{%a0, %a1, %a2, %a3}", immediates, word(0, leading, stride, 3), [staged, staged])
    assert (out == signs * (a.astype(np.float32) @ b.T.astype(np.float32)) + keeps * c).all()


def test_part_of_a_warpgroup() -> None:
    body: Any = """.shared .align 1024 .b8 s[1024]; mov.u32 %r0, %tid.x; setp.ge.u32 %p1, %r0, 64; @%p1 bra done;
    wgmma.fence.sync.aligned; done: bar.sync 0; ret;"""
    with pytest.raises(KernelFault) as caught:
        launch(body, [], block=128, target="sm_90a")
    assert caught.value.kind in ("divergent-collective", "deadlock")


@pytest.mark.sample(2)
@pytest.mark.parametrize("policy", ["eager", "lazy"])
@pytest.mark.parametrize("differ", [False, True])
def test_ctas_with_descriptors_of_their_own(differ: bool, policy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reads its own matrices, also where these lie elsewhere and otherwise, and where sums count in some CTAs only."""
    from weft.sim.semantics import wgmma

    n, size, modes = 16, 1 << 14, (0, 3, 1) if differ else (3, 3, 3)
    monkeypatch.setattr(wgmma, "_MOST_BYTES", 2 * 8 * 64 * n)  # Two CTAs at a time.
    rng = np.random.default_rng(4)
    a, b = rng.integers(-4, 5, (3, 64, 16)).astype(np.float16), rng.integers(-4, 5, (3, n, 16)).astype(np.float16)
    c = rng.integers(-4, 5, (3, 128, n // 2)).astype(np.float32)
    images, words = np.zeros((3, size), np.uint8), np.zeros((3, 2), np.uint64)
    for cta, mode in enumerate(modes):
        (bytes_a, lead_a, stride_a), (bytes_b, lead_b, stride_b) = (stage(m[cta], mode, False) for m in (a, b))
        at = 1024 * cta * differ
        images[cta, : size // 2] = bytes_a[: size // 2]
        images[cta, size // 2 + at :] = bytes_b[: size // 2 - at]
        words[cta] = word(0, lead_a, stride_a, mode), word(size // 2 + at, lead_b, stride_b, mode)
    out, regs = c.copy(), ", ".join(f"%d{i}" for i in range(n // 2))
    body = (
        f""".reg .b32 %d<{n // 2}>; mov.u32 %r0, %tid.x; mov.u32 %r9, %ctaid.x; mov.u32 %r1, s;
    ld.param.u64 %rd1, [p0]; mad.wide.u32 %rd1, %r9, {size}, %rd1; ld.param.u64 %rd2, [p1]; mad.lo.u32 %r8, %r9, 128, %r0;
    mad.wide.u32 %rd2, %r8, {2 * n}, %rd2; ld.param.u64 %rd3, [p2]; mad.wide.u32 %rd3, %r9, 16, %rd3;
    mov.u32 %r2, 0; fill: mad.lo.u32 %r3, %r2, 128, %r0; shl.b32 %r3, %r3, 2; cvt.u64.u32 %rd4, %r3; add.u64 %rd4, %rd4, %rd1;
    ld.global.u32 %r4, [%rd4]; add.u32 %r5, %r1, %r3; st.shared.u32 [%r5], %r4; add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, {size // 512}; @%p1 bra fill; fence.proxy.async; bar.sync 0; ld.global.v2.u64 {{%rd5, %rd6}}, [%rd3];
    setp.eq.u32 %p2, %r9, {1 if differ else 7};"""
        + "".join(f"ld.global.u32 %d{i}, [%rd2+{4 * i}];" for i in range(n // 2))
        + f"""wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n{n}k16.f32.f16.f16 {{{regs}}}, %rd5, %rd6, !%p2, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;"""
        + "".join(f"st.global.u32 [%rd2+{4 * i}], %d{i};" for i in range(n // 2))
        + "ret;"
    )
    shared = f".shared .align 1024 .b8 s[{size}];"
    result = launch(body, [images, out, words], block=128, grid=3, target="sm_90a", extra=shared, async_=policy)
    for cta in range(3):
        whole = a[cta].astype(np.float32) @ b[cta].T.astype(np.float32)
        keep = not (differ and cta == 1)
        for thread in range(128):
            rows = [16 * (thread // 32) + thread % 32 // 4 + 8 * (i // 2 % 2) for i in range(n // 2)]
            columns = [8 * (i // 4) + 2 * (thread % 4) + i % 2 for i in range(n // 2)]
            assert (out[cta, thread] == whole[rows, columns] + keep * c[cta, thread]).all()
    assert result.bytes_loaded["shared"] == 3 * 32 * (64 + n)
