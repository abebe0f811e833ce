"""Gluon kernels that misuse mbarriers, asynchronous copies and products: each mistake is a fault."""

# pyright: basic

import numpy as np
import pytest
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.ampere import async_copy
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_init,
    warpgroup_mma_wait,
)
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

import weft.triton

pytestmark = pytest.mark.slow


def D(a, block):
    return TensorDescriptor(
        a.view(weft.triton.Array),
        list(a.shape),
        [a.shape[1], 1],
        block,
        gl.NVMMASharedLayout.get_default_for(block, gl.float16 if a.dtype == np.float16 else gl.float32),
    )


@gluon.jit
def k_tma(
    a,
    b,
    WAIT: gl.constexpr,
    FENCE: gl.constexpr,
    SWAIT: gl.constexpr,
    PHASE: gl.constexpr,
    EXPECT: gl.constexpr,
    INVAL: gl.constexpr,
):
    smem = gl.allocate_shared_memory(gl.float32, [32, 32], a.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, EXPECT)
    tma.async_load(a, [0, 0], bar, smem)
    if WAIT:
        mbarrier.wait(bar, phase=PHASE)
    lay: gl.constexpr = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
    x = smem.load(lay)
    smem.store(x * 2)
    if FENCE:
        fence_async_shared()
    tma.async_store(b, [0, 0], smem)
    if SWAIT:
        tma.store_wait(0)
    if INVAL:
        mbarrier.invalidate(bar)


@pytest.mark.parametrize(
    ("case", "good"),
    [
        ((True, True, True, 0, 4096, True), True),
        ((False, True, True, 0, 4096, True), False),
        ((True, True, True, 1, 4096, True), False),
        ((True, True, True, 0, 2048, True), False),
        ((True, True, True, 0, 8192, True), False),
    ],
)
def test_tma(case, good):
    a = np.random.rand(32, 32).astype("f4")
    b = np.zeros((32, 32), "f4")
    with weft.triton.activate("sm_90a", max_steps=20000):

        def f():
            return k_tma[(1,)](D(a, [32, 32]), D(b, [32, 32]), *case)

        if good:
            f()
            assert (b == 2 * a).all()
        else:
            with pytest.raises(weft.triton.TritonFault):
                f()


@gluon.jit
def k_cp(X, Z, N: gl.constexpr, COMMIT: gl.constexpr, WAIT: gl.constexpr, BAR: gl.constexpr):
    lay: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
    lay2: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
    sh: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    o = gl.arange(0, N, layout=lay2)
    smem = gl.allocate_shared_memory(gl.float32, [N], sh)
    async_copy.async_load(smem, X + o)
    if COMMIT:
        async_copy.commit_group()
    if WAIT >= 0:
        async_copy.wait_group(WAIT)
    o2 = gl.arange(0, N, layout=lay)
    gl.store(Z + o2, smem.load(lay))


@pytest.mark.parametrize(
    ("case", "good"), [((True, 0, True), True), ((True, -1, True), False), ((True, 1, True), False)]
)
def test_cp(case, good):
    x = np.random.rand(512).astype("f4")
    z = np.zeros(512, "f4")
    with weft.triton.activate("sm_80"):

        def f():
            return k_cp[(1,)](x, z, 512, *case)

        if good:
            f()
            assert (z == x).all()
        else:
            with pytest.raises(weft.triton.TritonFault):
                f()


@gluon.jit
def k_pipe(a, b, c, K, S: gl.constexpr, DROP: gl.constexpr):
    BM: gl.constexpr = 64
    BN: gl.constexpr = 64
    BK: gl.constexpr = 32
    sa = gl.allocate_shared_memory(gl.float16, [S, BM, BK], a.layout)
    sb = gl.allocate_shared_memory(gl.float16, [S, BK, BN], b.layout)
    full = gl.allocate_shared_memory(gl.int64, [S, 1], mbarrier.MBarrierLayout())
    for i in gl.static_range(S):
        mbarrier.init(full.index(i), count=1)
    lay: gl.constexpr = gl.NVMMADistributedLayout([3, 0], [4, 1], [16, 64, 16])
    acc = gl.zeros((BM, BN), gl.float32, lay)
    if DROP == 2:
        acc = warpgroup_mma_init(acc)
    for i in gl.static_range(S - 1):
        mbarrier.expect(full.index(i), (BM * BK + BK * BN) * 2)
        tma.async_load(a, [0, i * BK], full.index(i), sa.index(i))
        tma.async_load(b, [i * BK, 0], full.index(i), sb.index(i))
    for k in range(K // BK):
        st = k % S
        ph = k // S & 1
        if DROP != 1:
            mbarrier.wait(full.index(st), ph)
        acc = warpgroup_mma(sa.index(st), sb.index(st), acc, is_async=True)
        if DROP != 2:
            acc = warpgroup_mma_wait(0, deps=[acc])
        nx = k + S - 1
        if nx < K // BK:
            ns = nx % S if DROP != 3 else st
            mbarrier.expect(full.index(ns), (BM * BK + BK * BN) * 2)
            tma.async_load(a, [0, nx * BK], full.index(ns), sa.index(ns))
            tma.async_load(b, [nx * BK, 0], full.index(ns), sb.index(ns))
    if DROP == 2:
        acc = warpgroup_mma_wait(0, deps=[acc])
    sc = gl.allocate_shared_memory(gl.float32, [BM, BN], c.layout)
    sc.store(acc)
    fence_async_shared()
    tma.async_store(c, [0, 0], sc)
    tma.store_wait(0)


@pytest.mark.parametrize("S", [2, 3])
@pytest.mark.parametrize("drop", [0, 1, 2, 3])
def test_pipe(S, drop):
    a = np.random.rand(64, 256).astype("f2")
    b = np.random.rand(256, 64).astype("f2")
    c = np.zeros((64, 64), "f4")
    with weft.triton.activate("sm_90a", max_steps=60000):

        def f():
            return k_pipe[(1,)](D(a, [64, 32]), D(b, [32, 64]), D(c, [64, 64]), 256, S, drop)

        if drop == 0:
            f()
            np.testing.assert_allclose(c, a.astype("f8") @ b.astype("f8"), rtol=1e-2)
        else:
            with pytest.raises(weft.triton.TritonFault):
                f()
